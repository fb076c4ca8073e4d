#pragma once

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// min ‖F x − b‖ subject to x ≥ 0, by the active-set method of Lawson and Hanson (Solving Least
/// Squares Problems, 1974) on the triangular factor of F. F must have at least as many rows as
/// columns.
///
/// At the solution the gradient Fᵀ(Fx − b) vanishes where x > 0 and is not negative where x = 0;
/// zeros are exact. O(m p²) once, then O(p³) for each change of the set of positive unknowns.
Vector nonnegative_least_squares(const Matrix& f, const Vector& b);

}  // namespace lgn
