#include "lgn/flow/sample_runs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/flow/propagate.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

TEST(SampleRuns, AreExactTrajectoriesOnAGrid) {
  const System system = rlc(2, 0.3);
  const Dataset data = sample_runs(system, {.runs = 3, .end = 5, .step = 0.1});
  ASSERT_EQ(data.runs().size(), 3u);
  EXPECT_EQ(data.channels(), system.channels);
  for (const auto& run : data.runs()) {
    ASSERT_EQ(run.samples(), 50);  // 0 … 4.9
    EXPECT_EQ(run.times()[3], 0.3);
    EXPECT_EQ(run.times()[49], 4.9);
    EXPECT_EQ(run.states(), propagate(system.a, run.states().col(0), run.times()));
  }
  EXPECT_EQ(data.runs()[2].label(), "3");
}

TEST(SampleRuns, StartRandomlyAtEnergyOne) {
  const Dataset data = sample_runs(mass_spring(3, 1, 1, 0), {.runs = 20, .end = 0.3});
  // Less the 1e-6 that guards against a zero, over ½‖x‖² before scaling: above 0.01 in these draws.
  for (const auto& run : data.runs()) EXPECT_NEAR(0.5 * run.states().col(0).squaredNorm(), 1, 1e-4);
  EXPECT_NE(data.runs()[0].states().col(0), data.runs()[1].states().col(0));
}

TEST(SampleRuns, StartWhereTheyAreTold) {
  const Vector start{{3.0, -4.0}};
  const Dataset data = sample_runs(rlc(1, 0), {.runs = 2, .start = start});
  for (const auto& run : data.runs()) EXPECT_EQ(run.states().col(0), start);
}

TEST(SampleRuns, RepeatForASeed) {
  const System system = oscillator(1);
  const SamplingOptions options{.runs = 2, .noise = 0.1, .seed = 3};
  SamplingOptions other = options;
  other.seed = 4;
  EXPECT_EQ(sample_runs(system, options).runs()[1].states(),
            sample_runs(system, options).runs()[1].states());
  EXPECT_NE(sample_runs(system, options).runs()[1].states(),
            sample_runs(system, other).runs()[1].states());
}

TEST(SampleRuns, NoiseIsRelativeToTheSignal) {
  // q is a tenth of p; each channel has a unit of its own, so each gets 20% of itself.
  const Vector start{{1.0, 0.0}};
  const SamplingOptions clean{.end = 400, .step = 0.1, .start = start};
  SamplingOptions noisy = clean;
  noisy.noise = 0.2;
  const System system = oscillator(10);
  const Matrix x = sample_runs(system, clean).runs()[0].states();
  const Matrix e = sample_runs(system, noisy).runs()[0].states() - x;
  const auto deviation = [](const auto& row) {
    return std::sqrt((row.array() - row.mean()).square().mean());
  };
  const double spread = 5 / std::sqrt(2 * 4000.0);  // five deviations of an estimated σ
  for (Index c = 0; c < 2; ++c)
    EXPECT_NEAR(deviation(e.row(c)) / deviation(x.row(c)), 0.2, 0.2 * spread);
}

TEST(SampleRuns, NoiseIsTheSameForStatesOfOneUnit) {
  const System system = ladder(Vector{{0.1}}, Vector{{1.0}}, Vector{{1.0}});
  const SamplingOptions clean{.end = 400, .step = 0.1, .start = Vector{{1.0, 0.0}}};
  SamplingOptions noisy = clean;
  noisy.noise = 0.2;
  const Matrix e =
      sample_runs(system, noisy).runs()[0].states() - sample_runs(system, clean).runs()[0].states();
  const double ratio = e.row(0).norm() / e.row(1).norm();
  EXPECT_NEAR(ratio, 1, 5 / std::sqrt(4000.0));
}

TEST(SampleRuns, RefuseWhatMakesNoSense) {
  const System system = rlc(1, 0.1);
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  for (const double step : {0.0, -1.0, nan, inf})
    EXPECT_THROW(sample_runs(system, {.step = step}), Error);
  for (const double end : {0.0, -1.0, 0.1, nan, inf})
    EXPECT_THROW(sample_runs(system, {.end = end}), Error);
  for (const double noise : {-0.1, nan, inf})
    EXPECT_THROW(sample_runs(system, {.noise = noise}), Error);
  EXPECT_THROW(sample_runs(system, {.runs = 0}), Error);
  EXPECT_THROW(sample_runs(system, {.start = Vector::Ones(3)}), Error);
  EXPECT_THROW(sample_runs(system, {.end = 1e12, .step = 1e-3}), Error);
}

TEST(SampleRuns, TimesAreFreeOfDust) {
  const Dataset data = sample_runs(rlc(1, 0.1), {.end = 1, .step = 0.1});
  for (Index k = 0; k < 10; ++k)
    EXPECT_LE(std::abs(data.runs()[0].times()[k] - static_cast<double>(k) / 10), epsilon * 0.5);
}

}  // namespace
}  // namespace lgn
