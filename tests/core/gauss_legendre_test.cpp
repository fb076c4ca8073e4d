#include "lgn/core/gauss_legendre.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/machine_epsilon.h"

namespace lgn::testing {
namespace {

TEST(GaussLegendre, IntegratesPolynomialsBelowTwiceItsPoints) {
  for (const Index points : {1, 2, 5, 8, 12}) {
    const GaussRule rule = gauss_legendre(points);
    ASSERT_EQ(rule.points.size(), points);
    for (int degree = 0; degree < 2 * points; ++degree) {
      const double sum = rule.weights.dot(rule.points.array().pow(degree).matrix());
      const double exact = degree % 2 == 0 ? 2.0 / (degree + 1) : 0.0;
      // Each point and weight is an eigenvalue or a square good to a few ε, and the powers multiply
      // that by their degree.
      EXPECT_NEAR(sum, exact, 20 * (degree + 1) * epsilon)
          << points << " points, degree " << degree;
    }
  }
}

TEST(GaussLegendre, FailsAtTwiceItsPoints) {
  const GaussRule rule = gauss_legendre(3);
  // The error for x⁶ is 2⁷ (3!)⁴/(7 (6!)²) = 8/175.
  EXPECT_NEAR(2.0 / 7 - rule.weights.dot(rule.points.array().pow(6).matrix()), 8.0 / 175,
              100 * epsilon);
}

TEST(GaussLegendre, IsSymmetricAndAscends) {
  const GaussRule rule = gauss_legendre(8);
  EXPECT_EQ(rule.points, -rule.points.reverse());
  EXPECT_EQ(rule.weights, rule.weights.reverse());
  for (Index g = 1; g < 8; ++g) EXPECT_GT(rule.points[g], rule.points[g - 1]);
}

}  // namespace
}  // namespace lgn::testing
