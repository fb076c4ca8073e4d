#include "lgn/physics/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgn/core/random.h"
#include "tests/core/machine_epsilon.h"
#include "tests/gap.h"

namespace lgn {
namespace {

using testing::epsilon;

TEST(Nrmse, IsTheErrorOverTheSignal) {
  const Matrix truth{{3.0, 0.0}, {0.0, 4.0}}, predicted{{3.0, 3.0}, {4.0, 4.0}};
  EXPECT_DOUBLE_EQ(nrmse(predicted, truth), 1.0);  // √(3² + 4²)/√(3² + 4²)
  EXPECT_EQ(nrmse(truth, truth), 0.0);
  EXPECT_DOUBLE_EQ(nrmse(Matrix::Zero(2, 2), truth), 1.0);
}

TEST(Nrmse, LeavesGapsOut) {
  const Matrix truth{{3.0, kGap}, {kGap, 4.0}}, predicted{{3.0, 99.0}, {kGap, 9.0}};
  EXPECT_DOUBLE_EQ(nrmse(predicted, truth), 1.0);
  EXPECT_TRUE(std::isnan(nrmse(predicted, Matrix::Constant(2, 2, kGap))));
  EXPECT_TRUE(std::isnan(nrmse(predicted, Matrix::Zero(2, 2))));
}

TEST(Nrmse, DoesNotDependOnTheUnit) {
  Random random(1);
  const Matrix truth = random.normals(3, 50), predicted = truth + 0.1 * random.normals(3, 50);
  const double error = nrmse(predicted, truth);
  // 150 terms: their sums agree to 150 rounding units at worst.
  for (const double unit : {1e-200, 1e-12, 1e12, 1e200})
    EXPECT_NEAR(nrmse(unit * predicted, unit * truth), error, 150 * epsilon * error);
}

TEST(Energies, AreQuadraticForms) {
  const Matrix q{{2.0, 1.0}, {1.0, 3.0}}, states{{1.0, 0.0, 1.0}, {0.0, 2.0, -1.0}};
  EXPECT_EQ(energies(states, q), (Vector{{1.0, 6.0, 1.5}}));
}

TEST(Dissipation, IsTheRateAtWhichEnergyFalls) {
  const Matrix q{{2.0, 1.0}, {1.0, 3.0}};
  Matrix generators(2, 4), states(2, 2);
  generators << -1, 2, 0, 4, -2, -3, -4, 0;
  states << 1, 1, 0, 1;
  // A_1 x = (−1, −2), Qx = (2, 1): 4; A_2 x = (4, −4), Qx = (3, 4): 4.
  const Matrix power = channel_dissipation(states, generators, q);
  EXPECT_EQ(Vector(power.colwise().sum().transpose()), (Vector{{4.0, 4.0}}));
  // −dE/dt along x + h A x, by central differences of a quadratic form: exact but for rounding,
  // about ten products of numbers below 100 over h.
  constexpr double h = 0.125;
  const Matrix rate = generators.leftCols(2) * states.leftCols(1);
  const double fall =
      energies(states.leftCols(1) - h * rate, q)[0] - energies(states.leftCols(1) + h * rate, q)[0];
  EXPECT_NEAR(fall / (2 * h), 4.0, 10 * 100 * epsilon / h);
}

TEST(Dissipation, IsWhatEachChannelLosesToItsOwnDamping) {
  // S − diag(d) with Q = 1: channel i loses d_i x_i², and S moves energy without losing any.
  const Matrix a{{-0.5, 3.0}, {-3.0, -2.0}}, states{{1.0, 2.0}, {-1.0, 0.5}};
  const Matrix power = channel_dissipation(states, a, Matrix::Identity(2, 2));
  EXPECT_NEAR((power - Matrix{{0.5, 2.0}, {2.0, 0.5}}).norm(), 0, 1e-14);
}

TEST(EnergyViolations, CountStepsThatGrow) {
  EXPECT_EQ(energy_violations(Vector{{4.0, 3.0, 3.5, 3.5, 1.0}}, 0), 0.25);
  EXPECT_EQ(energy_violations(Vector{{4.0, 3.0, 3.5, 3.5, 1.0}}, 0.5), 0);
  EXPECT_EQ(energy_violations(Vector{{1.0, 1.0 + 1e-7, 1.0 + 2e-5}}), 0.5);  // tolerance 1e-6
  EXPECT_EQ(energy_violations(Vector{{1.0}}), 0);
  EXPECT_EQ(energy_violations(Vector{}), 0);
}

TEST(EnergySpread, IsTheRelativeDeviation) {
  EXPECT_EQ(energy_spread(Vector::Constant(7, 3.0)), 0);
  EXPECT_DOUBLE_EQ(energy_spread(Vector{{1.0, 3.0}}), 0.5);
}

}  // namespace
}  // namespace lgn
