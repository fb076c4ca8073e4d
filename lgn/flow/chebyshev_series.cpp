#include "lgn/flow/chebyshev_series.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace lgn {
namespace {

/// Values f_m of f_(m−1) = (2m/x) f_m + sign f_(m+1), the solution that decays with m, from so far beyond that what was
/// dropped is below rounding; not normalised.
Vector decaying_solution(double x, Index count, double sign) {
  const double far = static_cast<double>(count) + x;
  const Index begin = static_cast<Index>(far + 20 + 8 * std::sqrt(far));
  Vector values = Vector::Zero(begin + 1);
  double above = 0, here = std::numeric_limits<double>::min() * 1e10;
  constexpr double large = 1e200;
  for (Index m = begin; m >= 0; --m) {
    values[m] = here;
    const double below = 2 * static_cast<double>(m) / x * here + sign * above;
    above = here;
    here = below;
    if (std::abs(here) > large) {
      values.tail(values.size() - m) /= large;
      above /= large;
      here /= large;
    }
  }
  return values;
}

Vector at_zero(Index count) { return Vector::Unit(count, 0); }

/// How much a polynomial of degree one grows per degree on the ellipse with foci ±γ (times i) through the box's corner.
double ellipse(const SpectralBox& box, double focus, int sign) {
  const std::complex<double> corner(box.decay / 2, box.frequency),
      z = corner / (focus * (sign > 0 ? std::complex<double>(0, 1) : 1.0)),
      root = std::sqrt(z * z - 1.0);
  return std::max({std::abs(z + root), std::abs(z - root), 1.0});
}

}  // namespace

Vector bessel_j(double x, Index count) {
  if (!(x > 1e-150)) return at_zero(count);
  Vector values = decaying_solution(x, count, -1);
  double sum = values[0];
  for (Index m = 2; m < values.size(); m += 2) sum += 2 * values[m];
  return values.head(count) / sum;
}

Vector scaled_bessel_i(double x, Index count) {
  if (!(x > 1e-150)) return at_zero(count);
  const Vector values = decaying_solution(x, count, 1);
  return values.head(count) / (2 * values.sum() - values[0]);
}

ChebyshevSeries::ChebyshevSeries(const SpectralBox& box, double length, double tolerance)
    : shift(-box.decay / 2) {
  // What terms may add up to before they cancel: their rounding stays below the tolerance, or a hundred rounding units.
  const double largest_term =
      std::max(100.0, 0.1 * tolerance / std::numeric_limits<double>::epsilon());
  const double least_focus = std::max(1e-3 * (box.decay + box.frequency), 1e-3 / length);
  degree = -1;
  for (const int candidate : {1, -1})
    for (int k = 0; k < 8; ++k) {
      const double whole = candidate > 0 ? box.frequency : box.decay / 2;
      const double foci = std::max((1 - 0.1 * k) * whole, least_focus);
      const double growth = ellipse(box, foci, candidate);
      const Index count = static_cast<Index>(4 * foci * length) + 120;
      Index needed = 0;
      bool sound = true;
      for (const double t : {length / 4, length / 2, length}) {
        const Vector bessel =
            candidate > 0 ? bessel_j(foci * t, count) : scaled_bessel_i(foci * t, count);
        const double scale = 2 * std::exp(shift * t + (candidate > 0 ? 0.0 : foci * t));
        double tail = 0, power = (static_cast<double>(count) - 1) * std::log(growth);
        Index m = count - 1;
        for (; m >= 0; --m, power -= std::log(growth)) {
          // Far out Bessel functions are zero before their ellipse is finite.
          const double term =
              bessel[m] == 0 ? 0.0 : scale * std::exp(std::log(std::abs(bessel[m])) + power);
          tail += term;
          if (!(tail < tolerance)) break;
        }
        sound = sound && m < count - 2;
        for (Index j = 0; j <= m; ++j)
          sound = sound && scale * std::abs(bessel[j]) *
                                   std::exp(static_cast<double>(j) * std::log(growth)) <=
                               largest_term;
        needed = std::max(needed, m + 1);
      }
      needed = std::max<Index>(needed, 1);
      if (sound && (degree < 0 || needed < degree)) {
        degree = needed;
        focus = foci;
        sign = candidate;
      }
    }
  degree = std::max<Index>(degree, 0);
}

Matrix ChebyshevSeries::coefficients(const Vector& times) const {
  Matrix c(times.size(), degree + 1);
  for (Index j = 0; j < times.size(); ++j) {
    const double x = focus * times[j];
    const double scale = 2 * std::exp(shift * times[j] + (sign > 0 ? 0.0 : x));
    c.row(j) =
        scale * (sign > 0 ? bessel_j(x, degree + 1) : scaled_bessel_i(x, degree + 1)).transpose();
    c(j, 0) /= 2;
  }
  return c;
}

}  // namespace lgn
