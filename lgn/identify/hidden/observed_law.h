#pragma once

#include "lgn/identify/selection.h"

namespace lgn {

/// Whether these options name a law that has more states than the data have channels, so that some of them are hidden.
bool hides_states_of_a_law(const FitOptions& options, Index channels);

/// The parameters of a law from some of its states. Channels that have the name of a state show it (v1, i1, v2, … of a ladder); otherwise one
/// that measures a velocity or a current shows the second state of a law of two, and others the first states in order. The
/// start is the modal fit of as many states. Throws Error for channels that the law has no state for.
Selection fit_observed_law(const Dataset& data, const FitOptions& options);

}  // namespace lgn
