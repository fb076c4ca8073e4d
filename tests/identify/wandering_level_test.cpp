#include "lgn/identify/hidden/wandering_level.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/identify.h"

namespace lgn::testing {
namespace {

/// One channel of numbers that are independent, summed up where they walk.
Dataset random_record(std::uint64_t seed, Index samples, bool walks) {
  Random random(seed);
  Matrix values = random.normals(1, samples);
  for (Index k = 1; walks && k < samples; ++k) values(0, k) += values(0, k - 1);
  const Vector times = Vector::LinSpaced(samples, 0, 0.001 * static_cast<double>(samples - 1));
  return Dataset({"y"}, {Trajectory("1", times, values)});
}

TEST(WanderingLevel, IsWhatARandomWalkIsTakenFor) {
  for (const Index samples : {300, 600})
    for (const std::uint64_t seed : {1U, 5U, 6U})
      EXPECT_THROW(identify(random_record(seed, samples, true)), NotIdentified)
          << samples << " samples, seed " << seed;
}

TEST(WanderingLevel, OrAConstantIsWhatWhiteNoiseIsTakenFor) {
  for (const Index samples : {300, 600})
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U})
      EXPECT_THROW(identify(random_record(seed, samples, false)), NotIdentified)
          << samples << " samples, seed " << seed;
}

TEST(WanderingLevel, ExplainsNoiseAndWalksButNoDecay) {
  for (const bool walks : {false, true})
    EXPECT_TRUE(wandering_level(random_record(3, 2000, walks)).explains);
  // One channel that swings is enough, whatever the others do.
  Matrix two(2, 2000);
  const Vector times = Vector::LinSpaced(2000, 0, 20);
  two << random_record(3, 2000, true).runs()[0].states(), (3 * times.array()).sin().transpose();
  EXPECT_FALSE(wandering_level(Dataset({"a", "b"}, {Trajectory("1", times, two)})).explains);
}

TEST(WanderingLevel, IsJudgedByTheLikelihoodOfWhatItIs) {
  // Of a walk: that of its steps. Of white noise: that of its mean, and a log N which the filter takes for not knowing it at first.
  // A variance more lowers −2 log likelihood by a χ² of one degree of freedom: below 16 in all but one of 10⁴ cases.
  constexpr Index samples = 2000;
  for (const bool walks : {false, true}) {
    const Dataset data = random_record(4, samples, walks);
    const Matrix values = data.runs()[0].states();
    const double squares =
        walks ? (values.rightCols(samples - 1) - values.leftCols(samples - 1)).squaredNorm()
              : (values.array() - values.mean()).square().sum();
    const double expected =
        samples * std::log(squares / samples) + (walks ? 2 : 3) * std::log(double{samples});
    EXPECT_NEAR(wandering_level(data).criterion, expected, 16) << walks;
  }
}

TEST(WanderingLevel, TakesGapsAndUnevenTimes) {
  Random random(8);
  constexpr Index samples = 3000;
  Vector times(samples);
  Matrix values(1, samples);
  double time = 0, level = 40;
  for (Index k = 0; k < samples; ++k) {
    const double step = 0.1 + random.uniform();
    time += step;
    level += std::sqrt(step) * random.normals(1)[0];
    times[k] = time;
    values(0, k) = level + 0.5 * random.normals(1)[0];
  }
  for (Index k = 1; k < samples; ++k)
    if (random.uniform() < 0.3) values(0, k) = std::nan("");
  EXPECT_TRUE(wandering_level(Dataset({"y"}, {Trajectory("1", times, values)})).explains);
}

}  // namespace
}  // namespace lgn::testing
