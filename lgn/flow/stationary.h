#pragma once

#include "lgn/core/random.h"

namespace lgn {

/// Random vibration: states of ẋ = A x + B w, w white noise of unit intensity, at so many times `step` apart, in the state that such forces have kept
/// up for ever; column k is x(t_k).
///
/// Exact in distribution: x has the covariance P with A P + P Aᵀ = −B Bᵀ at every time, and x(t + h) = exp(A h) x(t) + e, e normal with
/// covariance P − exp(A h) P exp(A h)ᵀ. Throws Error where A is not stable.
Matrix stationary_states(const Matrix& a, const Matrix& b, Index samples, double step,
                         Random& random);

}  // namespace lgn
