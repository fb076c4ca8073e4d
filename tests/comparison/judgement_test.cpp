#include "experiments/comparison/judgement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "experiments/identification/data.h"
#include "lgn/identify/residuals.h"
#include "tests/core/machine_epsilon.h"

namespace lgn::studies {
namespace {

using testing::epsilon;

const System system_of_two = uniform_ladder(1);

Split split_runs(Index runs, Index samples) {
  Random random(1);
  const std::vector<Vector> times(static_cast<std::size_t>(runs), even_times(0.1, samples));
  return split_in_time(exact_runs(system_of_two, times, random), 0.25);
}

/// Starts that are somewhat wrong.
Matrix starts_for(const Split& split) {
  Random random(2);
  return random.normals(2, static_cast<Index>(split.train.runs().size()));
}

TEST(BlockErrors, AddUpToTheHeldOutError) {
  for (const Index runs : {1, 3, 12}) {
    const Split split = split_runs(runs, 80);
    const Matrix starts = starts_for(split);
    const Propagator flow = constant_flow(system_of_two.a);
    const Vector errors = block_errors(flow, starts, split);
    EXPECT_EQ(errors.size(), runs == 1 ? 10 : 12) << runs;  // 3 runs: four blocks each
    const double sum = holdout_residuals(flow, starts, split).sum_of_squares();
    // Sums of as many squares in another order.
    EXPECT_NEAR(errors.sum(), sum, static_cast<double>(split.holdout.present()) * epsilon * sum);
  }
}

TEST(BlockErrors, LeaveOutBlocksWithoutValues) {
  Split split = split_runs(1, 80);
  const Trajectory& held = split.holdout.runs()[0];
  Matrix states = held.states();
  states.leftCols(5).setConstant(std::nan(""));  // of 20: two and a half of ten blocks
  split.holdout = split.holdout.with_runs({Trajectory("1", held.times(), states)});
  const Vector errors = block_errors(constant_flow(system_of_two.a), starts_for(split), split);
  EXPECT_EQ(errors.size(), 8);
  EXPECT_TRUE(errors.allFinite());
}

TEST(BlockErrors, AreSamplesWhereThereAreFew) {
  EXPECT_EQ(
      block_errors(constant_flow(system_of_two.a), Matrix::Ones(2, 1), split_runs(1, 16)).size(),
      4);
}

TEST(FindBest, MarksWhatChanceCannotTellApart) {
  Random random(3);
  const Vector base = Vector::Ones(10) + 0.1 * random.normals(10);
  const Vector alike = base + 1e-3 * random.normals(10), worse = base + Vector::Constant(10, 0.05);
  const auto best = find_best({alike, base, worse, 2 * base}, 1);
  EXPECT_TRUE(best[0]);
  EXPECT_TRUE(best[1]);
  EXPECT_FALSE(best[2]);  // by little, but always
  EXPECT_FALSE(best[3]);
}

TEST(FindBest, IsNotLeftToTheLastBlockWhereErrorsGrow) {
  Vector growing(10);
  for (Index b = 0; b < 10; ++b) growing[b] = std::pow(10.0, static_cast<double>(b) - 9);
  const auto best = find_best({0.01 * growing, growing}, 1);
  EXPECT_TRUE(best[0]);
  EXPECT_FALSE(best[1]);
}

TEST(FindBest, DoesNotCountRounding) {
  const Vector base = Vector::LinSpaced(10, 1, 2);
  const auto best = find_best({base, (1 + 1e-12) * base, 1.019 * base, 1.021 * base}, 1);
  EXPECT_EQ(best, (std::vector<bool>{true, true, true, false}));  // 1.01² = 1.0201
}

TEST(FindBest, ClaimsNothingFromOneBlock) {
  const auto best = find_best({Vector::Constant(1, 1.0), Vector::Constant(1, 2.0)}, 1);
  EXPECT_TRUE(best[0] && best[1]);
}

TEST(FindBest, TakesWhatIsExplainedForExact) {
  const double just = 0.09 * explained * explained;  // in each of ten blocks
  const auto best = find_best(
      {Vector::Constant(10, 1e-30), Vector::Constant(10, just), Vector::Constant(10, 2 * just)}, 1);
  EXPECT_TRUE(best[0]);
  EXPECT_TRUE(best[1]);
  EXPECT_FALSE(best[2]);
}

TEST(FindBest, LeavesOutWhatIsNotThere) {
  const double infinite = std::numeric_limits<double>::infinity();
  const auto best = find_best({Vector(), Vector::Constant(10, infinite),
                               Vector::Constant(10, std::nan("")), Vector::Constant(10, 1.0)},
                              1);
  EXPECT_EQ(best, (std::vector<bool>{false, false, false, true}));
  EXPECT_EQ(find_best({Vector(), Vector()}, 0), (std::vector<bool>{false, false}));
}

}  // namespace
}  // namespace lgn::studies
