#include <gtest/gtest.h>

#include "lgn/data/csv/csv.h"
#include "tests/data/csv_fixture.h"

namespace lgn {
namespace {

using testing::TextFile;

Vector times_in(const std::string& text, const ReadOptions& options = {}) {
  return read_times(TextFile(text).path(), options);
}

TEST(CsvTimes, NeedNoChannel) { EXPECT_EQ(times_in("t\n0\n0.5\n2\n"), (Vector{{0.0, 0.5, 2.0}})); }

TEST(CsvTimes, IgnoreOtherColumns) {
  EXPECT_EQ(times_in("x,Time,u1,note\n1,0,,a\nhigh,3,5,b\n"), (Vector{{0.0, 3.0}}));
  EXPECT_EQ(times_in("trajectory;t\na;1\na;2\n"), (Vector{{1.0, 2.0}}));
}

TEST(CsvTimes, MayHaveAnotherName) {
  EXPECT_EQ(times_in("t,when\n9,0\n8,1\n", {.time = "when"}), (Vector{{0.0, 1.0}}));
  // Channels that another command chose have no say here.
  EXPECT_EQ(times_in("t\n0\n1\n", {.channels = {"x"}}), (Vector{{0.0, 1.0}}));
}

TEST(CsvTimes, AreInTheFirstColumnWhoseNameHoldsAUnitOfTime) {
  EXPECT_EQ(times_in("x [ms],y\n0,1\n500,2\n2000,1\n"), (Vector{{0.0, 0.5, 2.0}}));
  EXPECT_EQ(times_in("s;F\n0;1\n0.5;2\n"), (Vector{{0.0, 0.5}}));
  EXPECT_EQ(times_in("min,T1\n0,1\n0.5,2\n"), (Vector{{0.0, 30.0}}));
  // Which is no time where it does not increase, or is not the first.
  EXPECT_THROW(times_in("min,max\n3,1\n2,2\n"), Error);
  EXPECT_THROW(times_in("F,s\n0,1\n1,2\n"), Error);
}

TEST(CsvTimes, AreOneIncreasingRun) {
  EXPECT_THROW(times_in("t\n0\n0\n"), Error);
  EXPECT_THROW(times_in("t\n1\n0\n"), Error);
  EXPECT_THROW(times_in("t\n1\n"), Error);
  EXPECT_THROW(times_in("t\n"), Error);
  EXPECT_THROW(times_in("t\n0\nnan\n"), Error);
  EXPECT_THROW(times_in("x\n0\n1\n"), Error);
  EXPECT_THROW(times_in("trajectory,t\na,0\na,1\nb,0\nb,1\n"), Error);
}

TEST(CsvTimes, AreCountedByTheIntervalUnderItsName) {
  const std::string scope =
      "X,CH1,Start,Increment,\nSequence,Volt,-1.0e+00,5.0e-01\n0,1,,\n1,2,,\n2,3,,\n";
  EXPECT_EQ(times_in(scope), (Vector{{0.0, 0.5, 1.0}}));
}

TEST(CsvTimes, AreInAFirstColumnWhoseUnitsSayIt) {
  EXPECT_EQ(times_in("x-axis,1\nsecond,Volt\n-0.5,1\n0,2\n0.5,4\n"), (Vector{{-0.5, 0.0, 0.5}}));
  EXPECT_THROW(times_in("x-axis,1\nmm,Volt\n-0.5,1\n0,2\n0.5,4\n"), Error);
}

TEST(CsvTimes, AreNoTemperatureBesideATime) {
  EXPECT_EQ(times_in("time_s,T\n0,20\n30,21\n"), (Vector{{0.0, 30.0}}));
  EXPECT_EQ(times_in("T,time_s\n20,0\n21,30\n"), (Vector{{0.0, 30.0}}));
  EXPECT_EQ(times_in("T,x\n0,20\n30,21\n"), (Vector{{0.0, 30.0}}));
  EXPECT_THROW(times_in("time_s,t [ms]\n0,20\n30,21\n", {}), Error);
}

}  // namespace
}  // namespace lgn
