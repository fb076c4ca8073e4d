#include "lgn/data/repeated_channels.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/random.h"
#include "lgn/identify.h"

namespace lgn {
namespace {

constexpr Index kRepeatedSamples = 600;

/// An oscillator's position and velocity under noise.
Matrix measured(std::uint64_t seed, double noise) {
  Random random(seed);
  Matrix values(2, kRepeatedSamples);
  for (Index k = 0; k < kRepeatedSamples; ++k) {
    const double t = 0.05 * static_cast<double>(k), decay = std::exp(-0.05 * t);
    values.col(k) << decay * std::cos(3 * t), -decay * std::sin(3 * t);
  }
  return values + noise * random.normals(2, kRepeatedSamples);
}

Dataset with_rows(const Matrix& states) {
  std::vector<std::string> names;
  for (Index c = 0; c < states.rows(); ++c) names.push_back("x" + std::to_string(c + 1));
  const Vector times =
      Vector::LinSpaced(states.cols(), 0, 0.05 * static_cast<double>(kRepeatedSamples - 1));
  return Dataset(names, {Trajectory("1", times, states)});
}

/// Both channels, then the second in another unit.
Dataset with_repetition(std::uint64_t seed) {
  const Matrix values = measured(seed, 0.02);
  Matrix all(3, kRepeatedSamples);
  all << values, (1.8 * values.row(1).array() + 32).matrix();
  return with_rows(all);
}

TEST(RepeatedChannels, AreFoundInAnyUnit) {
  const Matrix values = measured(1, 0.02);
  Matrix all(5, kRepeatedSamples);
  // As a file with six digits would hold it.
  const auto rounded = [](double v) { return std::round(1e6 * v) / 1e6; };
  all << values, values.row(0), (-2 * values.row(1)).unaryExpr(rounded),
      (values.row(0).array() + 273.15).matrix();
  const Dataset data = with_rows(all);
  const auto found = repeated_channels(data);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(repetitions(found, data), "x3 is x1, x4 is -2 x2, x5 is x1 + 273.15");
  EXPECT_EQ(of_channels(data, {"x1", "x2"}).dimension(), 2);
  EXPECT_EQ(of_channels(data, {"x1", "y"}).dimension(), 5);
}

TEST(RepeatedChannels, AreNoneOfOneModeOrOfTheirOwnNoise) {
  // Without noise motion in one mode makes multiples, which are shapes.
  Matrix values = measured(1, 0);
  Matrix all(3, kRepeatedSamples);
  all << values, 2 * values.row(0);
  EXPECT_TRUE(repeated_channels(with_rows(all)).empty());
  // Two sensors at one place.
  values = measured(1, 0.02);
  all << values, values.row(0) + 0.002 * Random(2).normals(1, kRepeatedSamples);
  EXPECT_TRUE(repeated_channels(with_rows(all)).empty());
  // The same with gaps of their own.
  all.row(2) = values.row(0);
  all(2, 7) = std::nan("");
  EXPECT_TRUE(repeated_channels(with_rows(all)).empty());
  all(0, 7) = std::nan("");
  EXPECT_EQ(repeated_channels(with_rows(all)).size(), 1U);
}

TEST(RepeatedChannels, AreLeftOutAndCountOnce) {
  const Model model = identify(with_repetition(3));
  EXPECT_EQ(model.channels, (std::vector<std::string>{"x1", "x2"}));
  ASSERT_FALSE(model.warnings.empty());
  EXPECT_EQ(model.warnings.back().code, "repeated-channels");
  EXPECT_EQ(model.warnings.back().message.rfind("x3 is 1.8 x2 + 32, noise and all", 0), 0U)
      << model.warnings.back().message;
  const Model alone = identify(with_rows(measured(3, 0.02)));
  ASSERT_EQ(model.modes.size(), alone.modes.size());
  EXPECT_EQ(model.modes[0].se->im, alone.modes[0].se->im);
  // One state per channel that was asked for needs all of them, and is told so.
  const Model asked = identify(with_repetition(3), {.states = States::given, .state_count = 3});
  EXPECT_EQ(asked.channels.size(), 3U);
  EXPECT_NE(asked.warnings.back().message.find("count twice"), std::string::npos);
}

}  // namespace
}  // namespace lgn
