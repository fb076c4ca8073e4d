#pragma once

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// R with RRᵀ = F⁻¹ for positive semidefinite F; information below the rounding of F counts with that
/// rounding, and a row is zero where there is no information at all. O(p³).
Matrix inverse_root(const Matrix& f);

/// F⁻¹ by that root: the covariance of parameters whose information is F. Zero, not infinite, where there is no
/// information at all.
Matrix covariance_of(const Matrix& information);

}  // namespace lgn
