#pragma once

#include <limits>
#include <numbers>

#include "lgn/core/linear_algebra.h"

/// Numbers that many sources need, and counts of Eigen as those of the standard library.
namespace lgn {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
/// Not a number: a value that is not known.
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double pi = std::numbers::pi;

/// A place in a standard container.
constexpr std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace lgn
