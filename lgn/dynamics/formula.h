#pragma once

#include <functional>
#include <string>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// A generator written as a formula in time and constants, A(t, p).
///
/// The formula is a generic lambda that fills an n × n matrix of zeros, for any scalar type of p: it is
/// evaluated with doubles for A and with complex numbers for ∂A/∂p, so it must use only analytic
/// operations (+ − × ÷ sqrt exp sin …), no abs or max.
class Formula {
 public:
  template <class F>
  Formula(Index dimension, F f)
      : dimension_(dimension),
        real_([=](double t, const Vector& p, Matrix& a) { f(t, p, a); }),
        complex_([=](double t, const ComplexVector& p, ComplexMatrix& a) { f(t, p, a); }) {}

  Index dimension() const { return dimension_; }
  Matrix value(double t, const Vector& p) const;
  /// ∂A/∂p_k by a complex step, exact to rounding (theory, Eq. 14).
  Matrix derivative(double t, const Vector& p, Index k) const;

 private:
  Index dimension_;
  std::function<void(double, const Vector&, Matrix&)> real_;
  std::function<void(double, const ComplexVector&, ComplexMatrix&)> complex_;
};

/// Throws Error unless a law `fits` data of so many channels; `has`: the states that it has, in words.
void require_fit(bool fits, const std::string& law, const std::string& has, Index channels);

}  // namespace lgn
