#pragma once

#include "lgn/data/dataset.h"

namespace lgn {

/// Throws Error for values, or durations of runs, so small or large that their squares and exponents leave the range of a double.
void check_value_range(const Dataset& data);

}  // namespace lgn
