#pragma once

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// What sensors see of the states: y = C x. The identity where every state is measured.
///
/// States and outputs of all samples stand below one another: row k n + i of a column is x_i(t_k).
class Observation {
 public:
  /// Every one of n states, each in a channel.
  static Observation of_states(Index n) { return Observation(n, {}); }
  /// y = C x.
  explicit Observation(Matrix c) : Observation(c.cols(), c) {}

  bool identity() const { return c_.size() == 0; }
  Index states() const { return n_; }
  Index outputs() const { return identity() ? n_ : c_.rows(); }
  /// C.
  Matrix matrix() const { return identity() ? Matrix::Identity(n_, n_) : c_; }

  /// K n × m → K l × m.
  Matrix observe(Matrix states) const { return mapped(std::move(states), c_); }
  /// The transpose: ∂ℓ/∂outputs → ∂ℓ/∂states.
  Matrix pull(Matrix outputs) const { return mapped(std::move(outputs), c_.transpose()); }
  /// Of a flow's jacobian, whose columns are i K + k for state i: columns c K + k for output c.
  Matrix observe_jacobian(Matrix jacobian) const;

 private:
  Observation(Index n, Matrix c) : n_(n), c_(std::move(c)) {}
  Matrix mapped(Matrix from, const Matrix& map) const;

  Index n_;
  Matrix c_;  ///< empty for the identity
};

}  // namespace lgn
