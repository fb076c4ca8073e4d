#pragma once

#include "lgn/identify/nonlinear/law_fit.h"
#include "lgn/identify/nonlinear/smoothing.h"

namespace lgn {

/// Of the size of an equation or a channel: what regression leaves for its windows' sake, and is no noise.
inline constexpr double regression_floor = 1e-3;

/// Terms and values of a law by regression in the weak form alone, and its misfit. Throws NotIdentified where there are
/// fewer windows than functions.
LawFit regress_law(const Dataset& data, const SmoothedData& smoothed, const NonlinearRecipe& recipe,
                   const InputTiming& timing);

/// Maximum likelihood from there, over windows that grow. Throws NotIdentified where no trajectory is finite.
LawFit search_terms(const Dataset& data, const SmoothedData& smoothed, LawFit start,
                    const FitOptions& options);

}  // namespace lgn
