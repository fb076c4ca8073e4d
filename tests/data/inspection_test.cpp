#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/random.h"
#include "lgn/data/inspection.h"

namespace lgn {
namespace {

constexpr Index kSamples = 2000;
constexpr double kStep = 0.01;

template <class F>
Dataset record(F value, double noise = 0) {
  Random random(7);
  const Matrix scatter = noise * random.normals(1, kSamples);
  Vector times(kSamples);
  Matrix states(1, kSamples);
  for (Index k = 0; k < kSamples; ++k) {
    times[k] = kStep * static_cast<double>(k);
    states(0, k) = value(times[k]) + scatter(0, k);
  }
  return Dataset({"x"}, {Trajectory("1", times, states)});
}

RecordKind kind(const Dataset& data) { return inspect(data).record; }

/// A mode that noise keeps going: AR(2) with poles at 0.99 e^{±0.1i}.
Dataset ambient() {
  Random random(3);
  const Matrix shocks = random.normals(1, kSamples);
  Vector times = Vector::LinSpaced(kSamples, 0, kStep * (kSamples - 1));
  Matrix states = Matrix::Zero(1, kSamples);
  for (Index k = 2; k < kSamples; ++k)
    states(0, k) =
        2 * 0.99 * std::cos(0.1) * states(0, k - 1) - 0.9801 * states(0, k - 2) + shocks(0, k);
  return Dataset({"x"}, {Trajectory("1", times, states)});
}

TEST(Inspection, KnowsKindsOfRecords) {
  EXPECT_EQ(kind(record([](double t) { return std::exp(-0.2 * t) * std::cos(5 * t); })),
            RecordKind::free);
  EXPECT_EQ(kind(record([](double t) { return std::cos(5 * t); }, 0.01)), RecordKind::free);
  EXPECT_EQ(kind(record([](double t) { return 2 + std::exp(-0.5 * t); }, 0.001)), RecordKind::free);
  EXPECT_EQ(kind(record([](double t) { return std::exp(0.2 * t) * std::cos(5 * t); })),
            RecordKind::growing);
  EXPECT_EQ(kind(record([](double) { return 3.0; })), RecordKind::constant);
  EXPECT_EQ(kind(record([](double) { return 0.0; }, 1)), RecordKind::ambient);
  EXPECT_EQ(kind(ambient()), RecordKind::ambient);
  double place = 0;
  Random random(5);
  EXPECT_EQ(kind(record([&](double) { return place += random.normal(); })), RecordKind::ambient);
  const Dataset free = record([](double t) { return std::sin(t); });
  const Trajectory& run = free.runs()[0];
  const Matrix input = run.states().cwiseAbs();
  EXPECT_EQ(kind(Dataset({"x"}, {Trajectory("1", run.times(), run.states(), input)}, {"u"})),
            RecordKind::driven);
}

TEST(Inspection, KnowsFreeMotionAtUnevenTimesWithGaps) {
  Random random(4);
  constexpr Index n = 300;
  Vector times(n);
  Matrix states(2, n);
  double t = 0;
  for (Index k = 0; k < n; ++k) {
    times[k] = t += 0.2 * random.uniform() + 1e-3;
    // Too little decay for energies alone to show it.
    const double decay = std::exp(-0.02 * t);
    states(0, k) = decay * (std::cos(1.3 * t) + std::cos(0.5 * t) + std::cos(1.8 * t));
    states(1, k) = decay * (std::sin(0.9 * t) + std::sin(1.8 * t));
  }
  states += 0.01 * random.normals(2, n);
  for (Index k = 0; k < n; ++k)
    for (Index c = 0; c < 2; ++c)
      if (random.uniform() < 0.3) states(c, k) = std::nan("");
  EXPECT_EQ(kind(Dataset({"x", "y"}, {Trajectory("1", times, states)})), RecordKind::free);
}

TEST(Inspection, SeesNoiseAndOffsets) {
  const ChannelInspection channel =
      inspect(record([](double t) { return 5 + std::exp(-0.1 * t) * std::cos(5 * t); }, 0.02))
          .channels[0];
  EXPECT_NEAR(channel.noise, 0.02,
              0.002);  // a median of 2,000 differences: 3% each way, three times
  EXPECT_TRUE(channel.has_offset);
  EXPECT_NEAR(channel.offset, 5, 0.02);  // the last half swings for eight periods, by 0.37 at most
  EXPECT_FALSE(
      inspect(record([](double t) { return std::cos(5 * t); }, 0.02)).channels[0].has_offset);
  EXPECT_FALSE(
      inspect(record([](double t) { return std::exp(-0.5 * t); }, 0.001)).channels[0].has_offset);
}

TEST(Inspection, SeesOutliersAndBadSensors) {
  const auto swing = [](double t) { return 3 * std::exp(-0.05 * t) * std::sin(5 * t); };
  const ChannelInspection good = inspect(record(swing, 0.01)).channels[0];
  EXPECT_EQ(good.outliers + good.clipped + good.stuck, 0);
  const ChannelInspection odd =
      inspect(record([&](double t) { return std::abs(t - 7) < 1e-9 ? 40.0 : swing(t); }, 0.01))
          .channels[0];
  EXPECT_EQ(odd.outliers, 1);
  const ChannelInspection clipped =
      inspect(record([&](double t) { return std::clamp(swing(t), -2.0, 2.0); })).channels[0];
  EXPECT_GT(clipped.clipped, 100);
  EXPECT_EQ(clipped.stuck, 0);
  const ChannelInspection stuck =
      inspect(record([&](double t) { return swing(t > 10 && t < 11 ? 10 : t); })).channels[0];
  EXPECT_NEAR(static_cast<double>(stuck.stuck), 100, 2);
}

TEST(Inspection, SeesOutliersThatAreMany) {
  // One sample in ten is wrong, so that two fifths of all samples have one among the four that predict them, or are one.
  int seen = 0;
  constexpr int records = 20;
  for (int k = 0; k < records; ++k) {
    Random wrong(static_cast<std::uint64_t>(k + 1));
    const auto swing = [&](double t) {
      const double right = std::exp(-0.03 * t) * std::cos(12 * t);
      return wrong.uniform() < 0.1 ? right + 20 * wrong.normal() : right;
    };
    seen += inspect(record(swing, 0.02)).channels[0].outliers > 0 ? 1 : 0;
  }
  EXPECT_EQ(seen, records);
}

TEST(Inspection, TakesFastMotionForNoOutlier) {
  // A few samples to an oscillation, which has died away after some ten: neighbours predict nothing while it moves.
  Random random(11);
  int seen = 0;
  constexpr int records = 200;
  for (int k = 0; k < records; ++k) {
    const double a = random.normal(), b = random.normal(), phase = random.normal();
    const auto beats = [&](double t) {
      const double samples = t / kStep;
      return std::exp(-0.2 * samples) *
             (a * std::cos(1.3 * samples) + b * std::sin(5.4 * samples + phase));
    };
    seen += inspect(record(beats, 0.003)).channels[0].outliers > 0 ? 1 : 0;
  }
  EXPECT_LE(seen, records / 100);
}

TEST(Inspection, SeesHowTimesRun) {
  Vector times{{0, 1, 2, 3, 4, 10, 11, 12}};
  const Dataset data({"x"}, {Trajectory("1", times, Matrix::Random(1, 8))});
  const TimesInspection seen = inspect(data).times;
  EXPECT_TRUE(seen.is_even);
  EXPECT_EQ(seen.gaps, 1);
  EXPECT_EQ(seen.longest_gap, 6);
  EXPECT_EQ(seen.step, 1);
  times[2] = 2.1;
  EXPECT_FALSE(
      inspect(Dataset({"x"}, {Trajectory("1", times, Matrix::Random(1, 8))})).times.is_even);
}

}  // namespace
}  // namespace lgn
