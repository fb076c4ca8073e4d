#pragma once

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// x(t_k) = exp(A (t_k − t_0)) x_0 for increasing times; column k of the result is x(t_k).
/// One exponential per distinct step length, then one product per sample.
Matrix propagate(const Matrix& a, const Vector& x0, const Vector& times);

}  // namespace lgn
