#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/stop.h"
#include "lgn/design/robust_internal.h"

namespace lgn {
namespace {

/// Relative excess of a worst case that is not worth another search.
constexpr double small = 1e-6;

/// Where on the sphere a number is largest, by steps to where its gradient points; its value there.
struct WorstCase {
  Vector z;
  double value;
};
WorstCase worst_case(const Search& search, const Vector& u, Smooth one, bool objective,
                     double radius) {
  WorstCase found{Vector::Zero(search.uncertain().directions()), one.value};
  Vector z = found.z;
  for (int step = 0; step < 6; ++step) {
    stop_point();
    const Vector slope = search.uncertain().pulled_back(one.gradient, z);
    if (!slope.allFinite() || !(slope.norm() > 0)) break;
    z = radius * slope.normalized();
    const MinMaxPoint there = search.evaluate_case(u, z);
    const Smooth* next = successor(objective ? there.objective : there.below, one);
    if (next == nullptr || !std::isfinite(next->value)) break;
    one = *next;
    // Ascent ends where a step gains nothing.
    if (one.value <= found.value + 1e-3 * small) {
      if (one.value > found.value) found = {z, one.value};
      break;
    }
    found = {z, one.value};
  }
  return found;
}

/// Adds the worst cases at u that are worse than what the search has seen; whether there were any.
bool add_cases(Search& search, const MinMaxResult& at, double radius) {
  const MinMaxPoint here =
      search.evaluate_case(at.u, Vector::Zero(search.uncertain().directions()));
  std::vector<Vector> added;
  for (const bool objective : {false, true}) {
    const double limit = objective ? at.point.cost() : 0.0;
    for (const Smooth& one : objective ? here.objective : here.below) {
      // What the slope foresees, and half as much again, tells which numbers can matter.
      const double reach =
          radius * search.uncertain()
                       .pulled_back(one.gradient, Vector::Zero(search.uncertain().directions()))
                       .norm();
      if (!(one.value + 1.5 * reach > limit) || !(reach > small)) continue;
      const WorstCase worst = worst_case(search, at.u, one, objective, radius);
      if (worst.value > limit + small * (1 + std::abs(limit))) added.push_back(worst.z);
    }
  }
  search.cases.insert(search.cases.end(), added.begin(), added.end());
  return !added.empty();
}

MinMaxResult search_within(Search& search, const Vector& start, double radius, int& iterations) {
  search.cases.clear();
  MinMaxResult found{start, search.evaluate(start)};
  if (radius <= 0) return search.run(start);
  for (int round = 0; round < 12; ++round) {
    if (!add_cases(search, found, radius) && round > 0) break;
    found = search.run(found.u);
    iterations += found.iterations;
  }
  return found;
}

Matrix draws(const Search& search, Index count, std::uint64_t seed) {
  Random random(seed);
  return random.normals(search.uncertain().directions(), count);
}

/// Whether all targets hold there.
bool holds(const Search& search, const Quantities& at) {
  MinMaxPoint point;
  for (const Target& target : search.targets()) add_target(target, at, 0, point);
  return point.violation() <= met;
}

double part_that_holds(const Search& search, const MinMaxResult& at, const Matrix& draws) {
  Index held = 0;
  for (Index k = 0; k < draws.cols(); ++k) {
    stop_point();
    if (search.targets().empty())
      held += search.evaluate_case(at.u, draws.col(k)).cost() <= at.point.cost() ? 1 : 0;
    else
      held += holds(search, search.without_derivatives(at.u, draws.col(k))) ? 1 : 0;
  }
  return static_cast<double>(held) / static_cast<double>(draws.cols());
}

/// x with Φ(x) = p of the normal distribution.
double normal_quantile(double p) {
  double low = -10, high = 10;
  for (int k = 0; k < 80; ++k) {
    const double middle = (low + high) / 2;
    (std::erfc(-middle / std::sqrt(2.0)) / 2 < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

RobustResult robust_search(Search& search, const MinMaxResult& nominal, double probability,
                           std::uint64_t seed) {
  // As many as tell the wanted part to a third of a per cent, fewer where each takes long.
  const double n = static_cast<double>(search.states());
  const auto count = static_cast<Index>(std::clamp(2e9 / (n * n * n), 500.0, 4000.0));
  const Matrix z = draws(search, count, seed);
  RobustResult result{nominal};
  const double first = search.targets().empty() ? 0.5 : part_that_holds(search, nominal, z);
  if (first >= probability) return result;
  const double goal = normal_quantile(probability);
  double low = 0, high = std::numeric_limits<double>::infinity();
  double low_part = std::max(normal_quantile(std::max(first, 1e-3)), -3.0), high_part = 0;
  double radius = goal;
  for (int trial = 0; trial < 10; ++trial) {
    result.found = search_within(search, result.found.u, radius, result.iterations);
    result.radius = radius;
    if (result.found.point.violation() > met) return result;
    const double part = part_that_holds(search, result.found, z);
    const double resolved = 1.0 / static_cast<double>(count);
    if (std::abs(part - probability) <= std::max(1.5 * resolved, 0.001)) break;
    const double quantile = normal_quantile(std::clamp(part, resolved, 1 - resolved));
    if (part < probability) {
      low = radius;
      low_part = quantile;
    } else {
      high = radius;
      high_part = quantile;
    }
    if (std::isfinite(high)) {
      const double between = (goal - low_part) / (high_part - low_part);
      radius = low + (high - low) * std::clamp(between, 0.1, 0.9);
    } else {
      // Not yet often enough: as much more as the quantile lacks.
      radius += std::max(goal - quantile, 0.1);
    }
    if (std::isfinite(high) && high - low < 1e-3 * high) break;
  }
  return result;
}

void record_draws(const Search& search, const MinMaxResult& found, double probability,
                  std::uint64_t seed, DesignRecord& record) {
  constexpr Index count = 1000;
  const Matrix z = draws(search, count, seed);
  Index held = 0;
  std::vector<std::vector<double>> numbers(search.targets().size() + 1);
  for (Index k = 0; k < count; ++k) {
    stop_point();
    const Quantities at = search.without_derivatives(found.u, z.col(k));
    const double cost = search.evaluate_case(found.u, z.col(k)).cost();
    if (search.targets().empty() ? cost <= found.point.cost() : holds(search, at)) ++held;
    for (std::size_t t = 0; t < search.targets().size(); ++t)
      numbers[t].push_back(decisive(search.targets()[t], at).value);
    numbers.back().push_back(cost * search.scale());
  }
  record.draws = {probability, static_cast<double>(held) / static_cast<double>(count), count};
  const auto quantile = [&](std::vector<double>& list, bool upper) {
    std::sort(list.begin(), list.end());
    const double place = (upper ? probability : 1 - probability) * static_cast<double>(count - 1);
    return list[static_cast<std::size_t>(std::lround(place))];
  };
  for (std::size_t t = 0; t < search.targets().size(); ++t)
    record.targets[t].likely =
        quantile(numbers[t], search.targets()[t].relation == Target::Relation::at_most);
  record.objective.likely = (search.maximised() ? -1 : 1) * quantile(numbers.back(), true);
}

}  // namespace lgn
