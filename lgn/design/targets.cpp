#include <algorithm>
#include <cmath>

#include "lgn/design/quantities.h"
#include "lgn/physics/assignment.h"

namespace lgn {
namespace {

using Kind = Expression::Kind;
using Relation = Target::Relation;

/// What is compared, or made small: max(…) ≤ t means each of them, so that it need not be smooth itself.
std::vector<Smooth> spread(const Expression& expression, const Quantities& at, bool from_above) {
  return at.evaluate(expression, expression.kind == (from_above ? Kind::largest : Kind::least));
}

/// The highest of the peaks, where that is what a comparison from below is about.
void keep_highest(std::vector<Smooth>& list, const Expression& expression) {
  if ((expression.kind != Kind::peak && expression.kind != Kind::overshoot) || list.empty()) return;
  list = {*std::max_element(list.begin(), list.end(),
                            [](const Smooth& a, const Smooth& b) { return a.value < b.value; })};
}

/// x − y relative to y.
Smooth gap(const Smooth& x, const Smooth& y, int source) {
  const double scale = y.value != 0 ? std::abs(y.value) : 1;
  Smooth result = combined(x, y, (x.value - y.value) / scale, 1 / scale, -1 / scale, 0, 0, 0);
  result.source = source;
  result.label = x.label;
  result.copy = false;
  return result;
}

/// What stands for a number that no mode is there for: far from zero, and flat.
Smooth missing(const Smooth& wanted, int source) {
  return {1e3, Vector::Zero(wanted.gradient.size()), source};
}

/// Each number that is wanted has a mode of its own, those of least total distance.
void add_equal(const Target& target, const Quantities& at, int source, MinMaxPoint& point) {
  std::vector<Smooth> left = at.evaluate(*target.left), right;
  std::erase_if(left, [](const Smooth& one) { return one.copy; });
  for (const auto& one : target.right)
    for (Smooth& value : at.evaluate(*one)) right.push_back(std::move(value));
  if (left.size() < right.size()) {
    point.zero.push_back(missing(right.back(), source));
    return;
  }
  Matrix cost(std::ssize(right), std::ssize(left));
  for (Index i = 0; i < cost.rows(); ++i)
    for (Index j = 0; j < cost.cols(); ++j)
      cost(i, j) = std::min(
          1e6,
          std::abs(
              gap(left[static_cast<std::size_t>(j)], right[static_cast<std::size_t>(i)], 0).value));
  const std::vector<Index> own = assign(cost);
  for (std::size_t i = 0; i < right.size(); ++i)
    point.zero.push_back(gap(left[static_cast<std::size_t>(own[i])], right[i], source));
}

/// Two poles by their sum and their product, which are smooth where a pair meets on the real axis and parts along it.
struct PolePair {
  Smooth sum, product;
};
PolePair pair_of(const Smooth& x, const Smooth& y) {
  return {{x.value + y.value, x.gradient + y.gradient, 0, x.label},
          {x.value * y.value, y.value * x.gradient + x.value * y.gradient, 0, x.label}};
}

/// All poles of the system as pairs, conjugate ones and neighbours on the real axis; an odd one is paired with nothing.
std::vector<PolePair> pairs_of(const std::vector<Smooth>& parts, std::vector<Smooth>& odd) {
  std::vector<PolePair> pairs;
  std::vector<Smooth> real;
  for (std::size_t k = 0; k + 1 < parts.size(); k += 2) {
    const Smooth &re = parts[k], &im = parts[k + 1];
    if (im.value == 0)
      real.push_back(re);
    else
      pairs.push_back({{2 * re.value, 2 * re.gradient, 0, re.label},
                       {re.value * re.value + im.value * im.value,
                        2 * re.value * re.gradient + 2 * im.value * im.gradient, 0, re.label}});
  }
  std::sort(real.begin(), real.end(),
            [](const Smooth& a, const Smooth& b) { return a.value < b.value; });
  for (std::size_t k = 0; k + 1 < real.size(); k += 2)
    pairs.push_back(pair_of(real[k], real[k + 1]));
  if (real.size() % 2 == 1) odd.push_back(real.back());
  return pairs;
}

/// Every pole has its place: whichever of them are real on the way there, sums and products of pairs tell how far they are.
void add_all_poles(const std::vector<Smooth>& parts, const std::vector<Smooth>& places, int source,
                   MinMaxPoint& point) {
  std::vector<Smooth> odd, odd_place;
  const std::vector<PolePair> pairs = pairs_of(parts, odd), wanted = pairs_of(places, odd_place);
  const auto add = [&](const Smooth& x, const Smooth& y, double scale, double apart) {
    point.zero.push_back(
        {(x.value - y.value) / scale, x.gradient / scale, source, x.label + apart});
  };
  Matrix cost(std::ssize(wanted), std::ssize(pairs));
  for (Index i = 0; i < cost.rows(); ++i)
    for (Index j = 0; j < cost.cols(); ++j) {
      const PolePair &a = wanted[static_cast<std::size_t>(i)],
                     &b = pairs[static_cast<std::size_t>(j)];
      cost(i, j) = std::abs(a.sum.value - b.sum.value) +
                   std::sqrt(std::abs(a.product.value - b.product.value));
    }
  const std::vector<Index> own = wanted.empty() ? std::vector<Index>{} : assign(cost);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const PolePair& found = pairs[static_cast<std::size_t>(own[i])];
    const double size = std::sqrt(std::abs(wanted[i].product.value));
    const double scale = size > 0 ? size : 1;
    add(found.sum, wanted[i].sum, scale, 0);
    // Far apart: the sum of a pair does not become the product of another.
    add(found.product, wanted[i].product, scale * scale, 1e6 * scale);
  }
  if (!odd_place.empty())
    add(odd.front(), odd_place.front(), std::max(std::abs(odd_place.front().value), 1e-300), 0);
}

/// The same in the plane: real and imaginary part of the nearest pole, relative to the size of what is wanted.
void add_poles(const Target& target, const Quantities& at, int source, MinMaxPoint& point) {
  const std::vector<Smooth> parts = at.poles();
  const Index poles = std::ssize(parts) / 2, wanted = std::ssize(target.right);
  std::vector<Smooth> places;
  Index there = 0, asked = 0;
  for (std::size_t k = 1; k < parts.size(); k += 2) there += parts[k].value == 0 ? 1 : 2;
  for (const auto& one : target.right) {
    asked += one->imaginary == 0 ? 1 : 2;
    const Complex pole(one->number, one->imaginary);
    for (const double part : {pole.real(), pole.imag()})
      places.push_back({part, at.none(), 0, pole});
  }
  if (there == asked) return add_all_poles(parts, places, source, point);
  if (poles < wanted) {
    point.zero.push_back(missing(parts.front(), source));
    return;
  }
  const auto place = [&](Index i) {
    const Expression& one = *target.right[static_cast<std::size_t>(i)];
    return Complex(one.number, one.imaginary);
  };
  Matrix cost(wanted, poles);
  for (Index i = 0; i < wanted; ++i)
    for (Index j = 0; j < poles; ++j)
      cost(i, j) = std::abs(parts[static_cast<std::size_t>(2 * j)].label - place(i));
  const std::vector<Index> own = assign(cost);
  for (Index i = 0; i < wanted; ++i) {
    const double scale = std::abs(place(i)) > 0 ? std::abs(place(i)) : 1;
    for (const Index part : {0, 1}) {
      const Smooth& one =
          parts[static_cast<std::size_t>(2 * own[static_cast<std::size_t>(i)] + part)];
      const double goal = part == 0 ? place(i).real() : place(i).imag();
      // Far apart: the real part of a pole does not become the imaginary part of another.
      const double apart = 1e6 * scale * static_cast<double>(part);
      point.zero.push_back(
          {(one.value - goal) / scale, one.gradient / scale, source, one.label + apart});
    }
  }
}

}  // namespace

void add_target(const Target& target, const Quantities& at, int source, MinMaxPoint& point) {
  if (target.left->kind == Kind::poles) return add_poles(target, at, source, point);
  if (target.relation == Relation::equal) return add_equal(target, at, source, point);
  const bool least = target.relation == Relation::at_least;
  const Expression& wanted = *target.right.front();
  if (!least && target.left->kind == Kind::settling && wanted.kind == Kind::number) {
    // The time of settling jumps where an extreme enters the band; that all later extremes are inside of it does not.
    const double band = target.left->number;
    for (Smooth& one : at.deviations(*target.left, wanted.number))
      point.below.push_back({one.value / band - 1, one.gradient / band, source, one.label});
    return;
  }
  std::vector<Smooth> left = spread(*target.left, at, !least);
  if (least) keep_highest(left, *target.left);
  for (const Smooth& x : left)
    for (const Smooth& y : at.evaluate(wanted)) {
      Smooth violation = gap(x, y, source);
      if (least) violation = scaled(std::move(violation), -1);
      // Near a double pole the slope of one that is far from its limit has no bound, and does not matter.
      if (violation.value < 0 && !violation.gradient.allFinite()) continue;
      point.below.push_back(std::move(violation));
    }
}

Smooth decisive(const Target& target, const Quantities& at) {
  MinMaxPoint point;
  if (target.relation == Relation::equal) {
    add_target(target, at, 0, point);
    const auto farther = [](const Smooth& a, const Smooth& b) {
      return std::abs(a.value) < std::abs(b.value);
    };
    Smooth worst = *std::max_element(point.zero.begin(), point.zero.end(), farther);
    if (target.left->kind == Kind::poles) {
      worst.value = std::abs(worst.value);
      for (const Smooth& one : point.zero)
        worst.gradient = worst.gradient.cwiseAbs().cwiseMax(one.gradient.cwiseAbs());
      return worst;
    }
    // The number itself is that of its mode.
    for (const Smooth& one : at.evaluate(*target.left))
      if (one.label == worst.label && !one.copy) return one;
    worst.value = std::nan("");
    return worst;
  }
  std::vector<Smooth> list = at.evaluate(*target.left);
  const bool least = target.relation == Relation::at_least;
  if (least) keep_highest(list, *target.left);
  if (list.empty()) return {std::nan(""), at.none()};
  const auto less = [](const Smooth& a, const Smooth& b) { return a.value < b.value; };
  return least ? *std::min_element(list.begin(), list.end(), less)
               : *std::max_element(list.begin(), list.end(), less);
}

std::vector<Smooth> objective(const Expression& expression, const Quantities& at, bool maximise) {
  std::vector<Smooth> list = spread(expression, at, !maximise);
  // The highest of the peaks is what a maximum is about; of modes it is the least.
  if (maximise) keep_highest(list, expression);
  for (Smooth& one : list) {
    one.source = -1;
    if (maximise) one = scaled(std::move(one), -1);
  }
  return list;
}

}  // namespace lgn
