#pragma once

#include <memory>
#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/flow/time_steps.h"

namespace lgn {

class Exponential;
class UniformFlow;
struct TaylorAction;

/// exp(A (t_k − t_0)) at K increasing times, applied to states, with its derivatives.
///
/// States of all samples stand below one another: row k n + i of a column is x_i(t_k). Derivatives
/// along E follow
///     ∂x_(k+1) = Φ ∂x_k + L(δA, δE) x_k,  Φ = exp(δA),  δ = t_(k+1) − t_k,
/// where L is the derivative of exp, and the adjoint takes the same way back. With few distinct
/// steps Φ and L are computed once for each, and where all are equal, many samples go into one
/// product (uniform_flow.h); where nearly every step is another, the Taylor series of exp acts on
/// the states themselves. All are exact to rounding for every A, defective ones included.
class SampledFlow {
 public:
  SampledFlow(const Matrix& a, const TimeSteps& steps);
  /// Where all steps are equal.
  SampledFlow(const Matrix& a, double step, Index samples);
  ~SampledFlow();

  Index samples() const { return samples_; }

  /// The states that follow each start (a column): K n × m. O(K m n²).
  Matrix states(const Matrix& starts) const;
  /// exp(A (t_k − t_0)) for all k: states of the unit vectors.
  Matrix maps() const;

  /// The derivative of the states along E: K n × m. O(K m n²).
  Matrix derivative(const Matrix& e, const Matrix& starts) const;
  /// Derivatives along E_1 … E_p, which stand below one another in `directions` (p n × n), transposed: p m × K n. Row
  /// r p + q and column i K + k hold the derivative of x_i(t_k) of start r along E_q. O(K m p n²).
  Matrix transposed_derivatives(const Matrix& directions, const Matrix& starts) const;

  /// For a scalar ℓ with ∂ℓ/∂states = `pull` (K n × m), at states that `states` has returned: ∂ℓ/∂A
  /// and ∂ℓ/∂starts. O(K m n²).
  struct Pulled {
    Matrix generator, starts;
  };
  Pulled adjoint(const Matrix& states, const Matrix& pull) const;
  /// ∂ℓ/∂starts alone: Σ_k exp(A (t_k − t_0))ᵀ pull_k.
  Matrix adjoint_starts(const Matrix& pull) const;

 private:
  struct Walker;
  void walk(Walker& walker) const;
  /// Products with A, or with its exponential, that a step of this length takes.
  double products(std::size_t step) const;
  Pulled adjoint_by_maps(const Matrix& states, const Matrix& pull) const;
  Pulled adjoint_by_series(const Matrix& states, const Matrix& pull) const;

  Matrix a_;
  Index samples_;
  TimeSteps steps_;                             ///< empty where all are equal
  std::unique_ptr<const UniformFlow> uniform_;  ///< where all steps are equal; else
  std::vector<Exponential> exponentials_;       ///< of each distinct step, or
  std::vector<TaylorAction> series_;
};

}  // namespace lgn
