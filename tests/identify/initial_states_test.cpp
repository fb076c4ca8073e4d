#include <gtest/gtest.h>

#include <limits>

#include "lgn/core/random.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify/estimate.h"
#include "tests/core/machine_epsilon.h"
#include "tests/gap.h"

namespace lgn {
namespace {

using testing::epsilon;

const Matrix generator{{-0.1, 2.0, 0.0}, {-2.0, -0.1, 0.5}, {0.0, -0.5, -0.3}};

Trajectory run_from(const Vector& start, const Vector& times, double noise = 0,
                    std::uint64_t seed = 1) {
  Random random(seed);
  return Trajectory(
      "1", times,
      propagate(generator, start, times) + noise * random.normals(start.size(), times.size()));
}

Matrix initial_states(const Matrix& a, const Dataset& data, const Vector& noise = {}) {
  return initial_states_of(FullStructure(a.rows()), a.reshaped(), data, true, noise);
}

TEST(InitialStates, AreExactOnCleanData) {
  const Vector first{{1.0, -2.0, 0.5}}, second{{0.0, 3.0, 1.0}};
  const Vector uneven{{5.0, 5.1, 5.7, 6.0, 8.0}};
  const Dataset data({"a", "b", "c"},
                     {run_from(first, Vector::LinSpaced(60, 0, 6)), run_from(second, uneven)});
  const Matrix starts = initial_states(generator, data);
  // Sixty products and normal equations whose condition is below 10.
  const double tolerance = 1000 * epsilon;
  EXPECT_LE((starts.col(0) - first).norm(), tolerance);
  EXPECT_LE((starts.col(1) - second).norm(), tolerance);
}

TEST(InitialStates, LeaveResidualsThatTheModelCannotExplain) {
  const Vector times = Vector::LinSpaced(80, 0, 8);
  const Dataset data({"a", "b", "c"}, {run_from(Vector{{1.0, 1.0, 1.0}}, times, 0.3)});
  const Matrix start = initial_states(generator, data, Vector::Ones(3));
  const Matrix residual = data.runs()[0].states() - propagate(generator, start, times);
  // Least squares: the residual is orthogonal to every trajectory of the model.
  for (Index k = 0; k < 3; ++k) {
    const Matrix direction = propagate(generator, Vector::Unit(3, k), times);
    EXPECT_NEAR(residual.cwiseProduct(direction).sum(), 0,
                1e-12 * residual.norm() * direction.norm());
  }
}

TEST(InitialStates, SeeThroughGaps) {
  const Vector start{{1.0, -2.0, 0.5}};
  Matrix states = run_from(start, Vector::LinSpaced(60, 0, 6)).states();
  states.col(0).setConstant(kGap);
  states.row(2).setConstant(kGap);
  states.row(0).tail(50).setConstant(kGap);
  states(2, 59) = kGap;
  const Dataset shown({"a", "b", "c"}, {Trajectory("1", Vector::LinSpaced(60, 0, 6), states),
                                        run_from(start, Vector::LinSpaced(60, 0, 6))});
  // The third state is seen only by its effect on the others: the condition is a few hundred.
  EXPECT_LE((initial_states(generator, shown).col(0) - start).norm(), 1e5 * epsilon);
}

TEST(InitialStates, LeaveWhatIsNotSeenAtZero) {
  // Two channels without coupling, the second one missing in this run.
  Matrix states(2, 3);
  states << 4, 4, 4, kGap, kGap, kGap;
  const Vector times{{0.0, 1.0, 2.0}};
  const Dataset data({"a", "b"},
                     {Trajectory("1", times, states), Trajectory("2", times, Matrix::Ones(2, 3))});
  EXPECT_LE((initial_states(Matrix::Zero(2, 2), data).col(0) - Vector{{4.0, 0.0}}).norm(),
            16 * epsilon);
}

TEST(InitialStates, AreWeighedByTheNoiseOfEachChannel) {
  // One state in two channels that do not move: its most likely value is the mean, weighed by 1/σ².
  const Dataset data({"a", "b"},
                     {Trajectory("1", Vector{{0.0, 1.0}}, Matrix{{1.0, 1.0}, {2.0, 2.0}})});
  // A turns (1, 1) into nothing and takes a difference away at once: x(1) ≈ the mean of x₀ in both.
  const Matrix fast{{-200, 200}, {200, -200}};
  const Vector noise{{0.1, 1.0}};
  const Matrix x0 = initial_states(fast, data, noise);
  // The first sample is free to be itself but for the mean m: min Σ ((m ± d − y₀)/σ)² + ((m − y₁)/σ)².
  const Vector w = noise.cwiseAbs2().cwiseInverse();
  const double mean = x0.mean(), difference = (x0(0) - x0(1)) / 2;
  const double by_mean = w[0] * (mean + difference - 1) + w[1] * (mean - difference - 2) +
                         w[0] * (mean - 1) + w[1] * (mean - 2);
  const double by_difference = w[0] * (mean + difference - 1) - w[1] * (mean - difference - 2);
  EXPECT_NEAR(by_mean, 0, 1e-11 * w.sum());
  EXPECT_NEAR(by_difference, 0, 1e-11 * w.sum());
  EXPECT_LT(std::abs(x0(0) - 1), std::abs(x0(1) - 2));
}

TEST(InitialStates, OfALongRunComeInParts) {
  // 300 states make parts of 44 samples; the answer is that of one part, the exact one.
  const Index n = 300;
  Random random(3);
  const Matrix skew = random.normals(n, n);
  const Matrix a = 0.02 * (skew - skew.transpose());
  const Vector start = random.normals(n), times = Vector::LinSpaced(100, 0, 9.9);
  std::vector<std::string> names;
  for (Index c = 0; c < n; ++c) names.push_back("x" + std::to_string(c));
  const Dataset data(names, {Trajectory("1", times, propagate(a, start, times))});
  // A hundred products of orthogonal matrices.
  EXPECT_LE((initial_states(a, data, Vector::Ones(n)) - start).norm(),
            1e4 * epsilon * start.norm());
}

}  // namespace
}  // namespace lgn
