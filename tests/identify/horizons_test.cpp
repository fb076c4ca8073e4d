#include "lgn/identify/likelihood/horizons.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lgn {
namespace {

/// cos ωt and sin ωt at 0, step, 2 step, …
Trajectory turning(double omega, double step, Index samples) {
  const Vector times = step * Vector::LinSpaced(samples, 0, static_cast<double>(samples - 1));
  Matrix states(2, samples);
  states << (omega * times.transpose()).array().cos(), (omega * times.transpose()).array().sin();
  return Trajectory("", times, states);
}

TEST(Horizons, GrowFromARadianToTheLongestRun) {
  // A radian is 1/(2 · 0.02) = 25 samples; typical_rate is good to its lags, which grow by ¼.
  const Dataset data({"a", "b"}, {turning(2, 0.02, 700), turning(2, 0.02, 1000)});
  const auto lengths = horizons(data);
  ASSERT_EQ(lengths.size(), 4u);
  EXPECT_NEAR(static_cast<double>(lengths[0]), 25, 25 * 0.25);
  EXPECT_EQ(lengths[1], 4 * lengths[0]);
  EXPECT_EQ(lengths[2], 4 * lengths[1]);
  EXPECT_EQ(lengths[3], 1000);
}

TEST(Horizons, DoNotDependOnTheUnitOfTime) {
  EXPECT_EQ(horizons(Dataset({"a", "b"}, {turning(2, 0.02, 1000)})),
            horizons(Dataset({"a", "b"}, {turning(2e6, 0.02e-6, 1000)})));
}

TEST(Horizons, AreFiveSamplesAtLeast) {
  // Two radians from sample to sample.
  const auto lengths = horizons(Dataset({"a", "b"}, {turning(2, 1, 100)}));
  EXPECT_EQ(lengths, (std::vector<Index>{5, 20, 100}));
}

TEST(Horizons, OfAShortRunIsTheRun) {
  EXPECT_EQ(horizons(Dataset({"a", "b"}, {turning(1, 1, 10)})), std::vector<Index>{10});
  EXPECT_EQ(horizons(Dataset({"a", "b"}, {turning(0.001, 1, 400)})), std::vector<Index>{400});
  EXPECT_EQ(horizons(Dataset({"a", "b"}, {turning(1, 1, 2)})), std::vector<Index>{2});
}

}  // namespace
}  // namespace lgn
