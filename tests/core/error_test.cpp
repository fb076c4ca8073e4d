#include "lgn/core/error.h"

#include <gtest/gtest.h>

namespace lgn {
namespace {

TEST(Error, SaysWhereWhatAndWhatHelps) {
  const Error error("not a number: abc", "write nan for a missing cell", {"a.csv", 3, 7});
  EXPECT_STREQ(error.what(), "a.csv:3:7: not a number: abc; write nan for a missing cell");
  EXPECT_EQ(error.problem(), "not a number: abc");
  EXPECT_EQ(error.help(), "write nan for a missing cell");
  EXPECT_EQ(error.location().file, "a.csv");
  EXPECT_EQ(error.location().line, 3u);
  EXPECT_EQ(error.location().column, 7u);
}

TEST(Error, LeavesOutWhatIsNotKnown) {
  EXPECT_STREQ(Error("empty").what(), "empty");
  EXPECT_STREQ(Error("empty", "add a row").what(), "empty; add a row");
  EXPECT_STREQ(Error("empty", {}, {"a.csv", 0, 0}).what(), "a.csv: empty");
  EXPECT_STREQ(Error("empty", {}, {"a.csv", 2, 0}).what(), "a.csv:2: empty");
}

TEST(Error, NotIdentifiedIsAnErrorOfItsOwnKind) {
  try {
    throw NotIdentified("too few samples", "record longer");
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "too few samples; record longer");
    EXPECT_NE(dynamic_cast<const NotIdentified*>(&error), nullptr);
  }
}

}  // namespace
}  // namespace lgn
