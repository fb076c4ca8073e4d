#pragma once

#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/flow/taylor_scheme.h"

namespace lgn {

/// exp(A) together with what its derivative needs, so that both come out of one sweep.
///
/// The exponential is scaling and squaring with a Taylor polynomial (theory, Eq. 15),
///     exp(A) ≈ T_m(A/2^s)^(2^s),  m ∈ {4, 8, 12, 18},
/// evaluated with few products (taylor_scheme.h). Above the largest radius s is chosen from
/// ‖A^k‖^(1/k), not from ‖A‖, so that a non-normal A is not scaled too often, plus what rounding
/// asks for (Al-Mohy & Higham, SIAM J. Matrix Anal. Appl. 31:970, 2009). The derivative
///     L(A, E) = lim (exp(A + tE) − exp(A))/t
/// differentiates the same steps (Al-Mohy & Higham, SIAM J. Matrix Anal. Appl. 30:1639, 2009):
/// every product becomes two, and no 2n × 2n matrix is formed.
///
/// Cost: 2 to 5 products and s squarings for exp, twice as many again for each derivative or
/// adjoint. Memory: up to 10 + s matrices. Error: close to what the conditioning of exp at A
/// allows, ε max(1, κ). Throws Error when A is not square or not finite. Where exp(A) exceeds the
/// range of doubles, value() is not finite.
class Exponential {
 public:
  explicit Exponential(const Matrix& a);

  /// exp(A).
  const Matrix& value() const { return squares_.back(); }

  /// L(A, E), the derivative of exp at A in the direction E (theory, Eq. 18).
  Matrix derivative(const Matrix& e) const;

  /// L(Aᵀ, G): for a scalar ℓ with G = ∂ℓ/∂exp(A) this is ∂ℓ/∂A (theory, Eq. 19). Equal to
  /// L(A, Gᵀ)ᵀ.
  Matrix adjoint(const Matrix& g) const;

  int taylor_degree() const { return scheme_->degree; }
  int squarings() const { return scaling_; }

 private:
  friend Matrix exponential(const Matrix& a);
  struct WithoutSquaring {};
  Exponential(const Matrix& a, WithoutSquaring);

  void choose_scaling();
  void multiply(std::size_t product);
  const Matrix& factor(const TaylorScheme::Combination& c, Matrix& storage);

  const TaylorScheme* scheme_ = nullptr;
  int scaling_ = 0;
  std::vector<Matrix>
      register_;  ///< register_[1] = A/2^s, then the scheme's products; [0] is empty
  std::vector<Matrix> left_,
      right_;                    ///< factors of each product; empty where the factor is a register
  std::vector<Matrix> squares_;  ///< T_m(A/2^s) and its successive squares
};

/// exp(A) alone: the same numbers as Exponential(a).value(), with less memory.
Matrix exponential(const Matrix& a);

}  // namespace lgn
