#include "lgn/identify/likelihood/varying_likelihood.h"

namespace lgn {

std::vector<MagnusGrid> plan_grids(const Likelihood& likelihood, const VaryingStructure& structure,
                                   const Vector& theta, const MagnusOptions& options) {
  std::vector<MagnusGrid> grids;
  for (std::size_t g = 0; g < likelihood.groups(); ++g)
    grids.push_back(plan_grid(structure, theta, likelihood.times(g), options));
  return grids;
}

VaryingLikelihood::VaryingLikelihood(const Likelihood& likelihood,
                                     const VaryingStructure& structure,
                                     const std::vector<MagnusGrid>& grids)
    : likelihood_(likelihood), structure_(structure) {
  for (const MagnusGrid& grid : grids)
    nodes_.push_back(std::make_unique<const MagnusNodes>(structure, grid));
}

Likelihood::Profile VaryingLikelihood::profile(const Vector& theta) const {
  return likelihood_.profile(
      [&](std::size_t group) { return MagnusFlow(*nodes_[group], theta).maps(); });
}

Likelihood::Normal VaryingLikelihood::normal(const Vector& theta,
                                             const Likelihood::Profile& profile) const {
  return likelihood_.normal(
      [&](std::size_t group, const Matrix& starts) {
        return MagnusFlow(*nodes_[group], theta).transposed_derivatives(starts);
      },
      structure_.parameters(), profile);
}

}  // namespace lgn
