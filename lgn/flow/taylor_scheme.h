#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace lgn {

/// A way to evaluate the Taylor polynomial T_m of exp with few matrix products (theory, Eq. 16).
///
/// Registers R₀ = I, R₁ = A and one more for each product, R_k = (Σ left_i R_i)(Σ right_i R_i);
/// then T_m(A) = Σ result_i R_i. Degree m = 18 takes 5 products where Horner's rule takes 17.
struct TaylorScheme {
  static constexpr std::size_t registers = 7;
  using Combination = std::array<double, registers>;
  struct Product {
    Combination left, right;
  };

  int degree;
  /// Largest ‖A‖ at which T_m is the exponential of A + ΔA with ‖ΔA‖ ≤ 2⁻⁵³ ‖A‖, and its derivative
  /// that of the same ΔA: with log(e^(−x) T_m(x)) = Σ c_k x^k, the root of Σ k |c_k| x^(k−1) =
  /// 2⁻⁵³ (theory, Eq. 17).
  double radius;
  std::span<const Product> products;
  Combination result;
};

/// The schemes in use, cheapest first: degrees 4, 8, 12, 18 with 2, 3, 4, 5 products.
///
/// From P. Bader, S. Blanes, F. Casas, "Computing the matrix exponential with an optimized Taylor
/// polynomial approximation", Mathematics 7:1174, 2019.
std::span<const TaylorScheme> taylor_schemes();

}  // namespace lgn
