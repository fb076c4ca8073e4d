#pragma once

#include <vector>

#include "lgn/identify/selection.h"

namespace lgn {

/// The fit of ẋ = A x + B u, y = C x + D u + ȳ to data with inputs, about whose means the data stand.
///
/// What is left to the data is chosen in this order: how inputs go on between samples and how late they act, by likelihood, at
/// the number of states that singular values suggest; the number of states (order.h); then feedthrough, and once more how
/// inputs go on, by the Bayesian information criterion. Structures with a state for each channel begin at the modal fit of as many states, in the
/// coordinates of the channels; those that vary in time at the constant one; networks have ports (port_fit.h). Where it must be passive, that follows on the
/// free fit (passive_fit.h). Hidden states are compared by few steps of their searches, and the fit that is chosen is followed to its end. Throws NotIdentified for an experiment that can show nothing (experiment_checks.h), Error
/// for structures and methods that cannot have inputs.
Selection fit_driven(const Dataset& data, const FitOptions& options);

/// Holds and feedthroughs other than those of `tried`, as far as the options leave them to the data.
std::vector<FitOptions> open_timings(const FitOptions& options, const FitOptions& tried);

}  // namespace lgn
