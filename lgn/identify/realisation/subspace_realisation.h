#pragma once

#include "lgn/data/dataset.h"
#include "lgn/identify/realisation/candidate_realisations.h"

namespace lgn {

/// Starts for ẋ = A x + B u, y = C x + D u + ȳ + noise by past outputs MOESP (Verhaegen, Automatica 30:61, 1994).
///
/// For i block rows the samples at 2i neighbouring times, less their means, are columns [U_f; U_p; Y_p; Y_f]; of their
/// triangular factor L the part of Y_f that neither future inputs nor noise of the future explain, L(Y_f, [U_p; Y_p]), has
/// the column space of O with blocks C exp(A k h). Its strongest singular vectors give the poles as those of free decays do.
/// Several numbers of block rows are tried, whose candidates the caller ranks. Uneven or missing samples, and inputs between
/// them, are interpolated (uniform_runs.h).
class SubspaceRealisation final : public CandidateRealisations {
 public:
  explicit SubspaceRealisation(const Dataset& data);

  const Vector& singular_values() const override { return singular_values_; }
  Index matrices() const override { return std::ssize(spaces_); }
  std::optional<Realisation> realise_by(Index matrix, Index order) const override;

 private:
  double step_ = 0, least_damping_ = 0;
  Matrix channels_;  ///< their sizes, on the diagonal
  std::vector<ColumnSpace> spaces_;
  Vector singular_values_;
};

}  // namespace lgn
