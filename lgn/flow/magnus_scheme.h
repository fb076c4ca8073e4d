#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace lgn {

/// One step of ẋ = A(t) x over [t, t + h] by exponentials: x(t + h) ≈ exp(Ω_m) … exp(Ω_1) x(t)
/// (theory, Eq. 23).
///
/// Registers hold h A(t + c_i h) for the nodes c_i, then one commutator after another,
///     R_k = [Σ left_i R_i, Σ right_i R_i],
/// and each exponent is a combination of all, Ω_j = Σ_i exponents[j][i] R_i. The local error is
/// O(h^(order + 1)).
///
/// If every A(t) is in a Lie algebra, so is every Ω: for skew A(t) the flow is orthogonal. For
/// A = S − D with D ⪰ 0 only a combination of samples with non-negative weights, without commutator,
/// contracts by construction (order 2); commutators put O(h³) into the symmetric part.
struct MagnusScheme {
  static constexpr std::size_t registers = 6;
  using Combination = std::array<double, registers>;
  struct Commutator {
    Combination left, right;
  };

  std::string_view name;
  int order;
  std::span<const double> nodes;  ///< in [0, 1], ascending
  std::span<const Commutator> commutators;
  std::span<const Combination> exponents;
};

/// The methods, each by its name:
/// 2                  Ω = h A(t + h/2), the paper's M1
/// 4                  two Gauss points and a commutator (theory, Eq. 25; Iserles & Nørsett, Phil.
///                    Trans. R. Soc. A 357:983, 1999)
/// 4-simpson          Simpson's rule on the three samples that the paper's M2 takes, and
///                    −h²/12 [A(t), A(t + h)] (theory, Eq. 26)
/// 6                  three Gauss points and three commutators (theory, Eq. 27; Blanes, Casas
///                    & Ros, BIT 40:434, 2000)
/// 4-commutator-free  two exponentials of mixed Gauss samples (theory, Eq. 28; Blanes & Moan, Appl.
///                    Numer. Math. 56:1519, 2006); contracts for S − D unless D changes by more
///                    than 13.9 times within the step
/// printed            the paper's M2 as printed, h A(t + h/2) + h²/12 [A(t), A(t + h)], of order 2
std::span<const MagnusScheme> magnus_schemes();

/// Throws Error for a name that there is not.
const MagnusScheme& find_magnus_scheme(std::string_view name);

}  // namespace lgn
