#pragma once

#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/flow/exponential.h"

namespace lgn {

/// The flow of ẋ = A x at K evenly spaced times, many samples to a product.
///
/// The known samples are doubled, x_(k+m) = Φ^m x_k for all k < m, until a block of B is known;
/// block follows block by Φ^B from there. Derivatives and adjoints take the same products, with the
/// derivative of a square for each doubling. B is chosen so that squaring Φ, O(n³) each time, costs
/// no more than it saves: all samples where n is small.
///
/// Samples of several runs stand side by side, all runs at t_0 first: n × K m, column k m + r.
class UniformFlow {
 public:
  UniformFlow(const Matrix& a, double step, Index samples);

  /// Φ^k for all k, below one another: K n × n.
  Matrix maps() const;
  /// The states that follow the starts (columns).
  Matrix states(const Matrix& starts) const;
  /// The derivative of these states along E.
  Matrix derivative(const Matrix& e, const Matrix& states) const;
  /// The derivatives along E_1 … E_p (below one another, p n × n) at once, transposed: p m × K n,
  /// row r p + q and column i K + k for state i of run r at t_k.
  ///
  /// Where directions have few entries E = Σ v e_i e_jᵀ, as those of a network do, their part of a
  /// step is
  ///     L(hA, hE) x = Σ v ∫ exp((h − s)A) e_i x_j(s) ds
  /// over [0, h], by Gauss's rule to rounding: O(1) columns of exp for each entry instead of a
  /// derivative of exp.
  ///
  /// `changes`: derivatives of the starts, transposed, p m × n with row r p + q; empty where these do not depend on
  /// what is changed.
  Matrix derivatives(const Matrix& directions, const Matrix& states,
                     const Matrix& changes = {}) const;

  /// For ∂ℓ/∂states = `pull`: ∂ℓ/∂starts.
  Matrix adjoint_starts(Matrix pull) const;
  /// The same, and ∂ℓ/∂A.
  struct Pulled {
    Matrix generator, starts;
  };
  Pulled adjoint(const Matrix& states, Matrix pull) const;

 private:
  Matrix dense_derivatives(const Matrix& directions, const Matrix& states,
                           const Matrix& changes) const;
  Matrix sparse_derivatives(const Matrix& directions, const Matrix& states, const Matrix& changes,
                            Index points) const;
  /// Samples to, to + 1, … come from those at from, from + 1, … by a power of Φ.
  struct Move {
    Index from, to, count;
    std::size_t power;
  };

  Matrix a_;
  double step_;
  Index samples_;
  Exponential exponential_;
  std::vector<Matrix> powers_;  ///< Φ, Φ², Φ⁴ …
  std::vector<Move> moves_;
};

}  // namespace lgn
