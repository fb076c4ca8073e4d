#pragma once

#include <vector>

#include "lgn/data/dataset.h"

namespace lgn {

/// Generators A = log(Φ)/h by way of the step map, x(t + h) = Φ x(t): starts for data whose steps
/// are too long for derivatives.
///
/// Φ is the total least squares solution of Φ X_k ≈ X_(k+1), channels relative to their amplitudes:
/// noise is in both sides, and ordinary least squares would shrink Φ. The n leading left singular
/// vectors [U₁; U₂] of [X_k; X_(k+1)] give Φ = U₂ U₁⁻¹ (theory, Eq. 35). Exact data give A to
/// rounding.
///
/// Samples fix Im λ only modulo 2π/h (theory, Eq. 36). The first entry is the principal logarithm,
/// |Im λ| ≤ π/h; then one conjugate pair, or two, turn the other way, |Im λ| → 2π/h − |Im λ|,
/// fastest first, at most 40 entries in all. Two negative eigenvalues of Φ, which noise makes of a
/// pair near Nyquist's frequency, are taken as a pair again, one left alone as a decay without
/// sign.
///
/// Only pairs of complete samples one step apart count, the step being that of most neighbours, to
/// 1%. Empty where there is none (uneven times), where fewer than n pairs are left or these do not
/// show every direction, and where Φ is singular. O(K n² + n³).
std::vector<Matrix> step_map_generators(const Dataset& data);

}  // namespace lgn
