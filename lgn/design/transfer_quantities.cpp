#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lgn/core/error.h"
#include "lgn/design/quantities.h"

namespace lgn {
namespace {

using Kind = Expression::Kind;

/// The x between two ends at which a slope that is positive at the lower one changes its sign.
template <class Slope>
double sign_change(double low, double high, const Slope& slope) {
  for (int k = 0; k < 80 && high - low > 1e-15 * high; ++k) {
    const double middle = low + (high - low) / 2;
    (slope(middle) > 0 ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

/// The slowest and the fastest |λ| but zero. Throws Error where there is none.
std::pair<double, double> rates(const ComplexVector& poles) {
  double slow = std::numeric_limits<double>::infinity(), fast = 0;
  for (const Complex pole : poles)
    if (const double size = std::abs(pole); size > 0) {
      slow = std::min(slow, size);
      fast = std::max(fast, size);
    }
  if (!(fast > 0)) throw Error("the system has no pole but zero: its responses have no peak");
  return {slow, fast};
}

/// d(|H|²/2)/dω.
double slope_at(const TransferFunction& transfer, double omega) {
  const auto point = transfer.on_axis(omega);
  return (std::conj(point.value(0, 0)) * Complex(0, 1) * point.slope(0, 0)).real();
}

constexpr Index grid_points = 200;

}  // namespace

std::vector<Smooth> Quantities::of_transfer(const Expression& expression) const {
  const Index output = named_.output(expression.output);
  const Vector b = named_.source(expression.input, p_);
  const TransferFunction transfer(
      {a_, b, named_.observation().row(output),
       Matrix::Constant(1, 1, named_.feedthrough(output, expression.input))});
  const auto at = [&](double omega) {
    const auto point = transfer.on_axis(omega);
    const Complex value = point.value(0, 0);
    const double size = std::abs(value);
    const ComplexVector left = point.left.row(0), right = point.right.col(0);
    const Complex weight = size > 0 ? std::conj(value) / size : 0;
    Smooth one{size, (weight * along(left, right)).real(), 0, {0, omega}};
    one.gradient += pulled_back_source((weight * left).real(), b);
    return one;
  };
  const double hertz = 2 * std::numbers::pi * unit_;
  if (expression.kind == Kind::gain) return {at(expression.low * hertz)};
  if (expression.kind == Kind::band) return {bandwidth(transfer, at)};
  return peaks(expression, transfer, at);
}

std::vector<Smooth> Quantities::peaks(const Expression& expression,
                                      const TransferFunction& transfer,
                                      const std::function<Smooth(double)>& at) const {
  const auto [slow, fast] = rates(system_.values);
  const double hertz = 2 * std::numbers::pi * unit_;
  const bool band = expression.in_band();
  const double low = band ? std::max(expression.low * hertz, 1e-9 * slow) : 0.01 * slow;
  const double high = band ? expression.high * hertz : 10 * fast;
  const Vector grid = frequency_grid(system_.values, low, high, grid_points);
  const auto slope = [&](double omega) { return slope_at(transfer, omega); };
  std::vector<Smooth> list;
  double before = slope(grid[0]);
  if (before <= 0) list.push_back(at(band ? low : 0));
  for (Index k = 1; k < grid.size(); ++k) {
    const double here = slope(grid[k]);
    if (before > 0 && here <= 0) list.push_back(at(sign_change(grid[k - 1], grid[k], slope)));
    before = here;
  }
  if (before > 0) list.push_back(at(high));
  double highest = 0;
  for (const Smooth& one : list) highest = std::max(highest, one.value);
  // Lower ones can become the highest within a step; those far below cannot.
  std::erase_if(list, [&](const Smooth& one) { return one.value < 0.1 * highest; });
  return list;
}

Smooth Quantities::bandwidth(const TransferFunction& transfer,
                             const std::function<Smooth(double)>& at) const {
  const auto [slow, fast] = rates(system_.values);
  const Smooth gain = at(0);
  const double limit = gain.value / std::numbers::sqrt2;
  const auto excess = [&](double omega) {
    return std::abs(transfer.value({0, omega})(0, 0)) - limit;
  };
  Smooth one = constant(std::numeric_limits<double>::quiet_NaN());
  if (!(std::isfinite(limit) && limit > 0)) return one;
  const Vector grid = frequency_grid(system_.values, 1e-3 * slow, 1e3 * fast, grid_points);
  double before = 0;
  for (const double omega : grid) {
    if (excess(omega) <= 0) {
      const double edge = sign_change(before, omega, excess);
      const Smooth there = at(edge);
      const double hertz = 2 * std::numbers::pi * unit_;
      // |H(ω)| = |H(0)|/√2 along the edge.
      one.value = edge / hertz;
      one.gradient = (gain.gradient / std::numbers::sqrt2 - there.gradient) /
                     (slope_at(transfer, edge) / there.value) / hertz;
      one.label = {0, edge};
      return one;
    }
    before = omega;
  }
  return one;
}

}  // namespace lgn
