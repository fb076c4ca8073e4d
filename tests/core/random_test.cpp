#include "lgn/core/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lgn {
namespace {

TEST(Random, IsTheStandardMersenneTwister) {
  // [rand.predef]: the 10000th value of mt19937_64 with its default seed 5489 is
  // 9981545732273789042.
  Random random(5489);
  for (int k = 1; k < 10000; ++k) random.uniform();
  EXPECT_EQ(random.uniform(), static_cast<double>(9981545732273789042u >> 11) * 0x1p-53);
}

TEST(Random, UniformsAreTheTop53Bits) {
  std::mt19937_64 engine(42);
  Random random(42);
  for (int k = 0; k < 100; ++k)
    EXPECT_EQ(random.uniform(), std::ldexp(static_cast<double>(engine() >> 11), -53));
}

TEST(Random, RepeatsForASeedAndDiffersBetweenSeeds) {
  Random one(7), same(7), other(8);
  const Vector first = one.normals(20);
  EXPECT_TRUE(first == same.normals(20));
  EXPECT_FALSE(first == other.normals(20));
  EXPECT_FALSE(first == one.normals(20));
}

TEST(Random, MatricesAreFilledColumnByColumn) {
  Random one(3), same(3);
  const Matrix matrix = one.normals(3, 4);
  EXPECT_TRUE(matrix.reshaped() == same.normals(12));
}

TEST(Random, UniformsFillTheUnitInterval) {
  Random random(1);
  constexpr int count = 100000;
  double sum = 0, smallest = 1, largest = 0;
  for (int k = 0; k < count; ++k) {
    const double u = random.uniform();
    smallest = std::min(smallest, u);
    largest = std::max(largest, u);
    sum += u;
  }
  EXPECT_GE(smallest, 0.0);
  EXPECT_LT(largest, 1.0);
  // The mean has standard deviation 1/√(12 N) = 9e-4; five of them.
  EXPECT_NEAR(sum / count, 0.5, 5 / std::sqrt(12.0 * count));
  // P(smallest > x) = (1 − x)^N: 1e-4 leaves e^−10.
  EXPECT_LT(smallest, 1e-4);
  EXPECT_GT(largest, 1 - 1e-4);
}

TEST(Random, NormalsHaveTheMomentsOfANormal) {
  Random random(2);
  constexpr int count = 200000;
  const Vector x = random.normals(count);
  const double n = count;
  // Variances of the first four sample moments of N(0, 1): 1, 2, 15, 96 over N; five standard
  // deviations each.
  EXPECT_NEAR(x.mean(), 0, 5 * std::sqrt(1 / n));
  EXPECT_NEAR(x.array().square().mean(), 1, 5 * std::sqrt(2 / n));
  EXPECT_NEAR(x.array().cube().mean(), 0, 5 * std::sqrt(15 / n));
  EXPECT_NEAR(x.array().square().square().mean(), 3, 5 * std::sqrt(96 / n));
  // Neighbours are not correlated: variance 1/N.
  EXPECT_NEAR(x.head(count - 1).dot(x.tail(count - 1)) / n, 0, 5 * std::sqrt(1 / n));
}

}  // namespace
}  // namespace lgn
