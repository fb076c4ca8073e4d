#pragma once

#include "lgn/identify/fit_options.h"
#include "lgn/model/model.h"

namespace lgn {

/// The model of a nonlinear law: the structure that the options name, or the one that the data support (law_fit.h).
/// A is the law linearised at rest. Throws Error for data with inputs and options that belong to linear structures alone,
/// NotIdentified where the data contradict every structure.
Model identify_nonlinear(const Dataset& data, const FitOptions& options);

/// The same where `auto` has found a linear model that leaves more than noise, and frequencies that depend on amplitude: the
/// law, if it explains much more; nothing if not, or if that takes more than ten times the work of the linear one (`work`).
std::optional<Model> nonlinear_alternative(const Dataset& data, const FitOptions& options,
                                           const Model& linear, double work);

}  // namespace lgn
