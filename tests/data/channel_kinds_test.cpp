#include "lgn/data/channel_kinds.h"

#include <gtest/gtest.h>

#include "lgn/core/error.h"

namespace lgn {
namespace {

using enum ChannelKind;
using Names = std::vector<std::string>;
using Kinds = std::vector<ChannelKind>;

TEST(ChannelKinds, HaveNamesThatReadBack) {
  for (const auto kind : {plain, voltage, current, temperature, force, velocity, position})
    EXPECT_EQ(parse_kinds({name_of(kind)}, 1), Kinds{kind}) << name_of(kind);
  EXPECT_EQ(name_of(plain), "plain");
  EXPECT_EQ(name_of(position), "position");
}

TEST(ChannelKinds, ParseLetters) {
  EXPECT_EQ(parse_kinds({"v", "i", "-"}, 3), (Kinds{voltage, current, plain}));
  EXPECT_EQ(parse_kinds({"V", "I", "Voltage"}, 3), (Kinds{voltage, current, voltage}));
  EXPECT_EQ(parse_kinds({"T", "T"}, 2), (Kinds{temperature, temperature}));
  EXPECT_EQ(parse_kinds({"q", "x", "v", "v"}, 4), (Kinds{position, position, velocity, velocity}));
  EXPECT_EQ(parse_kinds({"v", "f"}, 2), (Kinds{velocity, force}));
  EXPECT_TRUE(parse_kinds({}, 0).empty());
}

TEST(ChannelKinds, AWordSaysWhatItIsWhateverStandsBesideIt) {
  EXPECT_EQ(parse_kinds({"voltage", "v", "f"}, 3), (Kinds{voltage, velocity, force}));
}

TEST(ChannelKinds, RefuseOtherWords) {
  for (const char* word : {"", "t", "volt", "vv", "-1", "v1", "\n"})
    EXPECT_THROW(parse_kinds({word}, 1), Error) << word;
  EXPECT_THROW(parse_kinds({"v"}, 2), Error);
  EXPECT_THROW(parse_kinds({"v", "i"}, 1), Error);
  EXPECT_THROW(parse_kinds({}, 1), Error);
}

TEST(ChannelKinds, GuessCircuits) {
  EXPECT_EQ(guess_kinds({"v1", "i1"}), (Kinds{voltage, current}));
  EXPECT_EQ(guess_kinds({"v(n1)", "V(n2)", "i(l1)"}), (Kinds{voltage, voltage, current}));
  EXPECT_EQ(guess_kinds({"V2", "I_L3", "vC1", "iL1"}), (Kinds{voltage, current, voltage, current}));
  EXPECT_EQ(guess_kinds({"voltage_out", "current_in"}), (Kinds{voltage, current}));
  EXPECT_EQ(guess_kinds({"v", "i"}), (Kinds{voltage, current}));
  EXPECT_EQ(guess_kinds({"v1", "v2"}), (Kinds{voltage, voltage}));
  EXPECT_EQ(guess_kinds({"i1"}), Kinds{current});
}

TEST(ChannelKinds, GuessTemperatures) {
  EXPECT_EQ(guess_kinds({"T1", "T_inside", "temp_wall", "Temperature[3]"}), Kinds(4, temperature));
  // A lower-case t is a time.
  EXPECT_EQ(guess_kinds({"t1", "t2"}), Kinds(2, plain));
}

TEST(ChannelKinds, GuessMassesWhereEveryPositionHasItsVelocity) {
  for (const char* speed : {"v", "dq", "dx", "qd", "xd", "xdot", "vel"}) {
    const std::string one = std::string(speed) + "1", two = std::string(speed) + "2";
    EXPECT_EQ(guess_kinds({"q1", "q2", one, two}), (Kinds{position, position, velocity, velocity}));
    EXPECT_EQ(guess_kinds({"x1", two, one, "x2"}), (Kinds{position, velocity, velocity, position}));
    EXPECT_EQ(guess_kinds({"x1", "x2", one}), Kinds(3, plain)) << "one has none";
    EXPECT_EQ(guess_kinds({"x1", two}), Kinds(2, plain)) << "that of another";
    EXPECT_EQ(guess_kinds({"x1", one, one}), Kinds(3, plain)) << "two for one";
  }
  EXPECT_EQ(guess_kinds({"q", "v"}), (Kinds{position, velocity}));
  EXPECT_EQ(guess_kinds({"v1", "f1", "force2"}), (Kinds{velocity, force, force}));
}

TEST(ChannelKinds, StayPlainWhereNamesDoNotSay) {
  const std::vector<Names> unclear = {{},
                                      {"x1", "x2", "x3"},
                                      {"q", "p"},
                                      {"v1", "i1", "y"},
                                      {"v1", "T1"},
                                      {"q1", "i1"},
                                      {"f1", "f2"},
                                      {"dq1", "dq2"},
                                      {"x1", "v1", "f1"},
                                      {"i1", "f1"},
                                      {"plain"},
                                      {"-"},
                                      {""},
                                      {"1"},
                                      {"vout", "iin"},
                                      {"_v", "_i"},
                                      {"v 1", "i 1"},
                                      {"q1", "q_dot1"},
                                      {"x1", "y1", "z1"},
                                      {"T1", "x1"},
                                      {"time1"},
                                      {"vx", "vy"},
                                      {"flow1", "level1"},
                                      {"force1", "force2"},
                                      {"v1", "vel1"}};
  for (const auto& names : unclear)
    EXPECT_EQ(guess_kinds(names), Kinds(names.size(), plain))
        << (names.empty() ? "none" : names.front());
}

}  // namespace
}  // namespace lgn
