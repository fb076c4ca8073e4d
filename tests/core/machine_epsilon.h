#pragma once

#include <limits>

namespace lgn::testing {

/// ε = 2⁻⁵², the unit in which tolerances are derived.
inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace lgn::testing
