#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lgn/core/decompositions.h"
#include "lgn/design/quantities.h"
#include "lgn/flow/exponential.h"

namespace lgn {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// Where f is zero between two ends at which its signs differ, by Newton's steps kept inside; f gives its value and its slope.
template <class F>
double zero_between(double low, double high, const F& f) {
  const bool rises = f(high).first > 0;
  double x = low + (high - low) / 2;
  for (int k = 0; k < 60 && high - low > 1e-14 * high; ++k) {
    const auto [value, slope] = f(x);
    ((value > 0) == rises ? high : low) = x;
    const double next = x - value / slope;
    const bool inside = next > low && next < high;
    if (inside && std::abs(next - x) < 1e-13 * high) return next;
    x = inside ? next : low + (high - low) / 2;
  }
  return x;
}

}  // namespace

/// y(t) after a step of one input, from rest, on a grid of times until it has settled.
struct Quantities::Response {
  const Quantities& at;
  Vector b, c;
  double feedthrough = 0, delay = 0;
  double end = nothing;  ///< y(∞)
  Vector end_gradient = {};
  double step = 0;
  std::vector<double> values = {}, slopes = {};  ///< y and ẏ
  Matrix rates = {};                             ///< ẋ at each time, in columns

  Response(const Quantities& quantities, const Expression& expression) : at(quantities) {
    const Index output = at.named_.output(expression.output), n = at.a_.rows();
    b = at.named_.source(expression.input, at.p_);
    c = at.named_.observation().row(output);
    feedthrough = at.named_.feedthrough(output, expression.input);
    delay = at.named_.delay(expression.input);
    double slowest = std::numeric_limits<double>::infinity(), fastest = 0;
    for (const Complex pole : at.system_.values) {
      slowest = std::min(slowest, -pole.real());
      fastest = std::max(fastest, std::abs(pole.imag()));
    }
    if (!(slowest > 0)) return;
    const TransferFunction transfer({at.a_, b, c.transpose(), Matrix::Constant(1, 1, feedthrough)});
    const auto rest = transfer.at(0);
    end = rest.value(0, 0).real();
    if (!(std::abs(end) > 0)) end = nothing;
    const ComplexVector left = rest.left.row(0), right = rest.right.col(0);
    end_gradient = at.along(left, right).real() + at.pulled_back_source(left.real(), b);
    // Until a ten thousandth of the slowest mode is left, twenty points in the fastest period; no more than can be looked through.
    const double duration = std::log(1e4) / slowest;
    constexpr double fewest = 400, most = 4000;
    const auto points = static_cast<Index>(
        std::clamp(20 * duration * fastest / (2 * std::numbers::pi), fewest, most));
    step = duration / static_cast<double>(points);
    const Matrix map = exponential(step * at.a_);
    rates.resize(n, points + 1);
    rates.col(0) = b;
    for (Index k = 1; k <= points; ++k) rates.col(k).noalias() = map * rates.col(k - 1);
    // y − y(∞) = C A⁻¹ ẋ, since A x(∞) + b = 0.
    const Vector from_rate =
        solve_well_conditioned(at.a_.transpose(), c, 0).value_or(Matrix::Constant(n, 1, nothing));
    for (Index k = 0; k <= points; ++k) {
      values.push_back(end + from_rate.dot(rates.col(k)));
      slopes.push_back(c.dot(rates.col(k)));
    }
  }

  double time(std::size_t k) const { return step * static_cast<double>(k); }
  /// ẋ at a time behind that of the grid.
  Vector rate(std::size_t k, double later) const {
    return exponential(later * at.a_) * rates.col(static_cast<Index>(k));
  }
  /// The times of the extremes after `since` that are farthest from the end, a few dozen at most: of a slow decay the first ones. Those nearer to
  /// the end than `least` are left out.
  std::vector<double> extremes(double since, double least) const {
    constexpr std::size_t most = 24;
    std::vector<std::pair<double, std::size_t>> found;
    for (std::size_t k = 0; k + 1 < slopes.size(); ++k) {
      const double far = std::max(std::abs(values[k] - end), std::abs(values[k + 1] - end));
      if (time(k + 1) >= since && slopes[k] * slopes[k + 1] < 0 && far >= 0.9 * least)
        found.emplace_back(-far, k);
    }
    std::sort(found.begin(), found.end());
    found.resize(std::min(found.size(), most));
    std::vector<double> times;
    for (const auto& [far, k] : found) {
      const std::size_t at_step = k;
      const double t = time(k) + zero_between(0.0, step, [&](double later) {
                         const Vector x = rate(at_step, later);
                         return std::pair(c.dot(x), c.dot(at.a_ * x));
                       });
      if (t >= since) times.push_back(t);
    }
    return times;
  }
  /// y(t)/y(∞) − 1 and its derivatives, by the adjoint of the flow of (x, 1).
  Smooth relative(double t) const {
    const Index n = at.a_.rows();
    Matrix both = Matrix::Zero(n + 1, n + 1);
    both.topLeftCorner(n, n) = t * at.a_;
    both.topRightCorner(n, 1) = t * b;
    const Exponential flow(both);
    const double y = c.dot(flow.value().topRightCorner(n, 1).col(0)) + feedthrough;
    Matrix sensitivity = Matrix::Zero(n + 1, n + 1);
    sensitivity.topRightCorner(n, 1) = c;
    const Matrix pulled = t * flow.adjoint(sensitivity);
    const Vector gradient = at.pulled_back(pulled.topLeftCorner(n, n)) +
                            at.pulled_back_source(pulled.topRightCorner(n, 1).col(0), b);
    return {y / end - 1, gradient / end - y / (end * end) * end_gradient, 0, {0, t}};
  }
};

std::vector<Smooth> Quantities::deviations(const Expression& settling, double since) const {
  const Response response(*this, settling);
  if (!std::isfinite(response.end)) return {constant(nothing)};
  const double begin = std::max(0.0, since - response.delay);
  std::vector<double> times =
      response.extremes(begin, 0.1 * settling.number * std::abs(response.end));
  times.push_back(begin);
  std::vector<Smooth> list;
  for (const double t : times) {
    Smooth one = response.relative(t);
    if (one.value < 0) {
      one.value = -one.value;
      one.gradient = -one.gradient;
    }
    list.push_back(std::move(one));
  }
  return list;
}

std::vector<Smooth> Quantities::of_step(const Expression& expression) const {
  const Response response(*this, expression);
  if (!std::isfinite(response.end)) return {constant(nothing)};
  const double end = response.end;
  if (expression.kind == Expression::Kind::overshoot) {
    double most = 0;
    for (const double y : response.values) most = std::max(most, y / end - 1);
    // Later extremes within a tenth of the highest can become it; nothing overshoots less than not at all.
    std::vector<Smooth> list;
    for (const double t : response.extremes(0, 0.1 * most * std::abs(end)))
      if (Smooth one = response.relative(t); one.value > 0) list.push_back(std::move(one));
    list.push_back(constant(0));
    return list;
  }
  const double band = expression.number * std::abs(end);
  std::size_t last = response.values.size();
  while (last > 0 && std::abs(response.values[last - 1] - end) <= band) --last;
  if (last == 0) return {constant(response.delay)};
  if (last == response.values.size()) return {constant(nothing)};
  const double sign = response.values[last - 1] > end ? 1 : -1;
  // Between the last time outside of the band and the first inside of it for good.
  const Vector from = response.rates.col(static_cast<Index>(last - 1));
  const double y0 = response.values[last - 1];
  const double later = zero_between(0.0, response.step, [&](double s) {
    const Index n = a_.rows();
    Matrix both = Matrix::Zero(n + 1, n + 1);
    both.topLeftCorner(n, n) = s * a_;
    both.topRightCorner(n, 1) = s * from;
    const Matrix flow = exponential(both);
    // x(s) − x(0) = ∫ exp(A τ) dτ ẋ(0)
    const double y = y0 + response.c.dot(flow.topRightCorner(n, 1).col(0));
    return std::pair(sign * (y - end) - band,
                     sign * response.c.dot(flow.topLeftCorner(n, n) * from));
  });
  const double t = response.time(last - 1) + later;
  const double slope = response.c.dot(response.rate(last - 1, later)) / end;
  Smooth one = response.relative(t);
  one.gradient /= -slope;
  one.value = t + response.delay;
  return {one};
}

std::vector<Smooth> Quantities::of_energy(const Expression& expression) const {
  const Matrix q = named_.energy(p_).value(), starts = named_.initial_states(expression.input);
  const double t = expression.number;
  const Exponential flow(t * a_);
  std::vector<Smooth> list;
  for (Index run = 0; run < starts.cols(); ++run) {
    const Vector x0 = starts.col(run), x = flow.value() * x0, force = q * x;
    const double before = x0.dot(q * x0), after = x.dot(force);
    if (!(before > 0)) continue;
    const Matrix by_a = 2 * t * flow.adjoint(force * x0.transpose());
    Vector gradient = pulled_back(by_a) / before;
    for (std::size_t f = 0; f < free_.size(); ++f)
      for (const auto& [row, col, value] : named_.energy_slope(p_, free_[f]))
        gradient[static_cast<Index>(f)] +=
            p_[free_[f]] * value *
            (x[row] * x[col] / before - after / (before * before) * x0[row] * x0[col]);
    list.push_back({1 - after / before, -gradient, 0, {0, static_cast<double>(run)}});
  }
  return list;
}

}  // namespace lgn
