#pragma once

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// Coefficients Σ_k x_k exp(−2πi j k/n) of a real series of n samples, j = 0 … n/2; the others are their conjugates.
/// O(n log n) where n is smooth, O(n p) where its largest prime factor p is large.
ComplexVector fourier(const Vector& samples);

/// The real series of so many samples that has these coefficients, j = 0 … samples/2: fourier's inverse.
Vector inverse_fourier(const ComplexVector& coefficients, Index samples);

/// The largest even number up to n, and the smallest from n on, without a prime factor above 5; n ≥ 2.
Index smooth_below(Index n);
Index smooth_above(Index n);

}  // namespace lgn
