#include "lgn/identify/training/trajectory_loss.h"

#include <gtest/gtest.h>

#include "lgn/core/error.h"
#include "lgn/dynamics/structures.h"
#include "lgn/identify/likelihood/problem.h"
#include "tests/flow/exponential_cases.h"
#include "tests/identify/loss_fixture.h"

namespace lgn::testing {
namespace {

/// Both add up K samples, each of which went through up to K products of n × n matrices: 10 n K ε.
/// Random starts and samples keep the sums free of cancellation.
void expect_naive(const Dataset& data, const Matrix& a, const Matrix& starts,
                  const Vector& weights = {}, double amplification = 1) {
  const Vector w = weights.size() > 0 ? weights : Vector::Ones(a.rows());
  const FullStructure full(a.rows());
  const TrajectoryLoss loss(data, full, weights);
  const Vector theta = full.project(a);
  const LossGradient exact = naive_gradient(data, w, a, starts),
                     found = loss.gradient(theta, starts);
  Index longest = 0;
  for (const auto& run : data.runs()) longest = std::max(longest, run.samples());
  const double tolerance = 10 * static_cast<double>(a.rows() * longest) * epsilon * amplification;
  EXPECT_NEAR(loss.value(theta, starts), exact.loss, tolerance * exact.loss);
  EXPECT_EQ(loss.value(theta, starts), found.loss);
  EXPECT_LE((found.theta - exact.theta).norm(), tolerance * exact.theta.norm());
  EXPECT_LE((found.initial_states - exact.initial_states).norm(),
            tolerance * exact.initial_states.norm());
}

TEST(TrajectoryLoss, IsTheSumOverPresentSamples) {
  for (const TimeGrid grid :
       {TimeGrid::uniform, TimeGrid::gaps, TimeGrid::few_steps, TimeGrid::all_different})
    for (const Layout& layout : layouts())
      for (const Index n : {1, 3, 6}) {
        SCOPED_TRACE(std::string(name_of(grid)) + layout.name + std::to_string(n));
        Random random(31);
        const Dataset data = random_dataset(n, grid, layout, random);
        const Index runs = static_cast<Index>(layout.lengths.size());
        expect_naive(data, random_sd(n, random), random.normals(n, runs));
      }
}

TEST(TrajectoryLoss, WeighsChannels) {
  for (const TimeGrid grid : {TimeGrid::uniform, TimeGrid::few_steps, TimeGrid::all_different}) {
    SCOPED_TRACE(name_of(grid));
    Random random(32);
    const Dataset data = random_dataset(3, grid, layouts()[3], random);
    const Vector weights{{2.5, 0, 1e-3}};
    expect_naive(data, random_sd(3, random), random.normals(3, 3), weights);
  }
}

TEST(TrajectoryLoss, GroupsRunsWithDifferentStepsAndKinds) {
  Random random(33);
  std::vector<Trajectory> runs;
  for (const double step : {0.1, 0.25, 0.1})
    runs.emplace_back("u", step * Vector::LinSpaced(20, 0, 19), random.normals(2, 20));
  for (const TimeGrid grid : {TimeGrid::all_different, TimeGrid::few_steps, TimeGrid::gaps})
    runs.emplace_back("v", grid_times(grid, 15, random), random.normals(2, 15));
  expect_naive(Dataset({"a", "b"}, runs), random_sd(2, random), random.normals(2, 6));
}

TEST(TrajectoryLoss, LongRunsAgreeWithTheRecursion) {
  for (const Index n : {2, 12})
    for (const auto& lengths : {std::vector<Index>{2000}, {2000, 1999, 37, 2, 1025}}) {
      SCOPED_TRACE(std::to_string(n) + " " + std::to_string(lengths.size()));
      Random random(34);
      const Dataset data = random_dataset(n, TimeGrid::uniform, {"", lengths, 0.1}, random);
      Matrix a = random_sd(n, random) / 10;
      a.diagonal() *= 0.01;  // still there at the end
      expect_naive(data, a, random.normals(n, static_cast<Index>(lengths.size())));
    }
}

TEST(TrajectoryLoss, UnevenPathAgreesWithTheUniformOne) {
  // One sample moved by 1e-9 of a step makes the grid uneven; the loss then differs by as much at
  // most.
  Random random(35);
  const Vector t = 0.1 * Vector::LinSpaced(60, 0, 59);
  const Matrix states = random.normals(4, 60), a = random_sd(4, random),
               start = random.normals(4, 1);
  Vector moved = t;
  for (Index k = 1; k < moved.size(); ++k) moved[k] += 1e-10 * (random.uniform() - 0.5);
  const FullStructure full(4);
  const TrajectoryLoss uniform(Dataset({"a", "b", "c", "d"}, {Trajectory("", t, states)}), full);
  const TrajectoryLoss uneven(Dataset({"a", "b", "c", "d"}, {Trajectory("", moved, states)}), full);
  const LossGradient one = uniform.gradient(full.project(a), start),
                     other = uneven.gradient(full.project(a), start);
  const double tolerance =
      1e-10 * 10 * norm1(a);  // change of t · rate, in a sum of squares and its derivative
  EXPECT_NEAR(one.loss, other.loss, tolerance * one.loss);
  EXPECT_LE((one.theta - other.theta).norm(), tolerance * one.theta.norm());
  EXPECT_LE((one.initial_states - other.initial_states).norm(),
            tolerance * one.initial_states.norm());
}

/// Near a defective generator eigenvectors are of no use, and the gradient must not depend on them.
/// They are used up to a condition number of 300 n, where 100 κ² ε = 1e-8 is lost for n = 2 and
/// 2e-8 for n = 3.
void expect_near_defect(const Matrix& a) {
  Random random(36);
  const Dataset data = random_dataset(a.rows(), TimeGrid::all_different, layouts()[2], random);
  expect_naive(data, a, random.normals(a.rows(), 4), {}, 2e-8 / (10 * 40 * 3 * epsilon));
}

TEST(TrajectoryLoss, UnevenTimesWhereTwoPolesMeet) {
  for (const double gap :
       {0.0, 1e-14, 1e-12, 1e-10, 2e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-2}) {
    SCOPED_TRACE(gap);
    expect_near_defect(Matrix{{0, 1}, {-1, -2 * (1 + gap)}});  // critical damping at gap 0
  }
}

TEST(TrajectoryLoss, UnevenTimesWhereThreePolesMeet) {
  for (const double gap : {0.0, 1e-12, 1e-6, 1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3}) {
    SCOPED_TRACE(gap);
    expect_near_defect(Matrix{{-1, 1, 0}, {0, -1 - gap, 1}, {0, 0, -1 - 2 * gap}});
  }
}

TEST(TrajectoryLoss, RepeatedPolesOfANormalGenerator) {
  // Coinciding poles with a full set of eigenvectors: the divided differences become derivatives.
  Random random(37);
  const Dataset data = random_dataset(4, TimeGrid::all_different, layouts()[0], random);
  Matrix a = Matrix::Zero(4, 4);
  a.topLeftCorner(2, 2) = a.bottomRightCorner(2, 2) = Matrix{{-0.1, 2}, {-2, -0.1}};
  expect_naive(data, a, random.normals(4, 1));
  expect_naive(data, -0.3 * Matrix::Identity(4, 4), random.normals(4, 1));
}

TEST(TrajectoryLoss, IsZeroOnItsOwnTrajectory) {
  Random random(38);
  const Matrix a = random_sd(3, random);
  const Vector x0 = random.normals(3), t = 0.1 * Vector::LinSpaced(50, 0, 49);
  const FullStructure full(3);
  const TrajectoryLoss loss(Dataset({"a", "b", "c"}, {Trajectory("", t, propagate(a, x0, t))}),
                            full);
  // Residuals of rounding size, 50 · 3 ε each.
  EXPECT_LE(loss.value(full.project(a), x0), 150 * std::pow(150 * epsilon, 2) * x0.squaredNorm());
}

TEST(TrajectoryLoss, PaddingThatOverflowsDoesNotCount) {
  // A short run beside a long one: growth that overflows beyond the short run's end must not reach
  // the loss.
  std::vector<Trajectory> runs;
  runs.emplace_back("long", Vector::LinSpaced(100, 0, 99), Matrix::Zero(1, 100));
  runs.emplace_back("short", Vector::LinSpaced(3, 0, 2), Matrix::Zero(1, 3));
  const FullStructure full(1);
  const TrajectoryLoss loss(Dataset({"a"}, runs), full);
  const Matrix a = Matrix::Constant(1, 1, 30.0), starts{{0.0, 1.0}};
  const LossGradient found = loss.gradient(full.project(a), starts);
  // 1 + e^60 + e^120; the exponential is good to its condition number, 30 ε, twice in a square.
  EXPECT_NEAR(found.loss, std::exp(120) + std::exp(60) + 1, 1000 * epsilon * std::exp(120));
  EXPECT_TRUE(found.theta.allFinite());
  EXPECT_TRUE(found.initial_states.allFinite());
}

TEST(TrajectoryLoss, RefusesWrongWeights) {
  Random random(39);
  const Dataset data = random_dataset(2, TimeGrid::uniform, layouts()[0], random);
  const FullStructure full(2);
  EXPECT_THROW(TrajectoryLoss(data, full, Vector::Ones(3)), Error);
  EXPECT_THROW(TrajectoryLoss(data, full, (Vector{{1, -1}})), Error);
  EXPECT_THROW(TrajectoryLoss(data, full, (Vector{{1, std::nan("")}})), Error);
}

TEST(MeasuredStarts, TakeTheFirstPresentSample) {
  const double gap = std::nan("");
  const Matrix first{{1, 2, 3}, {gap, gap, 5}}, second{{gap, gap, gap}, {7, 8, 9}};
  const Vector t{{0, 1, 2}};
  const Dataset data({"a", "b"}, {Trajectory("1", t, first), Trajectory("2", t, second)});
  EXPECT_TRUE(measured_initial_states(data) == (Matrix{{1, 0}, {5, 7}}));
}

}  // namespace
}  // namespace lgn::testing
