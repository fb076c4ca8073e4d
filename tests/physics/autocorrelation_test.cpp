#include "lgn/physics/autocorrelation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgn/core/random.h"

namespace lgn {
namespace {

TEST(Autocorrelation, IsItsDefinition) {
  Autocorrelation sums(1, 2);
  sums.add(Matrix{{1, 2, -1, 3}});
  const Matrix r = sums.values();
  // Means of products over pairs: 15/4 at lag 0, (2 − 2 − 3)/3 at lag 1, (−1 + 6)/2 at lag 2.
  EXPECT_DOUBLE_EQ(r(0, 0), 1);
  EXPECT_DOUBLE_EQ(r(0, 1), -1 / 3.75);
  EXPECT_DOUBLE_EQ(r(0, 2), 2.5 / 3.75);
  EXPECT_DOUBLE_EQ(sums.band()[0], 1.96 / std::sqrt(3.0));
}

TEST(Autocorrelation, SkipsMissingSamplesAndSpansNoTwoRuns) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Autocorrelation sums(1, 1);
  sums.add(Matrix{{1, nan, 2, 3}});
  sums.add(Matrix{{5, 1}});
  // Pairs (2, 3) and (5, 1); squares 1, 4, 9, 25, 1.
  EXPECT_DOUBLE_EQ(sums.values()(0, 1), (6 + 5) / 2.0 / (40 / 5.0));
}

TEST(Autocorrelation, HasNoValueWithoutPairs) {
  Autocorrelation sums(1, 3);
  sums.add(Matrix{{1, 2}});
  EXPECT_TRUE(std::isnan(sums.values()(0, 2)));
  Autocorrelation rest(1, 1);
  rest.add(Matrix::Zero(1, 5));
  EXPECT_EQ(rest.values()(0, 1), 0);
  EXPECT_TRUE(rest.white(0));
}

TEST(Autocorrelation, TellsNoiseFromAMissingPart) {
  // One in a hundred sets of channels may fail: of 50 sets 0.5 do, and more than 4 with a probability below 2e-4.
  Random random(5);
  int failures = 0;
  for (int set = 0; set < 50; ++set) {
    Autocorrelation sums(4, 25);
    sums.add(random.normals(4, 300));
    bool white = true;
    for (Index c = 0; c < 4; ++c) white = white && sums.white(c);
    failures += white ? 0 : 1;
  }
  EXPECT_LE(failures, 4);
  // A slow wave as large as the noise.
  Matrix residuals = random.normals(1, 300);
  for (Index k = 0; k < 300; ++k) residuals(0, k) += std::sin(0.1 * static_cast<double>(k));
  Autocorrelation sums(1, 25);
  sums.add(residuals);
  EXPECT_FALSE(sums.white(0));
}

TEST(Autocorrelation, DoesNotBlameNoiseForItsFittedStarts) {
  // Taking the mean off every run, as fitting a constant does, leaves correlations of −1/19.
  Random random(6);
  Autocorrelation sums(1, Autocorrelation::useful_lags(20));
  for (int run = 0; run < 600; ++run) {
    Matrix noise = random.normals(1, 20);
    noise.array() -= noise.mean();
    sums.add(noise);
  }
  EXPECT_NEAR(sums.values()(0, 1), -1 / 19.0, 0.03);  // three standard errors of 11,400 pairs
  EXPECT_TRUE(sums.white(0));
}

}  // namespace
}  // namespace lgn
