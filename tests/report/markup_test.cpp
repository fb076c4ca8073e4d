#include "lgn/report/text/markup.h"

#include <gtest/gtest.h>

#include <set>

namespace lgn {
namespace {

TEST(Markup, IsEscaped) {
  EXPECT_EQ(escape_markup("<a href=\"x\">&'</a>"),
            "&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;");
  EXPECT_EQ(escape_markup("µ 温度"), "µ 温度");
  EXPECT_EQ(escape_markup("a\x1b<"), "a\uFFFD&lt;");
}

TEST(Markup, KeepsEveryTextThatXmlKnows) {
  for (const std::string text : {"", "a b\tc\nd\re", "\u0080", "\u07FF", "\u0800", "\uD7FF",
                                 "\uE000", "\uFFFD", "\U00010000", "\U0010FFFF"})
    EXPECT_EQ(clean_text(text), text);
}

TEST(Markup, ReplacesWhatIsNone) {
  EXPECT_EQ(clean_text(std::string("a\0b", 3)), "a\uFFFDb");
  // Control characters; bytes that continue nothing, start nothing or are cut off.
  for (const char* one : {"\x01", "\x1F", "\x80", "\xBF", "\xC3", "\xFF", "\xF5"})
    EXPECT_EQ(clean_text(one), "\uFFFD") << one;
  // Overlong forms, halves of surrogate pairs, beyond the last character, U+FFFE: none of their
  // bytes stands.
  for (const std::string text :
       {"\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xEF\xBF\xBE"}) {
    std::string replaced;
    for (std::size_t k = 0; k < text.size(); ++k) replaced += "\uFFFD";
    EXPECT_EQ(clean_text(text), replaced);
  }
}

TEST(Markup, PaletteHasSevenColoursAndRepeats) {
  std::set<std::string> colours;
  for (int k = 0; k < 7; ++k) colours.insert(palette_colour(k));
  EXPECT_EQ(colours.size(), 7u);
  EXPECT_STREQ(palette_colour(7), palette_colour(0));
}

}  // namespace
}  // namespace lgn
