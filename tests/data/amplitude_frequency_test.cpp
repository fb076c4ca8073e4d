#include "lgn/data/amplitude_frequency.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace lgn {
namespace {

/// x(t) = e^(−t/20) cos φ(t), φ̇ as told, beside a channel of zeros.
Dataset swings(const std::function<double(double time, double amplitude)>& rate) {
  constexpr Index samples = 2000;
  constexpr double step = 0.01;
  Matrix states = Matrix::Zero(2, samples);
  double phase = 0;
  for (Index k = 0; k < samples; ++k) {
    const double t = step * static_cast<double>(k), amplitude = std::exp(-t / 20);
    states(0, k) = amplitude * std::cos(phase);
    phase += step * rate(t, amplitude);
  }
  return Dataset({"x", "rest"},
                 {Trajectory("", step * Vector::LinSpaced(samples, 0, samples - 1), states)});
}

TEST(AmplitudeFrequency, IsFoundInASofteningSpring) {
  const auto found =
      find_amplitude_frequency(swings([](double, double a) { return 6 * (1 - 0.1 * a * a); }));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->channel, "x");
  EXPECT_TRUE(found->rather_than_time);
  EXPECT_NEAR(found->small, 6 * (1 - 0.1 * std::exp(-2)) / (2 * M_PI), 0.005);
  EXPECT_NEAR(found->large, 6 * 0.9 / (2 * M_PI), 0.01);
}

TEST(AmplitudeFrequency, IsNotFoundWhereFrequencyStaysOrDrifts) {
  EXPECT_FALSE(find_amplitude_frequency(swings([](double, double) { return 6.0; })));
  const auto drift = find_amplitude_frequency(swings([](double t, double) { return 6 + 0.1 * t; }));
  EXPECT_FALSE(drift && drift->rather_than_time);
}

TEST(AmplitudeFrequency, CountsFromRest) {
  const Dataset data = swings([](double, double a) { return 6 * (1 - 0.1 * a * a); });
  const Vector rest{{5, 0}};
  EXPECT_FALSE(find_amplitude_frequency(data.less(-rest)));
  EXPECT_TRUE(find_amplitude_frequency(data.less(-rest), rest));
}

}  // namespace
}  // namespace lgn
