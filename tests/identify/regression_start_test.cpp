#include "lgn/identify/regression/regression_start.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/exponential.h"
#include "lgn/flow/sample_runs.h"

namespace lgn {
namespace {

const System kLadder = ladder(Vector::Constant(2, 0.1), Vector::Ones(2), Vector::Ones(2));
const FullStructure kFull(4);

Dataset in_units(const Dataset& data, const Vector& units) {
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs())
    runs.emplace_back(run.label(), run.times(), units.asDiagonal() * run.states());
  return data.with_runs(std::move(runs));
}

// Powers of two scale without rounding, so that the answers are the same to the last bit.
TEST(RegressionStart, SeesChannelsInUnitsOfTheirOwn) {
  const Dataset data = sample_runs(kLadder, {.runs = 2, .end = 10, .step = 0.1, .noise = 0.02});
  const auto generator = [&](double unit) -> Matrix {
    const Vector units{{1, unit, 1, 1 / unit}};
    const auto found = regression_generators(in_units(data, units), kFull);
    EXPECT_EQ(found.size(), 1U);
    return units.cwiseInverse().asDiagonal() * found.front() * units.asDiagonal();
  };
  EXPECT_EQ(generator(0x1p20), generator(0x1p30));
}

// Two samples show no derivative. Their step map Φ is exact up to rounding: the states are of condition
// 3, sums have 8 terms, and h A is of size one, so 100 ε. Neighbours give 2/h (Φ − I)(Φ + I)⁻¹.
TEST(RegressionStart, TakesTheStepMapThenNeighboursWhereSamplesAreSparse) {
  constexpr double rounding = 100 * std::numeric_limits<double>::epsilon(), step = 0.5;
  const Dataset data = sample_runs(kLadder, {.runs = 8, .end = 1.5 * step, .step = step});
  EXPECT_THROW(regression_generator(data, kFull), NotIdentified);
  const auto found = regression_generators(data, kFull);
  ASSERT_GE(found.size(), 2U);
  EXPECT_LE((found.front() - kLadder.a).norm(), rounding * kLadder.a.norm());
  const Matrix map = exponential(step * kLadder.a), one = Matrix::Identity(4, 4);
  const Matrix middle = 2 / step * (map - one) * (map + one).inverse();
  EXPECT_LE((found.back() - middle).norm(), rounding * middle.norm());
}

// Of many samples windows tell what is fast. Without noise differences of order 12 leave (ω h)¹² of the fastest of the ladder,
// which is below rounding at ω h < 0.02; the states' condition of some 10 and the sum of 20,000 products stay within 1e-8.
TEST(RegressionStart, TakesWindowsOfManySamples) {
  const Dataset data = sample_runs(kLadder, {.runs = 2, .end = 300, .step = 0.01});
  ASSERT_GT(data.samples(), 50'000);
  const auto found = regression_generators(data, kFull);
  EXPECT_EQ(found.size(), 1U);
  EXPECT_LE((found.front() - kLadder.a).norm(), 1e-8 * kLadder.a.norm());
}

// Three turns in 60,000 samples with noise: windows are a small part of a turn, so that every so many samples of all of it are
// the better start. A frequency within 2% loses less than a tenth of a turn, from where a search finds it.
TEST(RegressionStart, TakesEverySoManySamplesOfWhatIsSlow) {
  const System slow = oscillator(1.0);
  const Dataset data =
      sample_runs(slow, {.runs = 1, .end = 20, .step = 20.0 / 60'000, .noise = 0.02, .seed = 5});
  const auto found = regression_generators(data, FullStructure(2));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(std::sqrt(found.back().determinant()), 1.0, 0.02);
}

TEST(RegressionStart, NeedsTwoNeighbours) {
  const double gap = std::numeric_limits<double>::quiet_NaN();
  const Trajectory torn("1", Vector{{0, 1, 2}}, Matrix{{1, 2, gap}, {1, gap, 3}});
  EXPECT_THROW(regression_generators(Dataset({"x", "y"}, {torn}), FullStructure(2)), NotIdentified);
}

}  // namespace
}  // namespace lgn
