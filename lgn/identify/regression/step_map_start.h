#pragma once

#include <optional>
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

/// The modes that samples show in such maps: poles log(μ)/h, conjugates together, and what channels see of them, one column each.
/// Of n channels the r ≤ n directions that stand out of the noise count: the singular values of [X_k; X_(k+1)] after the n-th are
/// noise and tell its size σ, and those of K columns that are not above σ(√K + √n) are noise, too. The poles are those of U₁⁺U₂ for
/// the r leading vectors U. Where there is noise, and all runs are complete on one grid, up to six lags stand below one another instead of two (shift
/// invariance; Kung's and ESPRIT's), which takes much of it out. Nothing where there are no such pairs. O(K n² + (6 n)³).
struct StepMapModes {
  ComplexVector poles;
  ComplexMatrix shapes;
};
std::optional<StepMapModes> step_map_modes(const Dataset& data);

}  // namespace lgn
