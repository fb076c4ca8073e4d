#include "lgn/identify/regression/step_map_start.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lgn/flow/propagate.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/physics/assignment.h"

namespace lgn {
namespace {

System coarse_ladder(Index sections) {
  return ladder(Vector::Constant(sections, 0.1), Vector::Ones(sections), Vector::Ones(sections));
}

/// The step at which the fastest mode turns by `phase`.
double step_for(const System& system, double phase) {
  return phase / eigenvalues(system.a).imag().maxCoeff();
}

double map_distance(const Matrix& found, const Matrix& truth) {
  return (found - truth).norm() / truth.norm();
}

double step_map_pole_error(const Matrix& found, const Matrix& truth) {
  const ComplexVector poles = eigenvalues(truth);
  return match_eigenvalues(poles, eigenvalues(found))
      .distance.cwiseQuotient(poles.cwiseAbs())
      .mean();
}

/// sample_runs writes times with fourteen digits, so the phase of a step, about 3, is wrong by up
/// to 100 · 3 · 5e-15 after 100 steps; twice that for the two ends, and 3 for eigenvectors of
/// condition about 3.
constexpr double rounding = 1e-11;

TEST(StepMapStart, FindsExactSystemsOnCoarseGrids) {
  for (const Index sections : {1, 3, 5}) {
    const System system = coarse_ladder(sections);
    const double step = step_for(system, 2.7);
    const auto found =
        step_map_generators(sample_runs(system, {.runs = 2, .end = 100 * step, .step = step}));
    ASSERT_FALSE(found.empty());
    EXPECT_LE(map_distance(found.front(), system.a), rounding);
  }
}

// Beyond Nyquist's frequency the principal logarithm is another system; the fastest pair turned the
// other way is this one, up to the same rounding. The ladder turns at 1.80, 1.25 and
// 0.45: at a step of 2 one pair is beyond π (3.6, 2.5, 0.9), at 2.8 two are (5.0, 3.5, 1.2).
TEST(StepMapStart, HasTheAliasAmongTheAlternatives) {
  const System system = coarse_ladder(3);
  const auto nearest = [&](double phase) {
    const double step = step_for(system, phase);
    const auto found =
        step_map_generators(sample_runs(system, {.runs = 2, .end = 100 * step, .step = step}));
    EXPECT_EQ(found.size(), 1U + 3U + 3U);  // principal, one pair of three, two pairs of three
    double least = std::numeric_limits<double>::infinity();
    for (const auto& a : found) least = std::min(least, map_distance(a, system.a));
    EXPECT_GT(map_distance(found.front(), system.a), 0.1);
    return least;
  };
  EXPECT_LE(nearest(3.6), rounding);
  EXPECT_LE(nearest(5.0), rounding);
}

// Noise of 1% in both samples of K = 100 pairs leaves 0.01 √(2/K) = 0.14% in a multiplier of Φ,
// three times that for a mode of a third of the amplitude; relative to h|λ| ≥ 0.67, 0.6%.
TEST(StepMapStart, TakesNoise) {
  const System system = coarse_ladder(3);
  const double step = step_for(system, 2.7);
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Dataset data = sample_runs(
        system, {.runs = 1, .end = 100 * step, .step = step, .noise = 0.01, .seed = seed});
    const auto found = step_map_generators(data);
    ASSERT_FALSE(found.empty());
    EXPECT_LE(step_map_pole_error(found.front(), system.a), 0.006);
  }
}

// Half a turn in each step: Φ = −I. The two negative eigenvalues are taken for a pair, which turns
// one way or the other. A double eigenvalue splits by the root of its rounding, √ε = 1.5e-8; ten
// times that for the samples it comes from.
TEST(StepMapStart, JoinsNegativeEigenvalues) {
  const Vector times = Vector::LinSpaced(20, 0, 19 * std::numbers::pi);
  Matrix states(2, 20);
  for (Index k = 0; k < 20; ++k) states.col(k) = (k % 2 == 0 ? 1 : -1) * Vector{{1.0, 0.5}};
  const Matrix other = Vector{{1.0, -1.0}}.asDiagonal() * states;  // shows the second direction
  const auto found = step_map_generators(
      Dataset({"q", "p"}, {Trajectory("1", times, states), Trajectory("2", times, other)}));
  ASSERT_EQ(found.size(), 2U);
  const ComplexVector truth = eigenvalues(oscillator(1.0).a);
  for (const auto& a : found)
    EXPECT_LE(match_eigenvalues(truth, eigenvalues(a)).distance.maxCoeff(), 1.5e-7);
  EXPECT_LT(found[0](0, 1) * found[1](0, 1), 0);
}

TEST(StepMapStart, SkipsGapsAndUsesUnitsOfTheChannels) {
  // Currents are a thousand times the voltages.
  const System system =
      ladder(Vector::Constant(2, 1e-4), Vector::Constant(2, 1e-6), Vector::Ones(2));
  const double step = step_for(system, 2.0);
  const Dataset clean = sample_runs(system, {.runs = 1, .end = 60 * step, .step = step});
  const auto& run = clean.runs().front();
  Matrix states = run.states();
  states(1, 10) = std::nan("");
  Vector times(59);
  times << run.times().head(30), run.times().tail(29);  // and sample 30 is missing altogether
  Matrix kept(4, 59);
  kept << states.leftCols(30), states.rightCols(29);
  const auto found = step_map_generators(Dataset(clean.channels(), {Trajectory("1", times, kept)}));
  ASSERT_FALSE(found.empty());
  EXPECT_LE(step_map_pole_error(found.front(), system.a), rounding);
}

TEST(StepMapStart, IsEmptyWithoutACommonGrid) {
  const System system = coarse_ladder(1);
  const Vector start{{1.0, 0.5}};
  const auto run = [&](const Vector& times) {
    return Trajectory("1", times, propagate(system.a, start, times));
  };
  const auto find = [](std::vector<Trajectory> runs) {
    return step_map_generators(Dataset({"v", "i"}, std::move(runs)));
  };
  const Vector even = Vector::LinSpaced(20, 0, 19);
  Vector uneven = even;
  uneven.array() += 0.2 * even.array().sin();
  EXPECT_FALSE(find({run(even)}).empty());
  EXPECT_TRUE(find({run(uneven)}).empty());
  EXPECT_TRUE(find({run(even), run(1.1 * even)}).empty());
  EXPECT_TRUE(find({run(even.head(2))}).empty());  // one pair for two states
  // A system at rest in one channel shows one direction.
  Matrix flat = Matrix::Zero(2, 20);
  flat.row(0) = (-0.1 * even.array()).exp().matrix().transpose();
  EXPECT_TRUE(find({Trajectory("1", even, flat)}).empty());
}

}  // namespace
}  // namespace lgn
