#include "lgn/data/scales.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgn/core/random.h"
#include "lgn/data/windows.h"
#include "tests/gap.h"

namespace lgn {
namespace {

/// Amplitude · (cos ωt, sin ωt) and noise, relative to the amplitude.
Dataset turning(double omega, double step, Index samples, double amplitude = 1, double noise = 0) {
  Random random(1);
  const Vector times = step * Vector::LinSpaced(samples, 0, static_cast<double>(samples - 1));
  Matrix states(2, samples);
  states.row(0) = amplitude * (omega * times.array()).cos();
  states.row(1) = amplitude * (omega * times.array()).sin();
  states += amplitude * noise * random.normals(2, samples);
  return Dataset({"x", "y"}, {Trajectory("1", times, states)});
}

TEST(Amplitude, IsTheRootMeanSquareOfWhatIsThere) {
  const Vector times{{0.0, 1.0, 2.0}};
  const Dataset data({"x", "y"},
                     {Trajectory("1", times, Matrix{{3.0, kGap, 4.0}, {0.0, 0.0, kGap}})});
  EXPECT_DOUBLE_EQ(amplitude(data), std::sqrt(25.0 / 4));
  const Vector sizes = channel_amplitudes(data);
  EXPECT_DOUBLE_EQ(sizes[0], std::sqrt(25.0 / 2));
  EXPECT_DOUBLE_EQ(sizes[1], amplitude(data));  // a channel that is zero has no size of its own
}

TEST(Amplitude, CountsEveryRun) {
  const Vector times{{0.0, 1.0}};
  const Dataset data({"x"}, {Trajectory("1", times, Matrix{{1.0, 1.0}}),
                             Trajectory("2", times, Matrix{{7.0, 1.0}})});
  EXPECT_DOUBLE_EQ(amplitude(data), std::sqrt(52.0 / 4));
  EXPECT_DOUBLE_EQ(channel_amplitudes(data)[0], std::sqrt(52.0 / 4));
}

TEST(TypicalRate, OfATurningSignalIsItsFrequency) {
  // Fifty radians hold no whole number of turns, which puts the sizes off by up to 1/(2 · 50).
  for (const double omega : {0.01, 1.0, 300.0})
    EXPECT_NEAR(typical_rate(turning(omega, 0.1 / omega, 500)) / omega, 1, 0.01);
}

TEST(TypicalRate, StandsClearOfNoise) {
  // Differences of neighbours would see √2 · 0.1 of noise over 0.01 rad: a rate of 14.
  EXPECT_NEAR(typical_rate(turning(1, 0.01, 5000, 1, 0.1)), 1, 0.2);
}

TEST(TypicalRate, DoesNotDependOnTheUnitOfAChannel) {
  const Dataset data = turning(1, 0.1, 300);
  Matrix states = data.runs()[0].states();
  states.row(1) *= 1e6;
  const Dataset scaled({"x", "y"}, {Trajectory("1", data.runs()[0].times(), states)});
  EXPECT_NEAR(typical_rate(scaled) / typical_rate(data), 1, 1e-12);
}

TEST(TypicalRate, ScalesWithTheUnitOfTime) {
  const Dataset data = turning(1, 0.1, 300);
  EXPECT_NEAR(typical_rate(rescale_time(data, 1e-9)) / typical_rate(data), 1e9, 1e-3);
}

TEST(TypicalRate, OfSomethingAtRestIsThatOfTheSamples) {
  const Vector times{{0.0, 0.5, 1.0}};
  EXPECT_EQ(typical_rate(Dataset({"x"}, {Trajectory("1", times, Matrix::Zero(1, 3))})), 2);
  EXPECT_EQ(typical_rate(Dataset({"x"}, {Trajectory("1", times, Matrix::Ones(1, 3))})), 2);
}

TEST(TypicalRate, SurvivesGaps) {
  Matrix states = turning(1, 0.1, 300).runs()[0].states();
  for (Index k = 0; k < states.cols(); ++k)
    if (k % 3 != 0) states.col(k).setConstant(kGap);
  const Dataset data({"x", "y"}, {Trajectory("1", turning(1, 0.1, 300).runs()[0].times(), states)});
  EXPECT_NEAR(typical_rate(data), 1, 0.02);  // thirty radians: 1/(2 · 30)
}

TEST(MedianStep, IsThatOfAllRuns) {
  const Dataset data({"x"}, {Trajectory("1", Vector{{0.0, 1.0, 2.0, 100.0}}, Matrix::Ones(1, 4)),
                             Trajectory("2", Vector{{0.0, 3.0, 6.0}}, Matrix::Ones(1, 3))});
  EXPECT_EQ(median_step(data), 3);  // of 1, 1, 98, 3, 3
}

}  // namespace
}  // namespace lgn
