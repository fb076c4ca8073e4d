#include "lgn/design/min_max.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

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
  for (const Smooth& one : below) most = std::max(most, one.value);
  for (const Smooth& one : zero) most = std::max(most, std::abs(one.value));
  return most;
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

/// The one of a list that a number became: of the same source, the nearest label.
const Smooth* successor(const std::vector<Smooth>& list, const Smooth& before) {
  const Smooth* nearest = nullptr;
  for (const Smooth& one : list)
    if (one.source == before.source &&
        (nearest == nullptr ||
         std::abs(one.label - before.label) < std::abs(nearest->label - before.label)))
      nearest = &one;
  return nearest;
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
MinMaxPoint corrected(const MinMaxPoint& at, const MinMaxPoint& there, const Vector& d) {
  MinMaxPoint result = at;
  const auto correct = [&](std::vector<Smooth>& list, const std::vector<Smooth>& after) {
    for (Smooth& one : list)
      if (const Smooth* next = successor(after, one)) one.value = next->value - one.gradient.dot(d);
  };
  correct(result.objective, there.objective);
  correct(result.below, there.below);
  correct(result.zero, there.zero);
  return result;
}

}  // namespace

MinMaxResult minimise_max(const std::function<MinMaxPoint(const Vector&)>& evaluate,
                          const Vector& start, const Vector& low, const Vector& high,
                          const MinMaxOptions& options) {
  MinMaxResult result{start.cwiseMax(low).cwiseMin(high), {}};
  result.point = evaluate(result.u);
  if (!finite(result.point)) return result;
  constexpr double most_penalty = 1e5;
  double penalty = 10 * std::max(1.0, std::abs(result.point.cost())), radius = 0.5;
  Matrix hessian = first_curvature(result.point);
  // Of points that meet everything, the one of least cost: what to end with where the search is cut short.
  constexpr double met = 1e-10;
  MinMaxResult safe;
  const auto keep = [&] {
    if (result.point.violation() <= met &&
        (safe.u.size() == 0 || result.point.cost() < safe.point.cost()))
      safe = result;
  };
  std::vector<double> costs;  // of the iterations so far
  const auto merit = [&](const MinMaxPoint& point) {
    return finite(point) ? point.cost() + penalty * point.violation()
                         : std::numeric_limits<double>::infinity();
  };
  for (; result.iterations < options.iterations; ++result.iterations) {
    stop_point();
    keep();
    // Where the last iterations gained next to nothing, and everything is met, more of them would not either.
    constexpr std::size_t window = 25;
    constexpr double little = 1e-7;
    costs.push_back(result.point.cost());
    if (costs.size() > window && result.point.violation() <= met &&
        std::abs(costs[costs.size() - 1 - window] - costs.back()) <
            little * (1 + std::abs(costs.back()))) {
      result.converged = true;
      break;
    }
    const Vector l = (low - result.u).cwiseMax(-radius), h = (high - result.u).cwiseMin(radius);
    Step step = plan(result.point, result.point, hessian, penalty, l, h);
    // A violation that a larger penalty would remove shall not pay.
    while (penalty < most_penalty && step.violation > options.tolerance &&
           step.violation > 0.9 * result.point.violation()) {
      penalty *= 10;
      step = plan(result.point, result.point, hessian, penalty, l, h);
    }
    const double foreseen = result.point.cost() + penalty * result.point.violation() - step.cost -
                            penalty * std::max(step.violation, 0.0);
    const double scale = 1 + std::abs(result.point.cost());
    if (step.d.cwiseAbs().maxCoeff() < options.tolerance || !(foreseen > 1e-15 * scale)) {
      result.converged = step.d.allFinite();
      break;
    }
    const double now = merit(result.point);
    MinMaxPoint there = evaluate(result.u + step.d);
    double gained = now - merit(there);
    if (!(gained > 0.25 * foreseen) && finite(there)) {
      const Step again =
          plan(result.point, corrected(result.point, there, step.d), hessian, penalty, l, h);
      MinMaxPoint better = evaluate(result.u + again.d);
      if (now - merit(better) > std::max(gained, 0.0)) {
        step.d = again.d;
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
      if (radius < options.tolerance) {
        result.converged = true;
        break;
      }
    }
  }
  keep();
  if (result.point.violation() <= met || safe.u.size() == 0) return result;
  safe.iterations = result.iterations;
  return safe;
}

}  // namespace lgn
