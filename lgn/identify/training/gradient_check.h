#pragma once

#include <functional>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// How far a gradient is from central differences.
struct GradientCheck {
  double error = 0;  ///< largest |analytic − numeric| over max_i |numeric_i|
  Index index = 0;   ///< where
  double analytic = 0, numeric = 0;
};

/// Compares `gradient` with (f(x + h e_i) − f(x − h e_i))/2h, Richardson-extrapolated to fourth
/// order, for h = step · max(1, |x_i|). The step balances truncation h⁴ against rounding ε/h.
///
///     auto check = check_gradient([&](const Vector& x) { return loss(x); }, x, gradient(x));
///     assert(check.error < 1e-7);
GradientCheck check_gradient(const std::function<double(const Vector&)>& f, const Vector& x,
                             const Vector& gradient, double step = 1e-3);

}  // namespace lgn
