#include "experiments/baselines/linear_id.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/identification/data.h"
#include "lgn/core/error.h"
#include "lgn/flow/exponential.h"
#include "tests/core/machine_epsilon.h"

namespace lgn::studies {
namespace {

using testing::epsilon;

/// 1 + t² at t = 0, 1, 2, 3 in every channel.
Dataset parabolas(Index channels) {
  std::vector<std::string> names;
  for (Index c = 0; c < channels; ++c) names.push_back("x" + std::to_string(c));
  const Matrix row{{1, 2, 5, 10}};
  return Dataset(names, {Trajectory("1", even_times(1, 4), row.replicate(channels, 1))});
}

TEST(LinearId, TakesOneSidedDifferencesAtTheEndsAsTheAuthorsDo) {
  const Regression regression = difference_runs(parabolas(1), Differences::as_authors);
  // numpy.gradient([1, 2, 5, 10]) = [2 − 1, (5 − 1)/2, (10 − 2)/2, 10 − 5].
  EXPECT_TRUE(regression.derivatives == (Matrix{{1, 2, 4, 5}}));
  EXPECT_TRUE(regression.states == (Matrix{{1, 2, 5, 10}}));
  // Σxy/Σx² = (1 + 4 + 20 + 50)/(1 + 4 + 25 + 100); a handful of rounded operations.
  EXPECT_NEAR(linear_id(parabolas(1))(0, 0), 75.0 / 130, 20 * epsilon);
}

TEST(LinearId, IsExactInsideAParabola) {
  const Regression regression = difference_runs(parabolas(1), Differences::interior);
  EXPECT_TRUE(regression.derivatives == (Matrix{{2, 4}}));  // 2t at t = 1, 2
  EXPECT_TRUE(regression.states == (Matrix{{2, 5}}));
}

TEST(LinearId, KeepsRunsApart) {
  const Matrix row{{1, 2, 5, 10}};
  const Dataset twice(
      {"x"}, {Trajectory("1", even_times(1, 4), row), Trajectory("2", even_times(0.5, 4), row)});
  const Regression regression = difference_runs(twice, Differences::as_authors);
  EXPECT_TRUE(regression.derivatives == (Matrix{{1, 2, 4, 5, 2, 4, 8, 10}}));  // half the step
}

TEST(LinearId, TakesTheShortestSolutionWhereTheDataLeaveItOpen) {
  // Two equal channels see a₁ + a₂ = 75/130 only; the shortest such row has two equal entries.
  const Matrix a = linear_id(parabolas(2));
  EXPECT_LE((a - Matrix::Constant(2, 2, 75.0 / 260)).norm(), 50 * epsilon);
}

TEST(LinearId, FindsTheHyperbolicSineOfTheGenerator) {
  // Exact data satisfy (x_(k+1) − x_(k−1))/2h = sinh(hA)/h x_k.
  const System system = uniform_ladder(2);
  const double h = 0.1;
  Random random(1);
  const Dataset data = exact_runs(system, {even_times(h, 100), even_times(h, 100)}, random);
  const Matrix expected = (exponential(h * system.a) - exponential(-h * system.a)) / (2 * h);
  const Matrix x = difference_runs(data, Differences::interior).states;
  const Vector sizes = x.jacobiSvd().singularValues();
  // The derivatives are rounded by ε/h, the regression by its condition.
  const double allowed = 100 * epsilon / h * sizes[0] / sizes[sizes.size() - 1];
  EXPECT_LE((linear_id(data, Differences::interior) - expected).norm(), allowed);
  EXPECT_LE(allowed, 1e-10);
  // One-sided ends are off by h/2 ‖A²‖, at four samples of 200.
  EXPECT_GE((linear_id(data) - expected).norm(), 1e-5);
}

TEST(LinearId, RefusesWhatHasNoSingleStep) {
  const Matrix states = Matrix::Ones(1, 3);
  const Dataset uneven({"x"}, {Trajectory("a", Vector{{0, 1, 2.5}}, states)});
  EXPECT_THROW(linear_id(uneven), Error);
  const Dataset gap({"x"}, {Trajectory("a", Vector{{0, 1, 3}}, states)});
  EXPECT_THROW(linear_id(gap), Error);
  const Dataset missing({"x"}, {Trajectory("a", Vector{{0, 1, 2}}, Matrix{{1, std::nan(""), 2}})});
  EXPECT_THROW(linear_id(missing), Error);
  const Dataset short_run({"x"}, {Trajectory("a", Vector{{0, 1}}, Matrix::Ones(1, 2))});
  EXPECT_THROW(linear_id(short_run, Differences::interior), Error);
  EXPECT_NO_THROW(linear_id(short_run));
}

}  // namespace
}  // namespace lgn::studies
