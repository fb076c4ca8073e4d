#include "lgn/data/windows.h"

#include <gtest/gtest.h>

#include <limits>

#include "lgn/core/error.h"
#include "tests/gap.h"

namespace lgn {
namespace {

/// A run whose only channel is 100 + its time, from `first` on.
Trajectory count_up(const std::string& label, double first, Index samples) {
  const Vector times = Vector::LinSpaced(samples, first, first + static_cast<double>(samples - 1));
  return Trajectory(label, times, (times.array() + 100).matrix().transpose(),
                    Matrix::Zero(1, samples));
}

std::vector<Index> lengths(const Dataset& data) {
  std::vector<Index> all;
  for (const auto& run : data.runs()) all.push_back(run.samples());
  return all;
}

using Lengths = std::vector<Index>;

TEST(Windows, AreTheRunInPieces) {
  const Dataset data({"x"}, {count_up("a", 0, 12), count_up("b", 50, 4)}, {"u"});
  const Dataset windows = cut_windows(data, 4);
  EXPECT_EQ(lengths(windows), (Lengths{4, 4, 4, 4}));
  EXPECT_EQ(windows.runs()[2].label(), "a");
  EXPECT_EQ(windows.runs()[2].times()[0], 8);
  EXPECT_EQ(windows.runs()[2].states()(0, 3), 111);
  EXPECT_EQ(windows.runs()[3].label(), "b");
  EXPECT_EQ(windows.inputs(), std::vector<std::string>{"u"});
}

TEST(Windows, TheLastTakesARemainderThatIsTooShort) {
  const auto cut = [](Index samples, Index length) {
    return lengths(cut_windows(Dataset({"x"}, {count_up("a", 0, samples)}, {"u"}), length));
  };
  EXPECT_EQ(cut(13, 4), (Lengths{4, 4, 5}));
  EXPECT_EQ(cut(14, 4), (Lengths{4, 4, 4, 2}));
  EXPECT_EQ(cut(3, 4), (Lengths{3}));
  EXPECT_EQ(cut(5, 100), (Lengths{5}));
  EXPECT_EQ(cut(5, 0), (Lengths{2, 3}));  // two samples at least
}

TEST(Windows, WithoutAValueAreLeftOut) {
  Matrix states = Matrix::Ones(1, 8);
  states.block(0, 2, 1, 4).setConstant(kGap);
  const Dataset data({"x"}, {Trajectory("a", Vector::LinSpaced(8, 0, 7), states)});
  const Dataset windows = cut_windows(data, 2);
  EXPECT_EQ(lengths(windows), (Lengths{2, 2}));
  EXPECT_EQ(windows.runs()[1].times()[0], 6);
}

TEST(Split, KeepsTheEndOfEveryRun) {
  const Dataset data({"x"}, {count_up("a", 0, 10), count_up("b", 50, 5)}, {"u"});
  const Split split = split_in_time(data, 0.4);
  EXPECT_EQ(lengths(split.train), (Lengths{6, 3}));
  EXPECT_EQ(lengths(split.holdout), (Lengths{4, 2}));
  EXPECT_EQ(split.holdout.runs()[0].times()[0], 6);
  EXPECT_EQ(split.holdout.runs()[1].states()(0, 0), 153);
}

TEST(Split, LeavesTwoSamplesOnEitherSide) {
  const Dataset four({"x"}, {count_up("a", 0, 4)}, {"u"});
  EXPECT_EQ(lengths(split_in_time(four, 0.01).holdout), Lengths{2});
  EXPECT_THROW(split_in_time(four, 0.7), Error);
  EXPECT_THROW(split_in_time(Dataset({"x"}, {count_up("a", 0, 3)}, {"u"}), 0.5), Error);
}

TEST(Split, NeedsAFraction) {
  const Dataset data({"x"}, {count_up("a", 0, 10)}, {"u"});
  for (const double fraction : {0.0, 1.0, -0.1, 2.0, kGap})
    EXPECT_THROW(split_in_time(data, fraction), Error);
}

TEST(SpreadWindows, ReachFromTheBeginningOfEachRunToItsEnd) {
  const Dataset data({"x"}, {count_up("a", 0, 100), count_up("b", 7, 4)}, {"u"});
  const Dataset windows = spread_windows(data, 10, 30);
  ASSERT_EQ(windows.runs().size(), 3U);
  EXPECT_EQ(windows.runs()[0].times()[0], data.runs()[0].times()[0]);
  EXPECT_EQ(windows.runs()[0].samples(), 10);
  EXPECT_EQ(windows.runs()[1].times()[9], data.runs()[0].times()[99]);
  // A run that is no longer than a window stays whole, with its inputs.
  EXPECT_EQ(windows.runs()[2].states(), data.runs()[1].states());
  EXPECT_EQ(windows.runs()[2].inputs(), data.runs()[1].inputs());
}

TEST(RescaledTime, MovesTimesAlone) {
  const Dataset data({"x"}, {count_up("a", 4, 3)}, {"u"});
  const Dataset slow = rescale_time(data, 0.5);
  EXPECT_EQ(slow.runs()[0].times(), (Vector{{2.0, 2.5, 3.0}}));
  EXPECT_EQ(slow.runs()[0].states(), data.runs()[0].states());
  EXPECT_EQ(slow.runs()[0].label(), "a");
}

TEST(Split, AChannelMayEndEarly) {
  Matrix states = Matrix::Ones(2, 10);
  states.row(0).tail(4).setConstant(std::numeric_limits<double>::quiet_NaN());
  const Dataset data({"a", "b"}, {Trajectory("1", Vector::LinSpaced(10, 0, 9), states)});
  const Split split = split_in_time(data, 0.3);
  EXPECT_EQ(split.holdout.present(), 3);
  states.row(1).tail(3).setConstant(std::numeric_limits<double>::quiet_NaN());
  const Dataset nothing({"a", "b"}, {Trajectory("1", Vector::LinSpaced(10, 0, 9), states)});
  EXPECT_THROW(split_in_time(nothing, 0.3), Error);
}

}  // namespace
}  // namespace lgn
