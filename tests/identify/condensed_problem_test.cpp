#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/random.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"

namespace lgn {
namespace {

constexpr Index samples = 40'000;

/// Two runs of an oscillation that decays, the second with a part of a block more, about a level.
Dataset long_record(double noise) {
  Matrix a(2, 2);
  a << -1e-3, 1.3, -1.3, -2e-3;
  Random random(7);
  std::vector<Trajectory> runs;
  for (const Index count : {samples, samples, samples + 500}) {
    const Vector times = 0.05 * Vector::LinSpaced(count, 0, static_cast<double>(count - 1));
    Matrix states = propagate(a, random.normals(2), times) + noise * random.normals(2, count);
    runs.emplace_back(std::to_string(runs.size()), times,
                      std::move(states).colwise() + Vector::Constant(2, 0.3));
  }
  return Dataset({"x1", "x2"}, std::move(runs));
}

void expect_same(const Dataset& data, ProblemOptions options, const Vector& theta,
                 const Vector& sigma) {
  const FullStructure structure(2);
  const Problem plain(data, structure, sigma, options);
  options.condense = true;
  const Problem condensed(data, structure, sigma, options);
  ASSERT_TRUE(condensed.condensed());
  const auto one = plain.profile(theta), other = condensed.profile(theta);
  const double power = plain.power();
  EXPECT_NEAR(condensed.power(), power, 1e-12 * power);
  // Trajectories lie in the functions to 1e-13 of their size.
  EXPECT_NEAR(other->cost, one->cost, 1e-12 * power);
  const Matrix difference = other->initial_states - one->initial_states;
  EXPECT_LE(difference.norm(), 1e-11 * one->initial_states.norm());
  if (options.estimate_offset) EXPECT_LE((other->offset - one->offset).norm(), 1e-11);
  const auto a = plain.linearise(*one), b = condensed.linearise(*other);
  // Derivatives lose a degree of the polynomials, and some hundredfold of that accuracy.
  EXPECT_LE((b.information - a.information).norm(), 1e-10 * a.information.norm());
  const Vector scale = a.information.diagonal().cwiseSqrt() * std::sqrt(power);
  EXPECT_LE((b.gradient - a.gradient).cwiseQuotient(scale).norm(), 1e-10);
  const Vector squares = condensed.squares(*other).sum;
  Vector expected = Vector::Zero(2);
  for (const Matrix& left : plain.residuals(*one)) expected += left.rowwise().squaredNorm();
  EXPECT_LE((squares - expected).norm(), 1e-12 * power);
  const auto left = condensed.weighted_residuals(*other), right = plain.weighted_residuals(*one);
  for (std::size_t r = 0; r < left.size(); ++r)
    EXPECT_LE((left[r] - right[r]).norm(), 1e-11 * std::sqrt(power)) << r;
}

TEST(CondensedProblem, IsTheSameAsThatOfAllSamples) {
  const Dataset data = long_record(0.05);
  Vector theta(4);
  theta << -1.1e-3, -1.3002, 1.2999, -1.9e-3;
  const Vector sigma = Vector::Constant(2, 0.05);
  expect_same(data, {}, theta, sigma);
  expect_same(data, {.offset = Vector::Constant(2, 0.2)}, theta, sigma);
  expect_same(data, {.offset = {}, .estimate_offset = true}, theta, sigma);
}

TEST(CondensedProblem, ChoosesItsFunctionsAnewWhereTrajectoriesHaveLeftThem) {
  const Dataset data = long_record(0.05);
  const FullStructure structure(2);
  const Vector sigma = Vector::Constant(2, 0.05);
  const Problem problem(data, structure, sigma, {.condense = true});
  Vector here(4), there(4);
  here << -1e-3, -1.3, 1.3, -2e-3;
  there << -0.02, -1.5, 1.5, -0.02;
  const auto first = problem.profile(here);
  const double cost = first->cost;
  EXPECT_GT(problem.profile(there)->cost, cost);
  // A profile from before goes back to its own.
  const auto normal = problem.linearise(*first);
  const Problem fresh(data, structure, sigma, {.condense = true});
  const auto again = fresh.profile(here);
  EXPECT_DOUBLE_EQ(again->cost, cost);
  EXPECT_EQ(fresh.linearise(*again).gradient, normal.gradient);
}

TEST(CondensedProblem, IsNoneOfShortRunsGapsOrUnevenTimes) {
  const Dataset data = long_record(0.05);
  const FullStructure structure(2);
  const Vector sigma = Vector::Constant(2, 0.05);
  const auto condenses = [&](Matrix states, Vector times) {
    const Dataset other({"x1", "x2"}, {Trajectory("1", std::move(times), std::move(states))});
    return Problem(other, structure, sigma, {.condense = true}).condensed();
  };
  const auto& run = data.runs().front();
  EXPECT_TRUE(condenses(run.states(), run.times()));
  EXPECT_FALSE(condenses(run.states().leftCols(5000), run.times().head(5000)));
  Matrix gap = run.states();
  gap(1, 77) = std::nan("");
  EXPECT_FALSE(condenses(std::move(gap), run.times()));
  Vector uneven = run.times();
  uneven[9] += 1e-3;
  EXPECT_FALSE(condenses(run.states(), std::move(uneven)));
}

TEST(CondensedProblem, LeadsToTheSameFitAndErrors) {
  // Of a record without noise rounding is left.
  const Dataset exact = long_record(0);
  FitOptions options;
  options.offset = Offset::estimate;
  const auto structure = std::make_shared<FullStructure>(2);
  Vector start(4);
  start << -1.1e-3, -1.3002, 1.2999, -1.9e-3;
  const Fit fit = maximum_likelihood(exact, structure, {.theta = {start}}, options);
  Vector truth(4);
  truth << -1e-3, -1.3, 1.3, -2e-3;
  EXPECT_TRUE(fit.converged);
  // A search ends where 1e-12 of the signal is left, and each of four entries that is off by δ moves states by δ/|λ|.
  EXPECT_LE((fit.theta - truth).norm(), std::sqrt(4) * 1.3 * 1e-12);
}

}  // namespace
}  // namespace lgn
