#pragma once

#include <cmath>
#include <functional>

#include "lgn/core/linear_algebra.h"

namespace lgn::testing {

/// ẋ = A(t) x by the classical Runge–Kutta method in extended precision: slow, and independent of
/// everything it is the oracle for. Column k is x(t_k).
///
/// Steps are at most `step` long. The error is about T ‖A‖ (step ‖A‖)⁴/120: below 1e-14 for T = 10,
/// ‖A‖ ≈ 1 and the step given here.
inline Matrix reference_flow(const std::function<Matrix(double)>& a, const Vector& x0,
                             const Vector& times, double step = 2.5e-4) {
  using Extended = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const auto rate = [](const Matrix& generator, const Extended& x) -> Extended {
    return generator.cast<long double>() * x;
  };
  Matrix result(x0.size(), times.size());
  result.col(0) = x0;
  Extended x = x0.cast<long double>();
  for (Index k = 0; k + 1 < times.size(); ++k) {
    const double begin = times[k], length = times[k + 1] - begin;
    const int count = static_cast<int>(std::ceil(length / step));
    const long double h = static_cast<long double>(length) / count;
    Matrix here = a(begin);
    for (int s = 0; s < count; ++s) {
      const double middle = begin + length * ((s + 0.5) / count);
      const Matrix half = a(middle), next = a(begin + length * ((s + 1.0) / count));
      const Extended k1 = rate(here, x), k2 = rate(half, x + h / 2 * k1),
                     k3 = rate(half, x + h / 2 * k2), k4 = rate(next, x + h * k3);
      x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      here = next;
    }
    result.col(k + 1) = x.cast<double>();
  }
  return result;
}

/// The oscillator of the paper's A.1: ω₀² = 1, γ(t) = 0.3 (1 + 0.5 sin t).
inline Matrix paper_oscillator(double t) {
  return Matrix{{0, 1}, {-1, -0.3 * (1 + 0.5 * std::sin(t))}};
}

}  // namespace lgn::testing
