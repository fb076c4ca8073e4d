#pragma once

#include <algorithm>
#include <cmath>

namespace lgn::studies {

/// log(1 + exp(u)) > 0, without overflow.
inline double softplus(double u) { return std::max(u, 0.0) + std::log1p(std::exp(-std::abs(u))); }

/// Its derivative, 1/(1 + exp(−u)).
inline double softplus_slope(double u) { return 1 / (1 + std::exp(-u)); }

/// The least value that softplus_inverse tells from zero.
inline constexpr double least_softplus = 1e-12;

/// u with softplus(u) = max(d, least_softplus).
inline double softplus_inverse(double d) {
  const double positive = std::max(d, least_softplus);
  return positive + std::log(-std::expm1(-positive));
}

}  // namespace lgn::studies
