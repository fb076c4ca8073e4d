#include "lgn/core/setting.h"

#include <gtest/gtest.h>

namespace lgn {
namespace {

std::string shouted(std::string_view text) {
  return write_settings(text, [](std::string_view name, std::string_view value) {
    return "<" + std::string(name) + "|" + std::string(value) + ">";
  });
}

TEST(Setting, NamesTheOptionAndItsValue) {
  EXPECT_EQ(setting("structure", "network"), "`structure: network`");
  EXPECT_EQ(setting("channels"), "`channels`");
}

TEST(Setting, IsWrittenAsItsReaderTypesIt) {
  EXPECT_EQ(shouted("use " + setting("structure", "parametric:LAW") + " or " +
                    setting("max_seconds") + "."),
            "use <structure|parametric:LAW> or <max_seconds|>.");
  EXPECT_EQ(shouted(setting("kinds", "q,v,…")), "<kinds|q,v,…>");
}

TEST(Setting, OtherTextStays) {
  for (const char* text : {"", "no setting", "a ` alone", "`two words`", "``", "`-x`", "`1`"})
    EXPECT_EQ(shouted(text), text);
  EXPECT_EQ(shouted("a ` before `edges`"), "a ` before <edges|>");
}

}  // namespace
}  // namespace lgn
