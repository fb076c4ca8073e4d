#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// A positive factor kept as its logarithm. Beyond ±64 the logarithm counts as ±64: factors from
/// 2e-28 to 6e27 cover every pair of units, and A(θ) stays finite for every θ.
inline constexpr double largest_log_scale = 64.0;

inline double from_log_scale(double log) {
  return std::exp(std::clamp(log, -largest_log_scale, largest_log_scale));
}

/// Derivative of from_log_scale.
inline double log_scale_slope(double log) {
  return std::abs(log) <= largest_log_scale ? std::exp(log) : 0.0;
}

/// τ_i − τ_j ≈ difference with weight², or τ_i ≈ difference where j is `nothing`.
struct LogTie {
  static constexpr Index nothing = -1;
  Index i, j;
  double difference, weight;
};

/// n logarithms by weighted least squares. Of those that ties lead to from one another but not to a
/// value, the first is zero. All are kept within ±largest_log_scale. O(ties n²),
/// O(ties + n³) for many.
Vector solve_ties(Index n, std::vector<LogTie> ties);

}  // namespace lgn
