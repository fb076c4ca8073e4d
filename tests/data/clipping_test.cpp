#include "lgn/data/clipping_internal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "lgn/core/random.h"
#include "lgn/data/inspection.h"

namespace lgn::inspection_internal {
namespace {

constexpr int kRecords = 100;
constexpr Index kSamples = 1500;

/// How many of a hundred records are taken for clipped: a motion, of samples and what is random in it, under noise.
int clipped_records(const std::function<double(double, double)>& motion, double noise) {
  int found = 0;
  for (int seed = 1; seed <= kRecords; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const double other = random.uniform();
    Matrix values(1, kSamples);
    for (Index k = 0; k < kSamples; ++k)
      values(0, k) = motion(static_cast<double>(k), other) + noise * random.normal();
    const Dataset data({"x"}, {Trajectory("1", Vector::LinSpaced(kSamples, 0, 1), values)});
    found += inspect(data).channels[0].clipped > 0 ? 1 : 0;
  }
  return found;
}

double swing(double samples, double other, double decay = 0) {
  const double phase = (0.06 + 0.03 * other) * samples;
  return std::exp(-decay * phase) * std::cos(phase + 6 * other);
}

TEST(Clipping, IsSeenUnderNoise) {
  const auto clipped = [](double limit) {
    return [=](double samples, double other) {
      return std::clamp(swing(samples, other, 0.002), -limit, limit);
    };
  };
  EXPECT_EQ(clipped_records(clipped(1.0 / 3), 0.01), kRecords);
  EXPECT_EQ(clipped_records(clipped(0.5), 0.01), kRecords);
  EXPECT_EQ(clipped_records(clipped(0.5), 0.001), kRecords);
  // At one end alone.
  EXPECT_EQ(
      clipped_records([](double k, double other) { return std::min(0.4, swing(k, other)); }, 0.01),
      kRecords);
}

TEST(Clipping, CountsSamplesAtTheEnd) {
  Random random(1);
  Vector values(kSamples);
  double count = 0;
  for (Index k = 0; k < kSamples; ++k) {
    const double y = swing(static_cast<double>(k), 0);
    count += std::abs(y) > 0.5 ? 1 : 0;
    values[k] = std::clamp(y, -0.5, 0.5) + 0.01 * random.normal();
  }
  // Of thirty stays the ends may be off by the samples within the noise, two or three.
  EXPECT_NEAR(static_cast<double>(clipped_under_noise({values}, 0.01)), count, 0.15 * count);
}

TEST(Clipping, IsNotSeenInWhatTurnsRestsOrJumps) {
  for (const double noise : {0.001, 0.01, 0.05}) {
    SCOPED_TRACE(noise);
    EXPECT_EQ(clipped_records([](double k, double other) { return swing(k, other); }, noise), 0);
    EXPECT_EQ(clipped_records([](double k, double other) { return swing(k, other, 0.005); }, noise),
              0);
    EXPECT_EQ(clipped_records(
                  [](double k, double other) {
                    return swing(k, other, 0.01) + 0.7 * swing(2.7 * k, other, 0.02);
                  },
                  noise),
              0);
    const auto square = [](double k, double other) {
      return std::fmod(k + 60 * other, 120) < 60 ? 1.0 : -1.0;
    };
    EXPECT_EQ(clipped_records(square, noise), 0);
    // What follows a square wave in some samples.
    double lag = 0;
    EXPECT_EQ(clipped_records(
                  [&](double k, double other) {
                    return lag = k == 0 ? 0 : lag + 0.2 * (square(k, other) - lag);
                  },
                  noise),
              0);
  }
  EXPECT_EQ(clipped_records([](double, double) { return 0.0; }, 1), 0);
  double place = 0;
  Random random(3);
  EXPECT_EQ(clipped_records([&](double, double) { return place += random.normal(); }, 0.1), 0);
}

}  // namespace
}  // namespace lgn::inspection_internal
