#include "lgn/design/quantities.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"

namespace lgn {
namespace {

using Kind = Expression::Kind;

Smooth combine(Kind kind, const Smooth& x, const Smooth& y) {
  switch (kind) {
    case Kind::add:
      return combined(x, y, x.value + y.value, 1, 1, 0, 0, 0);
    case Kind::subtract:
      return combined(x, y, x.value - y.value, 1, -1, 0, 0, 0);
    case Kind::multiply:
      return combined(x, y, x.value * y.value, y.value, x.value, 0, 1, 0);
    case Kind::divide:
      return combined(x, y, x.value / y.value, 1 / y.value, -x.value / (y.value * y.value), 0,
                      -1 / (y.value * y.value), 2 * x.value / (y.value * y.value * y.value));
    default:  // a constant power
      return combined(x, y, std::pow(x.value, y.value),
                      y.value == 0 ? 0 : y.value * std::pow(x.value, y.value - 1), 0,
                      y.value * (y.value - 1) == 0
                          ? 0
                          : y.value * (y.value - 1) * std::pow(x.value, y.value - 2),
                      0, 0);
  }
}

std::vector<Smooth> extreme(std::vector<Smooth> list, bool largest) {
  const auto less = [](const Smooth& a, const Smooth& b) { return a.value < b.value; };
  const auto found = largest ? std::max_element(list.begin(), list.end(), less)
                             : std::min_element(list.begin(), list.end(), less);
  return {*found};
}

}  // namespace

Quantities::Quantities(const NamedSystem& system, Vector p, std::vector<Index> free, Vector p0,
                       Vector chosen)
    : named_(system),
      p_(std::move(p)),
      p0_(std::move(p0)),
      chosen_(std::move(chosen)),
      free_(std::move(free)),
      a_(system.generator(p_)),
      system_(eigensystem(a_)),
      unit_(seconds_in(system.original().time_unit).value_or(1.0)) {
  for (const Index k : free_) {
    slopes_.push_back(system.slope(p_, k));
    storage_slopes_.push_back(system.storage_slope(p_, k));
    for (auto* list : {&slopes_.back(), &storage_slopes_.back()})
      for (auto& entry : *list) entry.value *= p_[k];
  }
}

Smooth Quantities::constant(double value) const {
  const Index n = std::ssize(free_);
  Smooth result{value, Vector::Zero(n)};
  if (curved_) result.curvature = Matrix::Zero(n, n);
  return result;
}

Smooth Quantities::named(Index k) const {
  Smooth result = constant(chosen_[k]);
  for (std::size_t f = 0; f < free_.size(); ++f)
    if (free_[f] == k) {
      const auto own = static_cast<Index>(f);
      result.gradient[own] = chosen_[k];
      if (curved_) result.curvature(own, own) = chosen_[k];
    }
  return result;
}

ComplexVector Quantities::along(const ComplexVector& left, const ComplexVector& right) const {
  ComplexVector result(std::ssize(free_));
  for (std::size_t f = 0; f < free_.size(); ++f) {
    Complex sum = 0;
    for (const auto& [row, col, value] : slopes_[f]) sum += left[row] * value * right[col];
    result[static_cast<Index>(f)] = sum;
  }
  return result;
}

Vector Quantities::pulled_back(const Matrix& by_a) const {
  Vector result = Vector::Zero(std::ssize(free_));
  for (std::size_t f = 0; f < free_.size(); ++f)
    for (const auto& [row, col, value] : slopes_[f])
      result[static_cast<Index>(f)] += by_a(row, col) * value;
  return result;
}

Vector Quantities::pulled_back_source(const Vector& by_b, const Vector& b) const {
  Vector result = Vector::Zero(std::ssize(free_));
  for (std::size_t f = 0; f < free_.size(); ++f)
    for (const auto& entry : storage_slopes_[f])
      result[static_cast<Index>(f)] -= by_b[entry.row] * b[entry.row] * entry.value;
  return result;
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
        // A value that stays where it is comes back from its logarithm with the last digit changed.
        const double quotient = chosen_[free_[f]] / p0_[free_[f]];
        const double ratio = std::abs(quotient - 1) < 1e-14 ? 0 : std::log(quotient);
        sum.value += ratio * ratio;
        sum.gradient[static_cast<Index>(f)] = 2 * ratio;
      }
      if (curved_) sum.curvature.diagonal().setConstant(2);
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
      for (const Smooth& one : list)
        if (!one.copy) sum = combine(Kind::add, sum, one);
      sum.label = 0;
      return {sum};
    }
    case Kind::negate: {
      std::vector<Smooth> list = evaluate(*expression.parts.front());
      for (Smooth& one : list) one = scaled(std::move(one), -1);
      return list;
    }
    case Kind::peak:
    case Kind::gain:
    case Kind::band:
      return of_transfer(expression);
    case Kind::overshoot:
    case Kind::settling:
      return of_step(expression);
    case Kind::lost:
      return of_energy(expression);
    case Kind::zeta:
    case Kind::frequency:
    case Kind::tau:
    case Kind::re:
    case Kind::im:
      return of_modes(expression);
    case Kind::poles:
      return poles();
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

}  // namespace lgn
