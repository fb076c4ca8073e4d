#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "lgn/core/decompositions.h"
#include "lgn/design/quantities.h"

namespace lgn {
namespace {

using Kind = Expression::Kind;

/// Both eigenvectors of a 2 × 2 matrix, left ones as rows; nothing where any basis is as good.
struct Eigenvectors {
  ComplexVector right[2], left[2];
  bool apart = false;
};

Eigenvectors eigenvectors(const ComplexMatrix& m) {
  Eigenvectors pair;
  const Complex half = (m(0, 0) - m(1, 1)) / 2.0, root = std::sqrt(half * half + m(0, 1) * m(1, 0));
  // Rounding of what the slopes are made of would decide.
  if (!(std::abs(root) > 1e-9 * m.norm())) return pair;
  pair.apart = true;
  for (const int k : {0, 1}) {
    const Complex value = (m(0, 0) + m(1, 1)) / 2.0 + (k == 0 ? root : -root);
    const Complex a = value - m(0, 0), d = value - m(1, 1);
    const bool upper = std::abs(a) > std::abs(d);
    pair.right[k] = upper ? ComplexVector{{m(0, 1), a}} : ComplexVector{{d, m(1, 0)}};
    pair.left[k] = upper ? ComplexVector{{m(1, 0), a}} : ComplexVector{{d, m(0, 1)}};
    const Complex product = (pair.left[k].transpose() * pair.right[k])(0);
    if (!(std::abs(product) > 0)) pair.apart = false;
    pair.left[k] /= product;
  }
  return pair;
}

}  // namespace

std::vector<Quantities::Motion> Quantities::motions() const {
  const Index n = system_.values.size();
  const double near = 1e-8 * (1e-300 + system_.values.cwiseAbs().maxCoeff());
  std::vector<Motion> list, copies;
  std::vector<bool> done(static_cast<std::size_t>(n), false);
  for (Index k = 0; k < n; ++k) {
    const Complex pole = system_.values[k];
    if (pole.imag() < 0 || done[static_cast<std::size_t>(k)]) continue;
    std::vector<Index> same{k};
    for (Index j = k + 1; j < n; ++j)
      if (std::abs(system_.values[j] - pole) < near && system_.values[j].imag() >= 0)
        same.push_back(j);
    ComplexMatrix left(n, std::ssize(same)), right(n, std::ssize(same));
    for (Index i = 0; i < left.cols(); ++i) {
      right.col(i) = system_.right.col(same[static_cast<std::size_t>(i)]);
      left.col(i) = system_.left.col(same[static_cast<std::size_t>(i)]);
      if (same.size() > 1) left.col(i).normalize();
    }
    ComplexMatrix dual = left.adjoint();
    bool basis = same.size() > 1;
    if (basis) {
      // Independent eigenvectors have independent left ones; those of a defective pole have not.
      const ComplexInverse gram = complex_inverse(left.adjoint() * right);
      basis = gram.value.allFinite() && gram.reciprocal_condition > 1e-6;
      if (basis) dual = gram.value * left.adjoint();
    }
    if (!basis) {
      list.push_back({pole, along(system_.left.col(k).conjugate(), system_.right.col(k))});
      if (curved_ && poles_apart_) list.back().curvature = curvature_of_pole(k);
      continue;
    }
    for (const Index j : same) done[static_cast<std::size_t>(j)] = true;
    for (Index i = 0; i < left.cols(); ++i)
      list.push_back({system_.values[same[static_cast<std::size_t>(i)]],
                      along(dual.row(i).transpose(), right.col(i))});
    // Along each value the pole parts in its own way: two by two, whose plane is invariant as well.
    for (Index i = 0; i < left.cols(); ++i)
      for (Index j = i + 1; j < left.cols(); ++j) {
        // ∂M/∂log p of the plane, a vector over the free values for each of the four entries.
        std::array<ComplexVector, 4> part;
        for (Index e = 0; e < 4; ++e)
          part[static_cast<std::size_t>(e)] =
              along(dual.row(e / 2 == 0 ? i : j).transpose(), right.col(e % 2 == 0 ? i : j));
        for (Index f = 0; f < std::ssize(free_); ++f) {
          const Eigenvectors pair =
              eigenvectors(ComplexMatrix{{part[0][f], part[1][f]}, {part[2][f], part[3][f]}});
          if (!pair.apart) continue;
          for (const int one : {0, 1}) {
            ComplexVector slope = ComplexVector::Zero(std::ssize(free_));
            for (Index e = 0; e < 4; ++e)
              slope += pair.left[one][e / 2] * pair.right[one][e % 2] *
                       part[static_cast<std::size_t>(e)];
            copies.push_back({pole, std::move(slope), true});
          }
        }
      }
  }
  list.insert(list.end(), copies.begin(), copies.end());
  return list;
}

std::vector<Smooth> Quantities::poles() const {
  std::vector<Smooth> list;
  for (const Motion& motion : motions())
    if (!motion.copy) {
      list.push_back({motion.pole.real(), motion.slope.real(), 0, motion.pole});
      list.push_back({motion.pole.imag(), motion.slope.imag(), 0, motion.pole});
    }
  return list;
}

std::vector<Smooth> Quantities::of_modes(const Expression& expression) const {
  const Kind kind = expression.kind;
  const double hertz = 1 / (2 * std::numbers::pi * unit_);
  std::vector<Smooth> list;
  std::vector<double> rates;
  for (const Motion& motion : motions()) {
    const Complex pole = motion.pole;
    const double size = std::abs(pole);
    const bool oscillates = pole.imag() > 0;
    // Frequencies are those of oscillations, and a pole at zero has no damping ratio.
    if ((kind == Kind::frequency || kind == Kind::im) && !oscillates) continue;
    if (kind == Kind::zeta && !(size > 0)) continue;
    if (expression.in_band() && (size * hertz < expression.low || size * hertz > expression.high))
      continue;
    const double x = pole.real(), y = pole.imag(), cube = size * size * size,
                 fifth = cube * size * size;
    double value = y;
    // By Re λ and Im λ, and twice.
    double by_x = 0, by_y = 1, by_xx = 0, by_xy = 0, by_yy = 0;
    switch (kind) {
      case Kind::zeta:
        value = -x / size;
        by_x = by_y = 0;
        if (!oscillates) break;  // a real pole stays at ±1
        by_x = -y * y / cube;
        by_y = x * y / cube;
        by_xx = 3 * x * y * y / fifth;
        by_xy = (y * y - 2 * x * x) * y / fifth;
        by_yy = (x * x - 2 * y * y) * x / fifth;
        break;
      case Kind::frequency:
        value = size * hertz;
        by_x = x / size * hertz;
        by_y = y / size * hertz;
        by_xx = y * y / cube * hertz;
        by_xy = -x * y / cube * hertz;
        by_yy = x * x / cube * hertz;
        break;
      case Kind::tau:
        value = -1 / x;
        by_x = 1 / (x * x);
        by_y = 0;
        by_xx = -2 / (x * x * x);
        break;
      case Kind::re:
        value = x;
        by_x = 1;
        by_y = 0;
        break;
      default:
        break;
    }
    Smooth re{x, motion.slope.real(), 0, pole, motion.copy},
        im{y, motion.slope.imag(), 0, pole, motion.copy};
    if (motion.curvature.size() > 0) {
      re.curvature = motion.curvature.real();
      im.curvature = motion.curvature.imag();
    }
    Smooth one = combined(re, im, value, by_x, by_y, by_xx, by_xy, by_yy);
    rates.push_back(kind == Kind::tau || kind == Kind::re ? -pole.real() : size);
    list.push_back(std::move(one));
  }
  if (!expression.slowest || list.empty()) return list;
  const auto slowest = std::min_element(rates.begin(), rates.end()) - rates.begin();
  return {list[static_cast<std::size_t>(slowest)]};
}

}  // namespace lgn
