#include "lgn/identify/realisation/candidate_realisations.h"

namespace lgn {

std::optional<Realisation> ColumnSpace::realise(Index order, double step, double least_damping,
                                                const Matrix& channels) const {
  if (order < 1 || vectors.cols() < order || vectors.rows() < order + channels.cols()) return {};
  auto modes = shift_modes(vectors.leftCols(order), lattice);
  if (!modes) return {};
  Realisation found = stable_realisation(std::move(*modes), least_damping);
  found.poles /= step;
  found.shapes = channels * found.shapes;
  if (!found.poles.allFinite() || !found.shapes.allFinite()) return {};
  return found;
}

std::vector<Realisation> CandidateRealisations::realise(Index order) const {
  std::vector<Realisation> candidates;
  for (Index k = 0; k < matrices(); ++k)
    if (auto found = realise_by(k, order)) candidates.push_back(std::move(*found));
  return candidates;
}

}  // namespace lgn
