#pragma once

#include <vector>

namespace lgn {

/// The middle value, the upper one of two; NaN where there is none. O(values).
double median(std::vector<double> values);

}  // namespace lgn
