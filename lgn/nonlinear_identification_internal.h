#pragma once

#include "lgn/identify/fit_options.h"
#include "lgn/identify/residuals.h"
#include "lgn/model/model.h"

namespace lgn {

/// The model of a nonlinear law: the structure that the options name, or the one that the data support (law_fit.h).
/// A is the law linearised at rest. Inputs act as forces, held or linear between samples, as is likelier. Throws Error for options that
/// belong to linear structures alone,
/// NotIdentified where the data contradict every structure.
Model identify_nonlinear(const Dataset& data, const FitOptions& options);

/// Channels beyond which `auto` looks for no law.
inline constexpr Index most_channels_of_a_law = 6;

/// A linear model that `auto` has found: what it leaves, its unknowns, and the work that it took.
struct LinearAlternative {
  const FitResiduals& residuals;
  Index unknowns;
  double work;
};
/// The same beside a linear model, where frequencies depend on amplitude: the law, if the Bayesian information criterion
/// prefers it; nothing if not, or if it takes more than ten times the work.
std::optional<Model> nonlinear_alternative(const Dataset& data, const FitOptions& options,
                                           const LinearAlternative& linear);

}  // namespace lgn
