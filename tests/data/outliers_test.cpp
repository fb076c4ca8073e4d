#include "lgn/data/outliers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/random.h"

namespace lgn {
namespace {

Dataset wave(const std::vector<std::pair<Index, double>>& spikes) {
  constexpr Index samples = 200;
  Random random(5);
  Matrix states(2, samples);
  Vector times(samples);
  for (Index k = 0; k < samples; ++k) {
    times[k] = 0.1 * static_cast<double>(k);
    states.col(k) << std::sin(times[k]) + 0.01 * random.normal(), 1e3 * std::cos(times[k]);
  }
  for (const auto& [k, value] : spikes) states(0, k) = value;
  return Dataset({"a", "b"}, {Trajectory("1", times, states)});
}

TEST(WithoutOutliers, TakesSpikesAndNothingElse) {
  const Dataset spiked = wave({{0, 20.0}, {50, -15.0}, {51, 12.0}, {199, 30.0}});
  const Dataset cleaned = without_outliers(spiked);
  const Matrix &before = spiked.runs()[0].states(), &after = cleaned.runs()[0].states();
  for (Index c = 0; c < 2; ++c)
    for (Index k = 0; k < before.cols(); ++k) {
      const bool spike = c == 0 && (k == 0 || k == 50 || k == 51 || k == 199);
      EXPECT_EQ(Trajectory::missing(after(c, k)), spike) << c << ' ' << k;
      if (!spike) {
        EXPECT_EQ(after(c, k), before(c, k));
      }
    }
}

TEST(WithoutOutliers, LeavesCleanDataAlone) {
  EXPECT_EQ(without_outliers(wave({})).present(), wave({}).present());
}

TEST(WithoutOutliers, LeavesAConstantChannelAlone) {
  const Dataset still({"x"}, {Trajectory("1", Vector::LinSpaced(20, 0, 1), Matrix::Ones(1, 20))});
  EXPECT_EQ(without_outliers(still).present(), 20);
}

}  // namespace
}  // namespace lgn
