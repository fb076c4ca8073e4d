#pragma once

#include <optional>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// K and S of the innovations form x_(k+1) = Φ x_k + K e_k, y_k = C x_k + e_k, E e eᵀ = S, whose output has the covariances
///     E y_(k+j) y_kᵀ = C Φ^(j−1) Ḡ for j > 0,   E y_k y_kᵀ = R.
///
/// P of P = Φ P Φᵀ + K S Kᵀ, S = R − C P Cᵀ, K S = Ḡ − Φ P Cᵀ (theory, Eq. 72), by its iteration from P = 0, in which S falls
/// monotonically; Φ − K C is then stable (Faurre, in System Identification: Advances and Case Studies, 1976). O(n³) a step, tens of
/// steps unless Φ − K C comes near the unit circle.
///
/// Nothing where S does not stay positive definite (these are then covariances of no process), or the steps do not settle.
struct SpectralFactor {
  Matrix k, s;
};
std::optional<SpectralFactor> spectral_factor(const Matrix& phi, const Matrix& c, const Matrix& g,
                                              const Matrix& r);

}  // namespace lgn
