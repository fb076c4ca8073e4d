#pragma once

#include <memory>
#include <vector>

#include "lgn/flow/magnus_flow.h"
#include "lgn/identify/likelihood/likelihood.h"

namespace lgn {

/// Steps for the runs of each group, as A(t; θ) needs them.
std::vector<MagnusGrid> plan_grids(const Likelihood& likelihood, const VaryingStructure& structure,
                                   const Vector& theta, const MagnusOptions& options);

/// The misfit ℓ(θ) of a generator that varies in time (likelihood.h, by the absolute clock), on fixed
/// steps, so that it is smooth. What it is made from must outlive it; weights may change meanwhile.
class VaryingLikelihood {
 public:
  VaryingLikelihood(const Likelihood& likelihood, const VaryingStructure& structure,
                    const std::vector<MagnusGrid>& grids);

  Likelihood::Profile profile(const Vector& theta) const;
  /// Along the parameters. O(values p² + steps (n⁴ + p n²)).
  Likelihood::Normal normal(const Vector& theta, const Likelihood::Profile& profile) const;

 private:
  const Likelihood& likelihood_;
  const VaryingStructure& structure_;
  std::vector<std::unique_ptr<const MagnusNodes>> nodes_;
};

}  // namespace lgn
