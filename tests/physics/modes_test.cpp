#include "lgn/physics/modes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "lgn/core/random.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

Matrix oscillator(double omega, double gamma) {
  return Matrix{{0.0, 1.0}, {-omega * omega, -gamma}};
}

TEST(Modes, OfADampedOscillator) {
  // λ = −γ/2 ± i√(ω² − γ²/4) with ω = 2, γ = 0.8.
  const auto modes = find_modes(oscillator(2, 0.8));
  ASSERT_EQ(modes.size(), 2u);
  const double tolerance = 16 * epsilon;  // a few roundings of numbers of order one
  for (const auto& mode : modes) {
    EXPECT_NEAR(mode.pole.real(), -0.4, tolerance);
    EXPECT_NEAR(std::abs(mode.pole.imag()), std::sqrt(4 - 0.16), tolerance);
    EXPECT_NEAR(mode.natural_frequency, 2, tolerance);
    EXPECT_NEAR(mode.frequency_hz, 1 / std::numbers::pi, tolerance);
    EXPECT_NEAR(mode.damping_ratio, 0.2, tolerance);
    EXPECT_NEAR(mode.time_constant, 2.5, 2.5 * tolerance / 0.4);  // the error of 0.4, inverted
    EXPECT_NEAR(mode.quality, 2.5, 2.5 * tolerance / 0.2);
    EXPECT_TRUE(mode.oscillates());
  }
  EXPECT_EQ(modes[0].pole, std::conj(modes[1].pole));
  EXPECT_LT(modes[0].pole.imag(), 0);
  EXPECT_EQ(modes[0].shape, modes[1].shape.conjugate());
  EXPECT_EQ(modes[0].participation, modes[1].participation);
}

TEST(Modes, RealPoles) {
  const auto modes = find_modes(Vector{{-3.0, -0.5}}.asDiagonal());
  EXPECT_EQ(modes[0].pole, Complex(-3));
  EXPECT_EQ(modes[1].pole, Complex(-0.5));
  EXPECT_EQ(modes[1].time_constant, 2);
  EXPECT_EQ(modes[1].damping_ratio, 1);
  EXPECT_EQ(modes[1].quality, 0.5);
  EXPECT_FALSE(modes[1].oscillates());
  EXPECT_EQ(modes[1].shape, (ComplexVector{{0.0, 1.0}}));
  EXPECT_EQ(modes[1].participation, (Vector{{0.0, 1.0}}));
  EXPECT_EQ(modes[1].condition, 1);
}

TEST(Modes, APoleAtZeroHasNoDampingAndNoTimeConstant) {
  const auto modes = find_modes(Matrix::Zero(1, 1));
  EXPECT_EQ(modes[0].natural_frequency, 0);
  EXPECT_TRUE(std::isnan(modes[0].damping_ratio));
  EXPECT_TRUE(std::isnan(modes[0].time_constant));
  EXPECT_TRUE(std::isnan(modes[0].quality));
}

TEST(Modes, APoleOnTheImaginaryAxisLastsForever) {
  for (const auto& mode : find_modes(Matrix{{0.0, 3.0}, {-3.0, 0.0}})) {
    EXPECT_DOUBLE_EQ(mode.natural_frequency, 3);
    EXPECT_EQ(mode.damping_ratio, 0);
    EXPECT_FALSE(std::signbit(mode.damping_ratio));
    EXPECT_TRUE(std::isnan(mode.time_constant));
    EXPECT_TRUE(std::isnan(mode.quality));
  }
}

// A matrix that is skew up to the solver's rounding: what the structure promises holds for its poles, too.
TEST(Modes, PolesKeepThePromise) {
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix m = random.normals(7, 7);
    const Matrix skew = m - m.transpose();
    for (const auto& mode :
         find_modes(skew, {.stable = true, .dissipative = true, .conservative = true}))
      EXPECT_EQ(mode.pole.real(), 0);
    for (const auto& mode : find_modes(skew, {.stable = true, .dissipative = true}))
      EXPECT_LE(mode.pole.real(), 0);
  }
}

TEST(Modes, FrequenciesAreInHertzWhereTheUnitIsKnown) {
  const Matrix turn = 2 * std::numbers::pi * Matrix{{0.0, 1.0}, {-1.0, 0.0}};
  EXPECT_DOUBLE_EQ(find_modes(turn)[0].frequency_hz, 1);
  EXPECT_DOUBLE_EQ(find_modes(turn, {}, "ms")[0].frequency_hz, 1000);
  EXPECT_DOUBLE_EQ(find_modes(turn, {}, "min")[0].frequency_hz, 1.0 / 60);
  EXPECT_DOUBLE_EQ(find_modes(turn, {}, "week")[0].frequency_hz, 1);
}

TEST(Modes, AGrowingModeHasNegativeDamping) {
  const auto modes = find_modes(oscillator(1, -0.2));
  EXPECT_NEAR(modes[0].damping_ratio, -0.1, 16 * epsilon);
  EXPECT_LT(modes[0].time_constant, 0);
  EXPECT_LT(modes[0].quality, 0);
}

TEST(Modes, ADefectivePoleIsInfinitelySensitive) {
  const auto modes = find_modes(Matrix{{-1.0, 1.0}, {0.0, -1.0}});
  for (const auto& mode : modes) {
    EXPECT_EQ(mode.pole, Complex(-1));
    // A perturbation δ of the corner moves the poles by √δ: more than 1/√ε times δ for δ = ε.
    EXPECT_GT(mode.condition, 1 / std::sqrt(epsilon));
    EXPECT_TRUE(mode.shape.allFinite());
    EXPECT_TRUE(mode.participation.allFinite());
    EXPECT_NEAR(mode.participation.sum(), 1, 4 * epsilon);
  }
}

TEST(Modes, ConditionIsHowFarThePoleMoves) {
  // λ = 1 of [[1, c], [0, 2]] has w = (1, −c), v = (1, 0): 1/|wᴴv| = √(1 + c²) for unit vectors.
  for (const double c : {0.0, 1.0, 100.0}) {
    const auto modes = find_modes(Matrix{{1.0, c}, {0.0, 2.0}});
    EXPECT_NEAR(modes[0].condition, std::sqrt(1 + c * c), 16 * epsilon * (1 + c * c));
  }
}

TEST(Modes, EveryModeOfRandomMatrices) {
  Random random(1);
  for (const Index n : {1, 2, 5, 12}) {
    const Matrix a = random.normals(n, n);
    const auto modes = find_modes(a);
    ASSERT_EQ(static_cast<Index>(modes.size()), n);
    Complex trace = 0;
    for (std::size_t k = 0; k < modes.size(); ++k) {
      const Mode& mode = modes[k];
      const double tolerance =
          100 * static_cast<double>(n) * epsilon;  // of a backward stable solver
      const ComplexVector residual = a.cast<Complex>() * mode.shape - mode.pole * mode.shape;
      EXPECT_LE(residual.norm(), tolerance * a.norm());
      EXPECT_NEAR(mode.shape.norm(), 1, tolerance);
      Index largest = 0;
      mode.shape.cwiseAbs().maxCoeff(&largest);
      EXPECT_NEAR(mode.shape[largest].imag(), 0, 4 * epsilon);
      EXPECT_GT(mode.shape[largest].real(), 0);
      EXPECT_NEAR(mode.participation.sum(), 1, tolerance);
      EXPECT_GE(mode.participation.minCoeff(), 0);
      EXPECT_GE(mode.condition, 1 - tolerance);
      trace += mode.pole;
      if (k > 0) {
        EXPECT_GE(std::abs(mode.pole.imag()), std::abs(modes[k - 1].pole.imag()));
      }
    }
    EXPECT_NEAR(std::abs(trace - a.trace()), 0, 100 * static_cast<double>(n) * epsilon * a.norm());
  }
}

TEST(Modes, ParticipationDoesNotDependOnUnits) {
  Random random(2);
  const Matrix a = random.normals(4, 4);
  const Vector units{{1.0, 1e3, 1e-4, 7.0}};
  const auto modes = find_modes(a);
  const auto other = find_modes(units.asDiagonal() * a * units.cwiseInverse().asDiagonal());
  // Both are accurate to a rounding unit, times the condition that bad units bring: 1e7 here.
  for (std::size_t k = 0; k < modes.size(); ++k)
    EXPECT_LE((modes[k].participation - other[k].participation).cwiseAbs().maxCoeff(),
              1e9 * epsilon);
}

}  // namespace
}  // namespace lgn
