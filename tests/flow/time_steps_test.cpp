#include "lgn/flow/time_steps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgn/core/random.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

Vector multiples(double step, Index count, double first = 0) {
  Vector t(count);
  for (Index k = 0; k < count; ++k) t[k] = first + step * static_cast<double>(k);
  return t;
}

/// t_(k+1) − t_k = length[which[k]] up to the rounding of the times (8 ε max|t|, twice for a
/// difference).
void expect_steps(const TimeSteps& steps, const Vector& t) {
  ASSERT_EQ(steps.which.size(), static_cast<std::size_t>(t.size() - 1));
  const double tolerance = 16 * epsilon * t.cwiseAbs().maxCoeff();
  for (Index k = 0; k + 1 < t.size(); ++k)
    EXPECT_NEAR(steps.length.at(steps.which[static_cast<std::size_t>(k)]), t[k + 1] - t[k],
                tolerance);
}

TEST(FindSteps, RoundedMultiplesAreOneStep) {
  for (const double first : {0.0, -40.0, 1e6}) {
    const Vector t = multiples(0.1, 1000, first);
    const TimeSteps steps = find_steps(t);
    EXPECT_EQ(steps.length.size(), 1u) << first;
    expect_steps(steps, t);
  }
}

TEST(FindSteps, AccumulatedTimesAreOneStep) {
  Vector t(50);  // t += 0.1 rounds each time: 50 ε/2 of drift in the time, ε in each step
  t[0] = 0;
  for (Index k = 1; k < t.size(); ++k) t[k] = t[k - 1] + 0.1;
  EXPECT_EQ(find_steps(t).length.size(), 1u);
}

TEST(FindSteps, JitterBetweenTwoValuesIsTwoSteps) {
  Random random(1);
  Vector t(500);
  t[0] = 0;
  for (Index k = 1; k < t.size(); ++k) t[k] = t[k - 1] + (random.uniform() < 0.5 ? 0.033 : 0.034);
  const TimeSteps steps = find_steps(t);
  ASSERT_EQ(steps.length.size(), 2u);
  EXPECT_LT(steps.length[0], steps.length[1]);
  expect_steps(steps, t);
}

TEST(FindSteps, DifferentStepsStayDifferent) {
  Random random(2);
  Vector t(200);
  t[0] = 3;
  for (Index k = 1; k < t.size(); ++k) t[k] = t[k - 1] + 0.05 + random.uniform();
  const TimeSteps steps = find_steps(t);
  EXPECT_EQ(steps.length.size(), 199u);
  expect_steps(steps, t);
}

TEST(FindSteps, OneSampleHasNone) {
  const TimeSteps steps = find_steps(Vector{{4.0}});
  EXPECT_TRUE(steps.length.empty());
  EXPECT_TRUE(steps.which.empty());
}

/// t_k = t_0 + position[k] · step up to the rounding of the times.
void expect_lattice(const Lattice& lattice, const Vector& t) {
  ASSERT_EQ(lattice.position.size(), static_cast<std::size_t>(t.size()));
  EXPECT_EQ(lattice.position.front(), 0);
  EXPECT_EQ(lattice.length(), lattice.position.back() + 1);
  for (Index k = 0; k < t.size(); ++k)
    EXPECT_NEAR(
        t[0] + static_cast<double>(lattice.position[static_cast<std::size_t>(k)]) * lattice.step,
        t[k], 16 * epsilon * t.cwiseAbs().maxCoeff());
}

TEST(FindLattice, OfRoundedMultiples) {
  for (const double first : {0.0, -40.0, 1e6}) {
    const Vector t = multiples(0.1, 1000, first);
    const auto lattice = find_lattice(t);
    ASSERT_TRUE(lattice) << first;
    EXPECT_EQ(lattice->length(), 1000);
    expect_lattice(*lattice, t);
  }
}

TEST(FindLattice, WithGaps) {
  Random random(3);
  Vector t(300);
  Index count = 0;
  for (Index k = 0; count < t.size(); ++k)
    if (k < 2 || random.uniform() < 0.6) t[count++] = 0.01 * static_cast<double>(k) + 7;
  const auto lattice = find_lattice(t);
  ASSERT_TRUE(lattice);
  EXPECT_NEAR(lattice->step, 0.01, 16 * epsilon * t[t.size() - 1]);
  expect_lattice(*lattice, t);
}

TEST(FindLattice, IsLimitedByItsStretch) {
  const Vector t{{0, 1, 2, 16}}, wider{{0, 1, 2, 17}};  // four samples, at most 16 steps
  ASSERT_TRUE(find_lattice(t));
  EXPECT_EQ(find_lattice(t)->length(), 17);
  EXPECT_FALSE(find_lattice(wider));
  EXPECT_TRUE(find_lattice(wider, 5.0));
  EXPECT_FALSE(find_lattice(Vector{{0, 1e-9, 1e9}}));
}

TEST(FindSteps, TakesAnEvenStepToRounding) {
  // All differences sum to t_end − t_0 exactly; what is left is the rounding of t_end and of the step.
  const Vector t = multiples(0.1, 100'000);
  const TimeSteps steps = find_steps(t);
  ASSERT_EQ(steps.length.size(), 1u);
  EXPECT_NEAR(steps.length[0], 0.1, 2 * 0.1 * epsilon);
}

TEST(FindSteps, EndsWhereTimesAreNotFinite) {
  // What LinSpaced gives from −1e308 to 1e308.
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(find_steps(Vector{{std::nan(""), infinite, infinite, 1e308}}).which.size(), 3u);
}

TEST(FindLattice, IsNotFoundInJitterNorInUnevenTimes) {
  EXPECT_FALSE(find_lattice(Vector{{0, 0.033, 0.067, 0.1, 0.134}}));
  EXPECT_FALSE(find_lattice(Vector{{0, 1, 2.5, 3.5}}));
  // A deviation just above the tolerance 16 ε max|t|, and one well below it.
  Vector t = multiples(1, 100);
  t[50] += 40 * epsilon * 99;
  EXPECT_FALSE(find_lattice(t));
  t = multiples(1, 100);
  t[50] += 4 * epsilon * 99;
  EXPECT_TRUE(find_lattice(t));
}

TEST(FindLattice, NeedsTwoSamples) {
  EXPECT_FALSE(find_lattice(Vector{{1.0}}));
  EXPECT_FALSE(find_lattice(Vector(0)));
  const auto two = find_lattice(Vector{{1.0, 4.0}});
  ASSERT_TRUE(two);
  EXPECT_EQ(two->step, 3.0);
  EXPECT_EQ(two->length(), 2);
}

}  // namespace
}  // namespace lgn
