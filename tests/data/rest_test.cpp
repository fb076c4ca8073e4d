#include "lgn/data/rest.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/random.h"

namespace lgn {
namespace {

/// 1,000 samples of a channel that swings from the sample `begin` on, about 3, with noise of that size.
Trajectory blow_at(Index begin, double noise, double omega = 0.3) {
  Random random(7);
  Vector times(1000);
  Matrix states(1, 1000);
  for (Index k = 0; k < 1000; ++k) {
    times[k] = 0.1 * static_cast<double>(k);
    const auto since = static_cast<double>(k - begin);
    states(0, k) = 3 + noise * random.normal() +
                   (k < begin ? 0 : std::exp(-0.004 * since) * std::cos(omega * since));
  }
  return Trajectory("r", times, states);
}

TEST(Rest, LastsUntilSomethingMoves) {
  for (const double noise : {0.0, 1e-6, 0.01}) EXPECT_EQ(samples_at_rest(blow_at(300, noise)), 300);
}

TEST(Rest, IsNoneWhereMotionBeginsTheRecord) {
  for (const double omega : {0.3, 0.03, 0.003})
    for (const double noise : {0.0, 0.01}) EXPECT_EQ(samples_at_rest(blow_at(0, noise, omega)), 0);
}

TEST(Rest, IsNoneWhereNoiseHidesIt) { EXPECT_EQ(samples_at_rest(blow_at(300, 0.2)), 0); }

TEST(Rest, IsNoneInAFewSamples) { EXPECT_EQ(samples_at_rest(blow_at(15, 0)), 0); }

TEST(Rest, IsNoneWhereAnotherChannelMoves) {
  const Trajectory late = blow_at(300, 0.01), early = blow_at(0, 0.01);
  Matrix states(2, 1000);
  states << late.states(), early.states();
  EXPECT_EQ(samples_at_rest(Trajectory("r", late.times(), states)), 0);
}

TEST(Rest, IsLeftOutOfEachRun) {
  const Dataset data({"x"}, {blow_at(300, 0.01), blow_at(0, 0.01)});
  Index left_out = 0;
  const Dataset moving = without_rest(data, left_out);
  EXPECT_EQ(left_out, 300);
  EXPECT_EQ(moving.runs()[0].times()[0], data.runs()[0].times()[300]);
  EXPECT_EQ(moving.runs()[0].states(), data.runs()[0].states().rightCols(700));
  EXPECT_EQ(moving.runs()[1].samples(), 1000);
}

}  // namespace
}  // namespace lgn
