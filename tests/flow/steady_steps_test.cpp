// One method and one longest step for a model: exact at all times, with corners cut and energy that decays.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/modulated.h"
#include "lgn/dynamics/varying_law.h"
#include "lgn/flow/magnus_flow.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

/// Two states; the second damping is 0.1 + 0.3 cos t, and zero where that is negative.
struct Clipped {
  ModulatedStructure structure{
      find_structure("sd", 2), std::make_shared<Harmonics>(1), {{0}, {0}, {0, 1, 2}}};
  Vector theta{{1.0, 1.2, 0.05, 0.1, 0.3, 0.0}};
};

TEST(Corners, AreWhereADampingBecomesZero) {
  const Clipped clipped;
  const Vector times = Vector::LinSpaced(46, 0, 9);
  std::vector<double> found = clipped.structure.corners(clipped.theta, times);
  std::sort(found.begin(), found.end());
  const double first = std::acos(-1.0 / 3);
  ASSERT_EQ(found.size(), 3u);
  const double expected[]{first, 2 * std::numbers::pi - first, 2 * std::numbers::pi + first};
  for (std::size_t k = 0; k < 3; ++k)
    // cos t has slope 0.94 there, so that its rounding moves a crossing by about as much.
    EXPECT_NEAR(found[k], expected[k], 16 * epsilon * expected[k]);
  const auto soft = ModulatedStructure(find_structure("sd", 2), std::make_shared<Harmonics>(1),
                                       {{0}, {0}, {0, 1, 2}}, ModulatedStructure::Link::softplus);
  EXPECT_TRUE(soft.corners(clipped.theta, times).empty());
}

TEST(Corners, AreTheKnotsOfSplines) {
  const ModulatedStructure structure(find_structure("skew", 2),
                                     std::make_shared<SplineBasis>(6, 1, 4));
  const Vector theta = Vector::Ones(structure.parameters());
  EXPECT_EQ(structure.corners(theta, Vector{{0, 10}}), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(structure.corners(theta, Vector{{2, 3.5}}), (std::vector<double>{3}));
}

TEST(SteadySteps, LeadThroughCornersAsExactlyAsTheToleranceAsks) {
  const Clipped clipped;
  const MagnusOptions steps = steady_steps(clipped.structure, clipped.theta, 0, 12);
  EXPECT_EQ(steps.method, "6");
  EXPECT_GT(steps.longest, 0);
  // Far apart, close together, and beyond the time that was planned for.
  for (const Vector& times :
       {Vector(Vector::LinSpaced(4, 0, 12)), Vector(Vector::LinSpaced(301, 0, 12)),
        Vector(Vector::LinSpaced(3, 100, 112))}) {
    MagnusOptions fine = steps;
    fine.longest /= 4;
    const Vector x0{{1, 0}};
    const Matrix found = propagate(clipped.structure, clipped.theta, x0, times, steps);
    const Matrix exact = propagate(clipped.structure, clipped.theta, x0, times, fine);
    // 12 units of time are less than ten windows of 4 radians, each within the tolerance.
    EXPECT_LE((found - exact).norm(), 10 * steps.tolerance * exact.norm());
  }
}

TEST(SteadySteps, KeepWhatIsAskedForAmongTheRefinedTimes) {
  const Clipped clipped;
  const Vector times{{-1, 0.3, 0.31, 7}};
  const double longest = 0.25;
  const RefinedTimes refined = refine_times(clipped.structure, clipped.theta, times, longest);
  ASSERT_EQ(refined.kept.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_EQ(refined.times[refined.kept[k]], times[static_cast<Index>(k)]);
  for (Index k = 1; k < refined.times.size(); ++k) {
    EXPECT_GT(refined.times[k], refined.times[k - 1]);
    EXPECT_LE(refined.times[k] - refined.times[k - 1], longest * (1 + 16 * epsilon));
  }
}

TEST(SteadySteps, LetNoEnergyGrowWhereADampingIsZero) {
  const Index n = 4;
  const ModulatedStructure structure(find_structure("sd", n), std::make_shared<Harmonics>(1));
  Random random(3);
  Matrix c = random.normals(structure.entries(), 3);
  c.row(n * (n - 1) / 2).setZero();
  const Vector theta = structure.theta_of(Vector{{2.0}}, c);
  const MagnusOptions steps = steady_steps(structure, theta, 0, 6);
  const Matrix states =
      propagate(structure, theta, random.normals(n), Vector::LinSpaced(61, 0, 6), steps);
  for (Index k = 1; k < states.cols(); ++k)
    EXPECT_LE(states.col(k).norm(), states.col(k - 1).norm() * (1 + 64 * n * epsilon));
}

TEST(SteadySteps, OfALawThatHardlyVariesAreLong) {
  const VaryingParametric law(ltv_oscillator_law());
  const Vector theta = law.constants().parameters(Vector{{1.0, 0.3, 0.0, 1.0}});
  // Without variation a step is as long as a window, 4 radians of ‖A‖₁ = 1.3.
  EXPECT_GT(steady_steps(law, theta, 0, 20).longest, 3);
}

}  // namespace
}  // namespace lgn
