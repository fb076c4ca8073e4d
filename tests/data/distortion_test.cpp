#include "lgn/data/distortion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lgn/core/random.h"

namespace lgn::testing {
namespace {

/// Three and a half periods of a multisine of harmonics 1, 3, 7 and 9, and what a static system makes of it.
Dataset periodic(double even, double odd, double noise, std::uint64_t seed) {
  constexpr Index period = 64, samples = 7 * period / 2 + 1;
  Random random(seed);
  Vector phases(4);
  for (double& phase : phases) phase = 2 * std::numbers::pi * random.uniform();
  const Vector times = Vector::LinSpaced(samples, 0, 0.1 * (samples - 1));
  Matrix u = Matrix::Zero(1, samples);
  for (Index k = 0; k < samples; ++k)
    for (Index w = 0; w < 4; ++w) {
      constexpr double harmonics[] = {1, 3, 7, 9};
      u(0, k) += std::cos(2 * std::numbers::pi * harmonics[w] * double(k) / period + phases[w]);
    }
  const Matrix y = u.array() + even * u.array().square() + odd * u.array().cube() + 2;
  return Dataset({"y"}, {Trajectory("1", times, y + noise * random.normals(1, samples), u)}, {"u"});
}

TEST(Distortion, IsNotSeenInALinearSystem) {
  // One false alarm in a thousand records.
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    EXPECT_TRUE(find_distortion(periodic(0, 0, 0.05, seed)).empty()) << seed;
}

TEST(Distortion, TellsEvenFromOdd) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto even = find_distortion(periodic(0.05, 0, 0.05, seed));
    ASSERT_EQ(even.size(), 1u) << seed;
    EXPECT_EQ(even[0].channel, "y");
    EXPECT_EQ(even[0].odd, 0);
    // 5% of √(E u⁴ − (E u²)²)/√(E u²), 0.1 for a normal u; sums and differences of these harmonics fall together by chance.
    EXPECT_GT(even[0].even, 0.05);
    EXPECT_LT(even[0].even, 0.15);
    const auto odd = find_distortion(periodic(0, 0.05, 0.05, seed));
    ASSERT_EQ(odd.size(), 1u) << seed;
    EXPECT_EQ(odd[0].even, 0);
    EXPECT_GT(odd[0].odd, 0.01);
  }
}

TEST(Distortion, NeedsAnInputThatRepeats) {
  Random random(1);
  const Vector times = Vector::LinSpaced(200, 0, 199);
  const Matrix u = random.normals(1, 200);
  EXPECT_TRUE(
      find_distortion(Dataset({"y"}, {Trajectory("1", times, u.cwiseAbs2(), u)}, {"u"})).empty());
  EXPECT_TRUE(find_distortion(Dataset({"y"}, {Trajectory("1", times, u)})).empty());
}

}  // namespace
}  // namespace lgn::testing
