#include "experiments/varying/runge_kutta.h"

#include <algorithm>
#include <cmath>

namespace lgn::studies {
namespace {

using Extended = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// One step of order four.
Extended step(const std::function<Matrix(double)>& a, double t, double h, const Extended& x) {
  const auto slope = [&](double after, const Extended& at) -> Extended {
    return a(t + after).cast<long double>() * at;
  };
  const long double length = h;
  const Extended k1 = slope(0, x), k2 = slope(h / 2, x + length / 2 * k1),
                 k3 = slope(h / 2, x + length / 2 * k2), k4 = slope(h, x + length * k3);
  return x + length / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

}  // namespace

Matrix runge_kutta(const std::function<Matrix(double)>& a, const Vector& x0, const Vector& times,
                   const Tolerances& tolerances) {
  Matrix result(x0.size(), times.size());
  result.col(0) = x0;
  Extended x = x0.cast<long double>();
  double t = times[0], length = 1e-3;
  for (Index next = 1; next < times.size();) {
    const double left = times[next] - t, h = std::min(length, left);
    const Extended whole = step(a, t, h, x);
    const Extended halves = step(a, t + h / 2, h / 2, step(a, t, h / 2, x));
    // A whole step has 2⁴ times the error of two halves.
    const Extended difference = (halves - whole) / 15;
    const double size = static_cast<double>(x.norm());
    const double error =
        static_cast<double>(difference.norm()) / (tolerances.absolute + tolerances.relative * size);
    const double change = std::clamp(0.9 * std::pow(error, -1.0 / 5), 0.2, 5.0);
    if (error < 1) {
      x = halves + difference;
      const bool arrived = h == left;
      t = arrived ? times[next] : t + h;
      if (arrived) result.col(next++) = x.cast<double>();
      if (arrived && change > 1) continue;  // cut short by a sample: the length stays
    }
    length = h * change;
  }
  return result;
}

}  // namespace lgn::studies
