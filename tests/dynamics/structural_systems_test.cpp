#include "lgn/dynamics/structural_systems.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "lgn/core/error.h"

namespace lgn {
namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

/// What both kinds promise: one damping ratio, the fastest mode where it was asked for, and an energy that never grows.
void keeps_its_promises(const System& system, double highest, double damping_ratio) {
  const ComplexVector poles = eigenvalues(system.a);
  const double largest = 2 * std::numbers::pi * highest, n = static_cast<double>(poles.size());
  // Eigenvalues move by the rounding of A times the condition of their vectors: at most 1/ζ times that of the undamped
  // system, whose vectors are orthogonal in the energy; that of a stiff beam is ω_max/ω_min.
  const double slowest = poles.cwiseAbs().minCoeff();
  const double tolerance = 100 * n * rounding * norm1(system.a) * largest / slowest;
  EXPECT_NEAR(poles.cwiseAbs().maxCoeff(), largest, tolerance);
  for (Index k = 0; k < poles.size(); ++k)
    EXPECT_NEAR(-poles[k].real(), damping_ratio * std::abs(poles[k]), tolerance) << k;
  // d/dt ½ xᵀQx = xᵀQAx ≤ 0.
  const Matrix power = *system.energy * system.a;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(power + power.transpose());
  EXPECT_LE(eigen.eigenvalues().maxCoeff(), 100 * n * rounding * power.norm());
}

TEST(StructuralSystems, ATrussHasOneDampingRatioAndLosesEnergy) {
  Random random(3);
  const System system = truss(48, 2, 0.02, random);
  EXPECT_EQ(system.a.rows(), 48);
  EXPECT_EQ(system.channels.front(), "x1");
  EXPECT_EQ(system.channels.back(), "vz8");
  keeps_its_promises(system, 2, 0.02);
}

TEST(StructuralSystems, ABeamHasOneDampingRatioAndLosesEnergy) {
  const System system = beam(16, 5, 0.01);
  EXPECT_EQ(system.a.rows(), 16);
  EXPECT_EQ(system.channels[1], "r1");
  keeps_its_promises(system, 5, 0.01);
}

TEST(StructuralSystems, ABeamHasTheFrequenciesOfEulerAndBernoulli) {
  const System system = beam(40, 1, 0.01);
  const ComplexVector poles = eigenvalues(system.a);
  // Of a cantilever ω ∝ (βL)², βL = 1.875104, 4.694091, 7.854757; slow poles first, in pairs. Cubic elements err by
  // (βL/10)⁴/720 and less: 5e-4 for the third.
  const double first = std::abs(poles[0]);
  EXPECT_NEAR(std::abs(poles[2]) / first, std::pow(4.694091 / 1.875104, 2), 1e-3);
  EXPECT_NEAR(std::abs(poles[4]) / first, std::pow(7.854757 / 1.875104, 2), 17.5 * 5e-4 + 1e-3);
}

TEST(StructuralSystems, RefuseNumbersOfStatesThatTheyCannotHave) {
  Random random(1);
  EXPECT_THROW(truss(8, 1, 0.01, random), Error);
  EXPECT_THROW(truss(1002, 1, 0.01, random), Error);
  EXPECT_THROW(truss(12, 1, 0, random), Error);
  EXPECT_THROW(beam(6, 1, 0.01), Error);
  EXPECT_THROW(beam(8, -1, 0.01), Error);
}

}  // namespace
}  // namespace lgn
