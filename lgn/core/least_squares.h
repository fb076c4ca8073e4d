#pragma once

#include <functional>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// Residuals r(x) and, when `jacobian` is not null, J = ∂r/∂x.
using Residuals = std::function<void(const Vector& x, Vector& residual, Matrix* jacobian)>;

/// When to stop, and how far a step may go.
struct LeastSquaresOptions {
  int max_iterations = 200;
  /// Stop when a step changes no unknown by more than this, relative to max(1, |x|).
  double step_tolerance = 1e-15;
  /// Stop when a step lowers the cost by less than this fraction.
  double cost_tolerance = 1e-13;
  /// A step is shortened so that no unknown changes by more than this; empty: no limit.
  Vector largest_step = {};
};

/// Where it ended.
struct LeastSquaresResult {
  Vector x;
  double cost = 0;  ///< ‖r(x)‖²
  int iterations = 0;
  bool converged = false;
};

/// min ‖r(x)‖² subject to x ≥ lower, by Levenberg–Marquardt steps in the unknowns that are free,
/// clipped to the bounds. Dense: O(m p²) per iteration. For small problems; x₀ is clipped to the
/// bounds first.
LeastSquaresResult least_squares(const Residuals& residuals, const Vector& x0, const Vector& lower,
                                 const LeastSquaresOptions& options = {});

}  // namespace lgn
