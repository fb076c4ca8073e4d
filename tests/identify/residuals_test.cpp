#include "lgn/identify/residuals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgn/core/random.h"
#include "lgn/flow/propagate.h"
#include "tests/core/machine_epsilon.h"
#include "tests/gap.h"

namespace lgn {
namespace {

using testing::epsilon;

const Matrix decaying_pair{{-0.05, 1.0}, {-1.0, -0.05}};
const Vector start{{1.0, 0.5}};

Dataset observe(Index samples, double noise, std::uint64_t seed = 1) {
  Random random(seed);
  const Vector times = Vector::LinSpaced(samples, 0, 0.1 * static_cast<double>(samples - 1));
  const Matrix states = propagate(decaying_pair, start, times) + noise * random.normals(2, samples);
  return Dataset({"x", "y"}, {Trajectory("1", times, states)});
}

TEST(Residuals, OfTheTruthAreTheNoise) {
  const Index samples = 2000;
  const double noise = 0.03;
  const auto residuals =
      find_residuals(constant_flow(decaying_pair), start, observe(samples, noise));
  const double count = 2 * static_cast<double>(samples);
  // χ² with `count` degrees of freedom: relative deviation √(2/count), allow five.
  EXPECT_NEAR(residuals.sum_of_squares() / (noise * noise * count), 1, 5 * std::sqrt(2 / count));
  // The correlation of neighbours in white noise deviates by 1/√count, allow five.
  EXPECT_NEAR(residuals.correlation(), 0, 5 / std::sqrt(count));
}

TEST(Residuals, OfAWrongModelResembleTheirNeighbours) {
  const Matrix wrong{{-0.05, 1.1}, {-1.1, -0.05}};
  const auto residuals = find_residuals(constant_flow(wrong), start, observe(400, 0.001));
  // A smooth misfit with a step of 0.1 rad: neighbours correlate by about cos 0.1.
  EXPECT_GT(residuals.correlation(), 0.95);
}

TEST(Residuals, OfManyChannelsAreChanceWhereTheyAreNoise) {
  constexpr Index channels = 2000, samples = 200;
  Random random(2);
  const Matrix noise = random.normals(channels, samples);
  std::vector<std::string> names;
  for (Index c = 0; c < channels; ++c) names.push_back("y" + std::to_string(c + 1));
  const Dataset data(names, {Trajectory("1", Vector::LinSpaced(samples, 0, 20), noise)});
  const Propagator rest = [](const Vector&, const Vector& times, const Matrix&) -> Matrix {
    return Matrix::Zero(channels, times.size());
  };
  const auto residuals = find_residuals(rest, Vector::Zero(channels), data);
  for (Index c = 0; c < channels; ++c) EXPECT_EQ(residuals.coherence(c), 0) << c;
}

TEST(Residuals, AreZeroOnCleanData) {
  const auto residuals = find_residuals(constant_flow(decaying_pair), start, observe(50, 0));
  EXPECT_EQ(residuals.nrmse(), 0);
  EXPECT_EQ(residuals.correlation(), 0);
}

TEST(Residuals, OfAPredictionBeyondAllNumbersAreInfinite) {
  const Dataset data = observe(50, 0.01);
  const Propagator lost = [](const Vector& x0, const Vector& times, const Matrix&) -> Matrix {
    Matrix states = propagate(decaying_pair, x0, times);
    states.rightCols(10).setConstant(kGap);
    return states;
  };
  const auto residuals = find_residuals(lost, start, data);
  EXPECT_EQ(residuals.count.sum(), 100);
  EXPECT_EQ(residuals.nrmse(), std::numeric_limits<double>::infinity());
  const Vector limit{{0.1, 0.2}};  // by which each such value then counts
  const auto limited = find_residuals(lost, start, data, limit);
  EXPECT_NEAR(limited.sum_of_squares(), 10 * (0.01 + 0.04), 100 * 5 * 0.01 * 0.01);
}

TEST(Residuals, FollowTheDefinitionWithGaps) {
  // A = 0 predicts the start; residuals are 1, −2 | gap | 3, 1 and 0, gap, 2, 2.
  const Vector times{{0.0, 1.0, 2.0, 3.0, 4.0}};
  const Matrix states{{11.0, 8.0, kGap, 13.0, 11.0}, {5.0, kGap, 7.0, 7.0, kGap}};
  const auto residuals = find_residuals(constant_flow(Matrix::Zero(2, 2)), Vector{{10.0, 5.0}},
                                        Dataset({"x", "y"}, {Trajectory("1", times, states)}));
  const double squares = 1 + 4 + 9 + 1 + 0 + 4 + 4;
  const double power = 121 + 64 + 169 + 121 + 25 + 49 + 49;
  EXPECT_DOUBLE_EQ(residuals.sum_of_squares(), squares);
  EXPECT_DOUBLE_EQ(residuals.nrmse(), std::sqrt(squares / power));
  // Pairs: (1, −2), (3, 1), (2, 2).
  EXPECT_DOUBLE_EQ(residuals.correlation(), ((-2 + 3 + 4) / 3.0) / (squares / 7));
}

TEST(Residuals, AreKeptByChannelAndLimited) {
  // The same residuals, 1, −2, 3, 1 and 0, 2, 2; none beyond 1.5 in the first channel.
  const Vector times{{0.0, 1.0, 2.0, 3.0, 4.0}};
  const Matrix states{{11.0, 8.0, kGap, 13.0, 11.0}, {5.0, kGap, 7.0, 7.0, kGap}};
  const auto residuals =
      find_residuals(constant_flow(Matrix::Zero(2, 2)), Vector{{10.0, 5.0}},
                     Dataset({"x", "y"}, {Trajectory("1", times, states)}), Vector{{1.5, 9.0}});
  EXPECT_EQ(residuals.squares, (Vector{{1 + 2.25 + 2.25 + 1, 8.0}}));
  EXPECT_EQ(residuals.count, (Vector{{4.0, 3.0}}));
}

TEST(Residuals, UseTheStartOfEachRun) {
  const Vector times{{0.0, 1.0}};
  const Dataset data({"x"}, {Trajectory("a", times, Matrix{{2.0, 2.0}}),
                             Trajectory("b", times, Matrix{{5.0, 5.0}})});
  EXPECT_EQ(find_residuals(constant_flow(Matrix::Zero(1, 1)), Matrix{{2.0, 5.0}}, data).nrmse(), 0);
  EXPECT_GT(find_residuals(constant_flow(Matrix::Zero(1, 1)), Matrix{{5.0, 2.0}}, data).nrmse(),
            0.5);
}

TEST(Holdout, IsPredictedOnFromTheStartOfTraining) {
  const Split split = split_in_time(observe(200, 0), 0.3);
  // 200 steps of a stable map: each adds a rounding error or two.
  EXPECT_LE(holdout_residuals(constant_flow(decaying_pair), start, split).nrmse(), 400 * epsilon);
  // A model at rest misses everything.
  EXPECT_DOUBLE_EQ(holdout_residuals(constant_flow(decaying_pair), Vector::Zero(2), split).nrmse(),
                   1);
}

TEST(Holdout, LeavesGapsOut) {
  const Vector times{{0.0, 1.0, 2.0, 3.0}};
  const Dataset data({"x"}, {Trajectory("1", times, Matrix{{1.0, 1.0, kGap, 2.0}})});
  EXPECT_DOUBLE_EQ(
      holdout_residuals(constant_flow(Matrix::Zero(1, 1)), Matrix{{1.0}}, split_in_time(data, 0.5))
          .nrmse(),
      0.5);
}

}  // namespace
}  // namespace lgn
