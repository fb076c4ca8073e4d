#pragma once

#include <functional>
#include <utility>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// x(t_k) = exp(A (t_k − t_0)) x_0 (theory, Eq. 1) for increasing times; column k of the
/// result is x(t_k).
/// One exponential per distinct step length, then one product per sample.
Matrix propagate(const Matrix& a, const Vector& x0, const Vector& times);

/// A model as what it does: x(t_k) in column k, from x(t_0) = x0 at the first of increasing times, under inputs that have a
/// column for each of them (none where the system moves freely).
using Propagator =
    std::function<Matrix(const Vector& x0, const Vector& times, const Matrix& inputs)>;

/// The flow of a constant generator.
inline Propagator constant_flow(Matrix a) {
  return [a = std::move(a)](const Vector& x0, const Vector& times, const Matrix&) {
    return propagate(a, x0, times);
  };
}

}  // namespace lgn
