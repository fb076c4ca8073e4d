#pragma once

#include <limits>

namespace lgn {

inline constexpr double kGap = std::numeric_limits<double>::quiet_NaN();  ///< a missing sample

}  // namespace lgn
