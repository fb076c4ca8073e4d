#include "lgn/dynamics/systems.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

void expect_dissipative(const System& system) {
  ASSERT_TRUE(system.energy.has_value());
  EXPECT_EQ(system.a.rows(), static_cast<Index>(system.channels.size()));
  EXPECT_EQ(system.energy->rows(), system.a.rows());
  // The rate is an eigenvalue: correct to a few rounding units of ‖A‖, in the energy's own units.
  EXPECT_LE(energy_growth_rate(system.a, *system.energy), 100 * epsilon * system.a.norm());
}

TEST(Systems, NeverGainEnergy) {
  Random random(1);
  expect_dissipative(oscillator(3));
  expect_dissipative(rlc(2, 0.5));
  expect_dissipative(rlc(2, 0));
  expect_dissipative(
      ladder(Vector{{0.1, 0.0, 2.0}}, Vector{{1.0, 2.0, 0.5}}, Vector{{3.0, 1.0, 0.2}}));
  expect_dissipative(mass_spring(4, 2, 3, 0.1));
  for (const Index n : {1, 2, 9}) expect_dissipative(random_dissipative(n, random));
}

TEST(Systems, HaveThePolesOfTheirFormulas) {
  const ComplexVector ring = eigenvalues(rlc(2, 0.8).a);
  EXPECT_NEAR(ring[0].real(), -0.4, 16 * epsilon);
  EXPECT_NEAR(std::abs(ring[0]), 2, 16 * epsilon);
  EXPECT_EQ(rlc(2, 0).a, oscillator(2).a);
  // A chain between walls: ω_k = 2√(κ/m) sin(kπ/(2N + 2)).
  const Index masses = 3;
  const ComplexVector chain = eigenvalues(mass_spring(masses, 2, 5, 0).a);
  for (Index k = 1; k <= masses; ++k)
    EXPECT_NEAR(std::abs(chain[2 * k - 1]),
                2 * std::sqrt(2.5) * std::sin(static_cast<double>(k) * M_PI / (2 * masses + 2)),
                1e-13);
}

TEST(Systems, ALadderOfOnesIsSkewMinusDiagonal) {
  const System system = ladder(Vector{{0.1, 0.2}}, Vector::Ones(2), Vector::Ones(2));
  EXPECT_EQ(system.channels, (std::vector<std::string>{"v1", "i1", "v2", "i2"}));
  EXPECT_EQ(system.structure, "parametric:ladder");
  const Matrix symmetric = 0.5 * (system.a + system.a.transpose());
  EXPECT_EQ(symmetric, Matrix((Vector{{0.0, -0.1, 0.0, -0.2}}).asDiagonal()));
}

TEST(Systems, NameTheirConstants) {
  const System chain = mass_spring(2, 2, 5, 0.3);
  ASSERT_EQ(chain.parameters.size(), 3u);
  EXPECT_EQ(chain.parameters[1].name, "stiffness");
  EXPECT_EQ(chain.parameters[1].value(0, 0), 5);
  EXPECT_EQ(oscillator(3).parameters[0].name, "omega");
  EXPECT_NEAR(oscillator(3).parameters[0].value(0, 0), 3, 4 * epsilon);
}

TEST(Systems, RandomOnesRepeat) {
  Random one(5), two(5), other(6);
  const Matrix a = random_dissipative(4, one).a;
  EXPECT_EQ(random_dissipative(4, two).a, a);
  EXPECT_NE(random_dissipative(4, other).a, a);
}

TEST(Systems, RefuseImpossibleConstants) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  Random random(1);
  for (const double bad : {0.0, -1.0, nan, inf}) {
    EXPECT_THROW(oscillator(bad), Error);
    EXPECT_THROW(rlc(bad, 0.1), Error);
    EXPECT_THROW(ladder(Vector{{0.1}}, Vector{{bad}}, Vector{{1.0}}), Error);
    EXPECT_THROW(ladder(Vector{{0.1}}, Vector{{1.0}}, Vector{{bad}}), Error);
    EXPECT_THROW(mass_spring(2, bad, 1, 0), Error);
    EXPECT_THROW(mass_spring(2, 1, bad, 0), Error);
  }
  for (const double bad : {-1.0, nan, inf}) {
    EXPECT_THROW(rlc(1, bad), Error);
    EXPECT_THROW(ladder(Vector{{bad}}, Vector{{1.0}}, Vector{{1.0}}), Error);
    EXPECT_THROW(mass_spring(2, 1, 1, bad), Error);
  }
  EXPECT_THROW(ladder(Vector{{0.1}}, Vector::Ones(2), Vector::Ones(2)), Error);
  EXPECT_THROW(ladder(Vector{}, Vector{}, Vector{}), Error);
  EXPECT_THROW(mass_spring(0, 1, 1, 0), Error);
  EXPECT_THROW(random_dissipative(0, random), Error);
}

}  // namespace
}  // namespace lgn
