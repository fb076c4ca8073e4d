#pragma once

#include "lgn/data/dataset.h"

namespace lgn {

/// Throws NotIdentified, with the name of the input and what would help, for inputs that can show nothing: one that is
/// constant, or changes at the last sample of its runs alone, or holds the same values as a channel or as another input.
void check_experiment(const Dataset& data);

/// How many states an input can tell apart, at most `enough`: its order of persistent excitation, the rank of its block
/// Hankel matrix. A sum of k sinusoids has 2k.
Index excitation_order(const Dataset& data, Index enough);

}  // namespace lgn
