#include "lgn/design/quantities.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/error.h"
#include "lgn/physics/assignment.h"
#include "lgn/physics/transfer_function.h"

namespace lgn {
namespace {

using Kind = Expression::Kind;

constexpr double turn = 2 * std::numbers::pi;

/// f(x, y) of two smooth numbers, by its value and its two slopes.
Smooth combined(const Smooth& x, const Smooth& y, double value, double by_x, double by_y) {
  return {value, by_x * x.gradient + by_y * y.gradient, 0, x.label != 0.0 ? x.label : y.label};
}

Smooth combine(Kind kind, const Smooth& x, const Smooth& y) {
  switch (kind) {
    case Kind::add:
      return combined(x, y, x.value + y.value, 1, 1);
    case Kind::subtract:
      return combined(x, y, x.value - y.value, 1, -1);
    case Kind::multiply:
      return combined(x, y, x.value * y.value, y.value, x.value);
    case Kind::divide:
      return combined(x, y, x.value / y.value, 1 / y.value, -x.value / (y.value * y.value));
    default:  // a constant power
      return combined(x, y, std::pow(x.value, y.value),
                      y.value == 0 ? 0 : y.value * std::pow(x.value, y.value - 1), 0);
  }
}

std::vector<Smooth> extreme(std::vector<Smooth> list, bool largest) {
  const auto less = [](const Smooth& a, const Smooth& b) { return a.value < b.value; };
  const auto found = largest ? std::max_element(list.begin(), list.end(), less)
                             : std::min_element(list.begin(), list.end(), less);
  return {*found};
}

/// Where |H|² is stationary between two frequencies at which its slope differs in sign.
template <class Slope>
double stationary(double low, double high, const Slope& slope) {
  for (int k = 0; k < 80 && high - low > 1e-15 * high; ++k) {
    const double middle = low + (high - low) / 2;
    (slope(middle) > 0 ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

/// What is compared, or made small: max(…) ≤ t means each of them, so that it need not be smooth itself.
std::vector<Smooth> spread(const Expression& expression, const Quantities& at, bool from_above) {
  return at.evaluate(expression, expression.kind == (from_above ? Kind::largest : Kind::least));
}

}  // namespace

Quantities::Quantities(const NamedSystem& system, Vector p, std::vector<Index> free, Vector p0)
    : named_(system),
      p_(std::move(p)),
      p0_(std::move(p0)),
      free_(std::move(free)),
      a_(system.generator(p_)),
      system_(eigensystem(a_)),
      unit_(seconds_in(system.original().time_unit).value_or(1.0)) {
  for (const Index k : free_) {
    slopes_.push_back(system.slope(p_, k));
    storage_slopes_.push_back(system.storage_slope(p_, k));
  }
}

Smooth Quantities::constant(double value) const { return {value, Vector::Zero(std::ssize(free_))}; }

Smooth Quantities::named(Index k) const {
  Smooth result = constant(p_[k]);
  for (std::size_t f = 0; f < free_.size(); ++f)
    if (free_[f] == k) result.gradient[static_cast<Index>(f)] = 1;
  return result;
}

/// Re(weight · leftᵀ ∂A/∂p_k right) for all free values.
Vector Quantities::along(const ComplexVector& left, const ComplexVector& right,
                         Complex weight) const {
  Vector result(std::ssize(free_));
  for (std::size_t f = 0; f < free_.size(); ++f) {
    Complex sum = 0;
    for (const auto& [row, col, value] : slopes_[f]) sum += left[row] * value * right[col];
    result[static_cast<Index>(f)] = (weight * sum).real();
  }
  return result;
}

std::vector<Smooth> Quantities::of_modes(const Expression& expression) const {
  const Kind kind = expression.kind;
  const double hertz = 1 / (turn * unit_);
  std::vector<Smooth> list;
  std::vector<double> rates;
  for (Index k = 0; k < system_.values.size(); ++k) {
    const Complex pole = system_.values[k];
    const double size = std::abs(pole);
    const bool oscillates = pole.imag() > 0;
    // One of each pair; frequencies are those of oscillations, and a pole at zero has no damping ratio.
    if (pole.imag() < 0 || ((kind == Kind::frequency || kind == Kind::im) && !oscillates)) continue;
    if (kind == Kind::zeta && !(size > 0)) continue;
    if (expression.in_band() && (size * hertz < expression.low || size * hertz > expression.high))
      continue;
    const ComplexVector left = system_.left.col(k).conjugate(), right = system_.right.col(k);
    const auto moved = [&](Complex weight) { return along(left, right, weight); };
    const Complex direction = std::conj(pole) / size;
    Smooth one{0, {}, 0, pole};
    switch (kind) {
      case Kind::zeta:
        one.value = -pole.real() / size;
        // −d(Re λ/|λ|) = −(Im λ/|λ|³)(Im λ dRe − Re λ dIm); a real pole stays at ±1.
        one.gradient =
            oscillates
                ? moved(-(pole.imag() / (size * size * size)) * Complex(pole.imag(), pole.real()))
                : Vector::Zero(std::ssize(free_));
        break;
      case Kind::frequency:
        one.value = size * hertz;
        one.gradient = moved(direction * hertz);
        break;
      case Kind::tau:
        one.value = -1 / pole.real();
        one.gradient = moved(1 / (pole.real() * pole.real()));
        break;
      case Kind::re:
        one.value = pole.real();
        one.gradient = moved(1);
        break;
      default:
        one.value = pole.imag();
        one.gradient = moved(Complex(0, -1));
    }
    rates.push_back(kind == Kind::tau || kind == Kind::re ? -pole.real() : size);
    list.push_back(std::move(one));
  }
  if (expression.slowest && !list.empty())
    return {list[static_cast<std::size_t>(std::min_element(rates.begin(), rates.end()) -
                                          rates.begin())]};
  return list;
}

std::vector<Smooth> Quantities::of_transfer(const Expression& expression) const {
  const Index output = named_.output(expression.output);
  DrivenSystem pair{a_, named_.source(expression.input, p_), named_.observation().row(output),
                    Matrix::Constant(1, 1, named_.feedthrough(output, expression.input))};
  const Vector b = pair.b.col(0);
  const TransferFunction transfer(std::move(pair));
  const auto smooth = [&](double omega) {
    const auto point = transfer.on_axis(omega);
    const Complex value = point.value(0, 0);
    const double size = std::abs(value);
    const ComplexVector left = point.left.row(0), right = point.right.col(0);
    const Complex weight = size > 0 ? std::conj(value) / size : 0;
    Smooth one{size, along(left, right, weight), 0, {0, omega}};
    for (std::size_t f = 0; f < free_.size(); ++f)
      for (const auto& entry : storage_slopes_[f])
        one.gradient[static_cast<Index>(f)] -=
            (weight * left[entry.row]).real() * b[entry.row] * entry.value;
    return one;
  };
  if (expression.kind == Kind::gain) return {smooth(expression.low * turn * unit_)};
  double slow = 1e300, fast = 0;
  for (const Complex pole : system_.values)
    if (const double size = std::abs(pole); size > 0) {
      slow = std::min(slow, size);
      fast = std::max(fast, size);
    }
  if (!(fast > 0)) throw Error("the system has no pole but zero: its responses have no peak");
  const bool band = expression.in_band();
  const double low = band ? std::max(expression.low * turn * unit_, 1e-9 * slow) : 0.01 * slow;
  const double high = band ? expression.high * turn * unit_ : 10 * fast;
  constexpr Index points = 200;
  const Vector grid = frequency_grid(system_.values, low, high, points);
  const auto slope = [&](double omega) {  // of |H|²/2 over ω
    const auto point = transfer.on_axis(omega);
    return (std::conj(point.value(0, 0)) * Complex(0, 1) * point.slope(0, 0)).real();
  };
  std::vector<Smooth> peaks;
  double before = slope(grid[0]);
  if (before <= 0) peaks.push_back(smooth(band ? low : 0));
  for (Index k = 1; k < grid.size(); ++k) {
    const double here = slope(grid[k]);
    if (before > 0 && here <= 0) peaks.push_back(smooth(stationary(grid[k - 1], grid[k], slope)));
    before = here;
  }
  if (before > 0) peaks.push_back(smooth(high));
  const double highest = extreme(peaks, true).front().value;
  // Lower ones can become the highest within a step; those far below cannot.
  std::erase_if(peaks, [&](const Smooth& one) { return one.value < 0.1 * highest; });
  return peaks;
}

std::vector<Smooth> Quantities::evaluate(const Expression& expression, bool apart) const {
  switch (expression.kind) {
    case Kind::number:
      return {constant(expression.number)};
    case Kind::value:
      return {named(expression.values.front())};
    case Kind::change: {
      Smooth sum = constant(0);
      for (std::size_t f = 0; f < free_.size(); ++f) {
        const double ratio = std::log(p_[free_[f]] / p0_[free_[f]]);
        sum.value += ratio * ratio;
        sum.gradient[static_cast<Index>(f)] = 2 * ratio / p_[free_[f]];
      }
      return {sum};
    }
    case Kind::sum:
    case Kind::largest:
    case Kind::least: {
      std::vector<Smooth> list;
      if (!expression.parts.empty())
        list = evaluate(*expression.parts.front());
      else
        for (const Index k : expression.values) list.push_back(named(k));
      if (list.empty() || apart) return list;
      if (expression.kind != Kind::sum)
        return extreme(std::move(list), expression.kind == Kind::largest);
      Smooth sum = constant(0);
      for (const Smooth& one : list) {
        sum.value += one.value;
        sum.gradient += one.gradient;
      }
      return {sum};
    }
    case Kind::negate: {
      std::vector<Smooth> list = evaluate(*expression.parts.front());
      for (Smooth& one : list) {
        one.value = -one.value;
        one.gradient = -one.gradient;
      }
      return list;
    }
    case Kind::peak:
    case Kind::gain:
      return of_transfer(expression);
    case Kind::zeta:
    case Kind::frequency:
    case Kind::tau:
    case Kind::re:
    case Kind::im:
      return of_modes(expression);
    default: {
      const std::vector<Smooth> x = evaluate(*expression.parts[0]);
      const std::vector<Smooth> y = evaluate(*expression.parts[1]);
      if (x.size() != y.size() && x.size() != 1 && y.size() != 1)
        throw Error("properties of different modes cannot be combined",
                    "combine one with single values, as in 2*zeta or max(zeta)");
      std::vector<Smooth> list;
      if (x.empty() || y.empty()) return list;
      for (std::size_t k = 0; k < std::max(x.size(), y.size()); ++k)
        list.push_back(
            combine(expression.kind, x[x.size() == 1 ? 0 : k], y[y.size() == 1 ? 0 : k]));
      return list;
    }
  }
}

void add_target(const Target& target, const Quantities& at, int source, MinMaxPoint& point) {
  std::vector<Smooth> left =
      target.relation == Target::Relation::equal
          ? at.evaluate(*target.left)
          : spread(*target.left, at, target.relation == Target::Relation::at_most);
  std::vector<Smooth> right;
  for (const auto& one : target.right)
    for (Smooth& value : at.evaluate(*one)) right.push_back(std::move(value));
  const auto gap = [&](const Smooth& x, const Smooth& y) {
    const double scale = y.value != 0 ? std::abs(y.value) : 1;
    return Smooth{(x.value - y.value) / scale, (x.gradient - y.gradient) / scale, source, x.label};
  };
  if (target.relation == Target::Relation::equal) {
    // Each number that is wanted has a mode of its own.
    if (left.size() < right.size()) {
      if (left.empty()) left.push_back(right.front());
      Smooth missing = gap(left.front(), right.back());
      missing.value = 1e3;
      missing.gradient.setZero();
      point.zero.push_back(missing);
      return;
    }
    Matrix cost(std::ssize(right), std::ssize(left));
    for (Index i = 0; i < cost.rows(); ++i)
      for (Index j = 0; j < cost.cols(); ++j)
        cost(i, j) = std::min(
            1e6,
            std::abs(
                gap(left[static_cast<std::size_t>(j)], right[static_cast<std::size_t>(i)]).value));
    const std::vector<Index> own = assign(cost);
    for (std::size_t i = 0; i < right.size(); ++i)
      point.zero.push_back(gap(left[static_cast<std::size_t>(own[i])], right[i]));
    return;
  }
  const bool least = target.relation == Target::Relation::at_least;
  if (least && target.left->kind == Kind::peak && !left.empty()) left = extreme(left, true);
  for (const Smooth& x : left)
    for (const Smooth& y : right) {
      Smooth violation = gap(x, y);
      if (least) {
        violation.value = -violation.value;
        violation.gradient = -violation.gradient;
      }
      // Near a double pole the slope of one that is far from its limit has no bound, and does not matter.
      if (violation.value < 0 && !violation.gradient.allFinite()) continue;
      point.below.push_back(std::move(violation));
    }
}

std::vector<Smooth> objective(const Expression& expression, const Quantities& at, bool maximise) {
  std::vector<Smooth> list = spread(expression, at, !maximise);
  // The highest of the peaks is what a maximum is about; of modes it is the least.
  if (maximise && expression.kind == Kind::peak) list = extreme(list, true);
  for (Smooth& one : list) {
    one.source = -1;
    if (!maximise) continue;
    one.value = -one.value;
    one.gradient = -one.gradient;
  }
  return list;
}

}  // namespace lgn
