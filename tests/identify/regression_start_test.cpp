#include "lgn/identify/regression/regression_start.h"

#include <gtest/gtest.h>

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

TEST(RegressionStart, NeedsTwoNeighbours) {
  const double gap = std::numeric_limits<double>::quiet_NaN();
  const Trajectory torn("1", Vector{{0, 1, 2}}, Matrix{{1, 2, gap}, {1, gap, 3}});
  EXPECT_THROW(regression_generators(Dataset({"x", "y"}, {torn}), FullStructure(2)), NotIdentified);
}

}  // namespace
}  // namespace lgn
