#include "lgn/design/min_max.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lgn/core/decompositions.h"
#include "lgn/core/stop.h"
#include "lgn/design/quadratic_program.h"

namespace lgn {

double MinMaxPoint::cost() const {
  double most = -std::numeric_limits<double>::infinity();
  for (const Smooth& one : objective) most = std::max(most, one.value);
  return most;
}

double MinMaxPoint::violation() const {
  double most = 0;
  // What has no value, as the settling time of a motion that does not settle, is not met.
  const auto add = [&](double value) {
    most = std::isnan(value) ? std::numeric_limits<double>::infinity() : std::max(most, value);
  };
  for (const Smooth& one : below) add(one.value);
  for (const Smooth& one : zero) add(std::abs(one.value));
  return most;
}

Smooth combined(const Smooth& x, const Smooth& y, double value, double by_x, double by_y,
                double by_xx, double by_xy, double by_yy) {
  Smooth result{value, by_x * x.gradient + by_y * y.gradient, 0, x.label != 0.0 ? x.label : y.label,
                x.copy || y.copy};
  if (x.curvature.size() == 0 || y.curvature.size() == 0) return result;
  const Matrix mixed = x.gradient * y.gradient.transpose();
  result.curvature =
      by_x * x.curvature + by_y * y.curvature + by_xx * (x.gradient * x.gradient.transpose()) +
      by_yy * (y.gradient * y.gradient.transpose()) + by_xy * (mixed + mixed.transpose());
  return result;
}

Smooth scaled(Smooth one, double factor) {
  one.value *= factor;
  one.gradient *= factor;
  one.curvature *= factor;
  return one;
}

namespace {

bool finite(const MinMaxPoint& point) {
  const auto good = [](const std::vector<Smooth>& list) {
    return std::all_of(list.begin(), list.end(), [](const Smooth& one) {
      return std::isfinite(one.value) && one.gradient.allFinite();
    });
  };
  return !point.objective.empty() && good(point.objective) && good(point.below) && good(point.zero);
}

/// A step, what it should gain, and the multipliers of the lists.
struct Step {
  Vector d;
  double cost = 0, violation = 0;  ///< as the linearised lists foresee
  Vector objective, below, zero;   ///< multipliers; of `zero` with a sign
};

Step plan(const MinMaxPoint& at, const MinMaxPoint& values, const Matrix& hessian, double penalty,
          const Vector& low, const Vector& high) {
  const Index n = hessian.rows(), f = std::ssize(at.objective), c = std::ssize(at.below),
              e = std::ssize(at.zero), m = f + c + 2 * e + 1 + 2 * n;
  const Index tau = n, sigma = n + 1;
  const double base = values.cost();
  QuadraticProgram problem{Matrix::Zero(n + 2, n + 2), Vector::Zero(n + 2), Matrix::Zero(m, n + 2),
                           Vector::Zero(m)};
  problem.hessian.topLeftCorner(n, n) = hessian;
  problem.gradient[tau] = 1;
  problem.gradient[sigma] = penalty;
  Index row = 0;
  const auto add = [&](const Smooth& one, double value, double sign, Index slack) {
    problem.rows.row(row).head(n) = sign * one.gradient.transpose();
    problem.rows(row, slack) = -1;
    problem.limits[row++] = -sign * value;
  };
  const auto at_list = [](const std::vector<Smooth>& list, Index k) -> const Smooth& {
    return list[static_cast<std::size_t>(k)];
  };
  for (Index k = 0; k < f; ++k)
    add(at_list(at.objective, k), at_list(values.objective, k).value - base, 1, tau);
  for (Index k = 0; k < c; ++k) add(at_list(at.below, k), at_list(values.below, k).value, 1, sigma);
  for (Index k = 0; k < e; ++k)
    for (const double sign : {1.0, -1.0})
      add(at_list(at.zero, k), at_list(values.zero, k).value, sign, sigma);
  problem.rows(row++, sigma) = -1;
  for (Index k = 0; k < n; ++k) {
    problem.rows(row, k) = 1;
    problem.limits[row++] = high[k];
    problem.rows(row, k) = -1;
    problem.limits[row++] = -low[k];
  }
  const QuadraticSolution solved = solve(problem);
  Step step;
  step.d = solved.x.head(n).cwiseMax(low).cwiseMin(high);
  step.objective = solved.multipliers.head(f);
  step.below = solved.multipliers.segment(f, c);
  step.zero.resize(e);
  for (Index k = 0; k < e; ++k)
    step.zero[k] = solved.multipliers[f + c + 2 * k] - solved.multipliers[f + c + 2 * k + 1];
  step.cost = -std::numeric_limits<double>::infinity();
  for (Index k = 0; k < f; ++k)
    step.cost = std::max(step.cost, at_list(values.objective, k).value +
                                        at_list(at.objective, k).gradient.dot(step.d));
  for (Index k = 0; k < c; ++k)
    step.violation = std::max(
        step.violation, at_list(values.below, k).value + at_list(at.below, k).gradient.dot(step.d));
  for (Index k = 0; k < e; ++k)
    step.violation = std::max(step.violation, std::abs(at_list(values.zero, k).value +
                                                       at_list(at.zero, k).gradient.dot(step.d)));
  return step;
}

/// How the gradient of the Lagrangian changed from one point to the next.
Vector lagrangian_change(const MinMaxPoint& from, const MinMaxPoint& to, const Step& step) {
  Vector change = Vector::Zero(step.d.size());
  const auto add = [&](const std::vector<Smooth>& before, const std::vector<Smooth>& after,
                       const Vector& multipliers) {
    for (std::size_t k = 0; k < before.size(); ++k)
      if (const double weight = multipliers[static_cast<Index>(k)]; std::abs(weight) > 1e-12)
        if (const Smooth* next = successor(after, before[k]))
          change += weight * (next->gradient - before[k].gradient);
  };
  add(from.objective, to.objective, step.objective);
  add(from.below, to.below, step.below);
  add(from.zero, to.zero, step.zero);
  return change;
}

/// Damped BFGS (Powell 1978): stays positive definite whatever the change.
void update(Matrix& hessian, const Vector& d, const Vector& change) {
  const Vector hd = hessian * d;
  const double curvature = d.dot(hd), seen = d.dot(change);
  if (!(curvature > 0)) return;
  const double theta = seen >= 0.2 * curvature ? 1 : 0.8 * curvature / (curvature - seen);
  const Vector y = theta * change + (1 - theta) * hd;
  const double dy = d.dot(y);
  if (!(dy > 0) || !y.allFinite()) return;
  const Matrix next = hessian + y * y.transpose() / dy - hd * hd.transpose() / curvature;
  if (next.allFinite()) hessian = next;
}

/// Curvature to begin with: that of a cost which is linear in the values themselves, exp(u), or of one that is flat, of the unit.
Matrix first_curvature(const MinMaxPoint& point) {
  Vector slopes = point.objective.front().gradient.cwiseAbs();
  const double steepest = slopes.maxCoeff();
  if (!(steepest > 0)) return Matrix::Identity(slopes.size(), slopes.size());
  return Matrix(slopes.cwiseMax(1e-2 * steepest).asDiagonal());
}

/// The same list of linearisations with the values of another point, for a correction to second order.
MinMaxPoint corrected(const MinMaxPoint& at, const MinMaxPoint& there) {
  MinMaxPoint result = at;
  const auto correct = [&](std::vector<Smooth>& list, const std::vector<Smooth>& after) {
    for (Smooth& one : list)
      if (const Smooth* next = successor(after, one)) one.value = next->value;
  };
  correct(result.objective, there.objective);
  correct(result.below, there.below);
  correct(result.zero, there.zero);
  return result;
}

/// The Hessian of the Lagrangian from the curvatures of the lists; empty where one that counts is not known.
Matrix known_curvature(const MinMaxPoint& point, const Step& multipliers) {
  const Index n = multipliers.d.size();
  Matrix h = Matrix::Zero(n, n);
  bool known = true;
  const auto add = [&](const std::vector<Smooth>& list, const Vector& weights) {
    for (std::size_t k = 0; k < list.size(); ++k)
      if (const double weight = weights[static_cast<Index>(k)]; std::abs(weight) > 1e-12) {
        known = known && list[k].curvature.size() > 0;
        if (known) h += weight * list[k].curvature;
      }
  };
  add(point.objective, multipliers.objective);
  add(point.below, multipliers.below);
  add(point.zero, multipliers.zero);
  return known ? h : Matrix();
}

/// The same by differences of exact gradients, a point for each unknown.
Matrix measured_curvature(const std::function<MinMaxPoint(const Vector&)>& evaluate,
                          const MinMaxResult& at, const Step& multipliers, const Vector& high) {
  constexpr double step = 1e-5;
  const Index n = at.u.size();
  Matrix h(n, n);
  for (Index i = 0; i < n; ++i) {
    stop_point();
    Vector u = at.u;
    const double d = u[i] + step <= high[i] ? step : -step;
    u[i] += d;
    h.col(i) = lagrangian_change(at.point, evaluate(u), multipliers) / d;
  }
  return h;
}

/// The Hessian of the Lagrangian, made positive by the size of its eigenvalues: what BFGS takes as many steps to learn as there are unknowns. As it was where it is
/// not finite, as at double poles.
Matrix fresh_curvature(const std::function<MinMaxPoint(const Vector&)>& evaluate,
                       const MinMaxOptions& options, const MinMaxResult& at,
                       const Step& multipliers, const Vector& high, const Matrix& before) {
  constexpr double least = 1e-4;
  Matrix h;
  if (options.curved) h = known_curvature(options.curved(at.u), multipliers);
  if (h.size() == 0) h = measured_curvature(evaluate, at, multipliers, high);
  if (!h.allFinite()) return before;
  const SymmetricEigen eigen = symmetric_eigen((h + h.transpose()) / 2);
  const double largest = eigen.values.cwiseAbs().maxCoeff();
  if (!(largest > 0)) return before;
  return eigen.vectors * eigen.values.cwiseAbs().cwiseMax(least * largest).asDiagonal() *
         eigen.vectors.transpose();
}

}  // namespace

const Smooth* successor(const std::vector<Smooth>& list, const Smooth& before) {
  const Smooth* nearest = nullptr;
  for (const Smooth& one : list)
    if (one.source == before.source &&
        (nearest == nullptr ||
         std::abs(one.label - before.label) < std::abs(nearest->label - before.label)))
      nearest = &one;
  return nearest;
}

MinMaxResult minimise_max(const std::function<MinMaxPoint(const Vector&)>& evaluate,
                          const Vector& start, const Vector& low, const Vector& high,
                          const MinMaxOptions& options) {
  MinMaxResult result{start.cwiseMax(low).cwiseMin(high), {}};
  result.point = evaluate(result.u);
  if (!finite(result.point)) return result;
  constexpr double most_penalty = 1e4, first_radius = 0.5;
  double penalty = 2 * std::max(1.0, std::abs(result.point.cost())), radius = first_radius;
  Matrix hessian = first_curvature(result.point);
  // Of points that meet everything, the one of least cost: what to end with where the search is cut short.
  constexpr double met = 1e-10;
  MinMaxResult safe;
  const auto keep = [&] {
    if (result.point.violation() <= met &&
        (safe.u.size() == 0 || result.point.cost() < safe.point.cost()))
      safe = result;
  };
  const auto merit = [&](const MinMaxPoint& point) {
    return finite(point) ? point.cost() + penalty * point.violation()
                         : std::numeric_limits<double>::infinity();
  };
  // Where the last iterations gained next to nothing, more of them would not either; with a curvature that was measured since, that is the
  // end.
  constexpr std::size_t window = 25;
  constexpr double little = 1e-7;
  constexpr int often = 20;
  std::vector<double> costs;                                // of the iterations so far
  double before = std::numeric_limits<double>::infinity();  // merit where it seemed to end last
  int measured = 0;
  for (; result.iterations < options.iterations; ++result.iterations) {
    stop_point();
    keep();
    const double scale = 1 + std::abs(result.point.cost());
    costs.push_back(result.point.cost());
    bool ends = radius < options.tolerance ||
                (costs.size() > window && result.point.violation() <= met &&
                 std::abs(costs[costs.size() - 1 - window] - costs.back()) < little * scale);
    const auto propose = [&](double weight) {
      const Vector l = (low - result.u).cwiseMax(-radius), h = (high - result.u).cwiseMin(radius);
      return plan(result.point, result.point, hessian, weight, l, h);
    };
    const auto foreseen_by = [&](const Step& step) {
      return result.point.cost() + penalty * result.point.violation() - step.cost -
             penalty * std::max(step.violation, 0.0);
    };
    Step step = propose(penalty);
    // A violation that a larger penalty would remove shall not pay; one that lies beyond the radius is for later steps.
    if (step.violation > options.tolerance) {
      const double least = std::max(0.0, propose(most_penalty).violation);
      const double enough = least <= options.tolerance
                                ? options.tolerance
                                : least + 0.5 * (result.point.violation() - least);
      for (; penalty < most_penalty && step.violation > enough; step = propose(penalty))
        penalty *= 10;
    }
    ends = ends || step.d.cwiseAbs().maxCoeff() < options.tolerance ||
           !(std::abs(foreseen_by(step)) > 1e-15 * scale);
    if (ends || result.iterations - measured >= often) {
      if (!step.d.allFinite()) break;
      const bool violated = result.point.violation() > met;
      if (ends && !(merit(result.point) < before - little * scale)) {
        result.converged = !violated || penalty >= most_penalty;
        if (result.converged) break;
      }
      if (ends && violated) penalty = std::min(10 * penalty, most_penalty);
      hessian = fresh_curvature(evaluate, options, result, step, high, hessian);
      before = std::numeric_limits<double>::infinity();
      measured = result.iterations;
      if (ends) {
        before = merit(result.point);
        radius = std::max(radius, 0.1 * first_radius);
        costs.clear();
      }
      step = propose(penalty);
    }
    const Vector l = (low - result.u).cwiseMax(-radius), h = (high - result.u).cwiseMin(radius);
    const double foreseen = foreseen_by(step), now = merit(result.point);
    if (!(foreseen > 0)) {  // the programme was not solved: a smaller one is easier
      radius /= 4;
      continue;
    }
    MinMaxPoint there = evaluate(result.u + step.d);
    double gained = now - merit(there);
    if (!(gained > 0.25 * foreseen) && finite(there)) {
      // As little more as makes good what the curvature of the lists did.
      const Matrix stiff = std::max(1.0, hessian.diagonal().maxCoeff()) *
                           Matrix::Identity(hessian.rows(), hessian.cols());
      const MinMaxPoint moved = corrected(result.point, there);
      const Step again = plan(moved, moved, stiff, penalty, l - step.d, h - step.d);
      MinMaxPoint better = evaluate(result.u + step.d + again.d);
      if (now - merit(better) > std::max(gained, 0.0)) {
        step.d += again.d;
        there = std::move(better);
        gained = now - merit(there);
      }
    }
    const double length = step.d.cwiseAbs().maxCoeff();
    if (finite(there)) update(hessian, step.d, lagrangian_change(result.point, there, step));
    if (gained > 1e-4 * foreseen || (gained >= 0 && foreseen < 1e-12 * scale)) {
      result.u += step.d;
      result.point = std::move(there);
      if (gained > 0.75 * foreseen && length > 0.9 * radius) radius = std::min(2 * radius, 4.0);
    } else {
      radius = std::min(radius, length) / 4;
    }
  }
  keep();
  if (result.point.violation() <= met || safe.u.size() == 0) return result;
  safe.iterations = result.iterations;
  safe.converged = result.converged;
  return safe;
}

}  // namespace lgn
