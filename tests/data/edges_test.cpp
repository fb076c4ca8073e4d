#include "lgn/data/edges.h"

#include <gtest/gtest.h>

#include "tests/data/csv_fixture.h"

namespace lgn {
namespace {

using testing::TextFile;
using Pairs = std::vector<ChannelPair>;

const std::vector<std::string> ladder = {"v1", "i1", "v2", "i2"};
const std::vector<std::string> odd = {"T inside", "v(a,b)", "say \"x\"", "a:b", "b", "a", "b:b"};

EdgeRules rules_of(const std::string& text, const std::vector<std::string>& channels = ladder) {
  return read_edges(TextFile(text, "edges.csv").path(), channels);
}

std::string edges_complaint(const std::string& text,
                            const std::vector<std::string>& channels = ladder) {
  const TextFile file(text, "edges.csv");
  try {
    read_edges(file.path(), channels);
  } catch (const Error& error) {
    return std::string(error.what()).replace(0, file.path().size(), "FILE");
  }
  return {};
}

TEST(Edges, AreTheWholeWiring) {
  const EdgeRules rules = rules_of("v1,i1\ni1,v2\ni2,v2\n");
  EXPECT_EQ(rules.pattern, (Pairs{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_TRUE(rules.required.empty());
  EXPECT_TRUE(rules.forbidden.empty());
}

TEST(Edges, MayBeRequiredOrForbidden) {
  const EdgeRules rules = rules_of("v2,v1,forbid\nv1,i1,require\ni2,i1,forbid\n");
  EXPECT_TRUE(rules.pattern.empty());
  EXPECT_EQ(rules.required, (Pairs{{0, 1}}));
  EXPECT_EQ(rules.forbidden, (Pairs{{0, 2}, {1, 3}}));
  EXPECT_EQ(rules_of("v1,i1,edge\nv1,v2,forbid").pattern, (Pairs{{0, 1}}));
}

TEST(Edges, AreReadWhateverSeparatesThem) {
  const Pairs pairs = {{0, 1}, {1, 2}};
  for (const char* text :
       {"v1,i1\ni1,v2", "v1;i1\ni1;v2\n", "v1\ti1\ni1\tv2\n", "v1 i1\ni1   v2\n",
        "  v1 , i1\n\ti1, v2 \t\n", "v1,i1\r\ni1,v2\r\n", "\xEF\xBB\xBFv1,i1\ni1,v2\n",
        "\n\n# the first\nv1,i1\n  \n#\ni1,v2\n\n", "\"v1\" \"i1\"\n\"i1\",\"v2\"",
        "v1,i1,\ni1,v2,", "v1 i1 edge\ni1;v2;edge",
        "\xEF\xBB\xBF"
        "from,to\r\nv1,i1\r\ni1,v2\r\n",
        "# c\nsource target kind\nv1 i1\ni1 v2\n"})
    EXPECT_EQ(rules_of(text).pattern, pairs) << text;
}

TEST(Edges, OfNamesWithSeparatorsStandInQuotes) {
  const Pairs pairs = {{0, 1}, {1, 2}};
  for (const char* text : {"T inside,\"v(a,b)\"\n\"say \"\"x\"\"\",\"v(a,b)\"",
                           "\"T inside\" \"v(a,b)\"\n\"say \"\"x\"\"\" \"v(a,b)\" edge"})
    EXPECT_EQ(rules_of(text, odd).pattern, pairs) << text;
}

struct BadEdges {
  const char* text;
  const char* expected;  ///< the message starts with it, FILE standing for the path
  std::vector<std::string> channels = ladder;
};

class EdgesRefuse : public ::testing::TestWithParam<BadEdges> {};

TEST_P(EdgesRefuse, AndSayWhatWhereAndWhatWouldHelp) {
  const auto& [text, expected, channels] = GetParam();
  const std::string said = edges_complaint(text, channels);
  EXPECT_TRUE(said.starts_with(expected)) << "said:     " << said << "\nexpected: " << expected;
  EXPECT_EQ(said.find('\n'), std::string::npos);
  EXPECT_NE(said.find("; "), std::string::npos) << "no help: " << said;
}

INSTANTIATE_TEST_SUITE_P(
    Files, EdgesRefuse,
    ::testing::Values(
        BadEdges{"", "FILE: no pair of channels; "},
        BadEdges{"# a\n\n", "FILE:2: no pair of channels; "},
        BadEdges{"from,to\n", "FILE:1: no pair of channels; "},
        BadEdges{"v1,i1\nv1,i9\n", "FILE:2:4: no channel \"i9\"; did you mean \"i1\" or \"i2\"?"},
        BadEdges{"v1,i1\n  V2,i1\n", "FILE:2:3: no channel \"V2\"; did you mean \"v2\"?"},
        BadEdges{"v1,i1\nfrom,to",
                 "FILE:2:1: no channel \"from\"; the channels are \"v1\", \"i1\""},
        // Two misspelt names are no header.
        BadEdges{"V1,I1\nv2,i2", "FILE:1:1: no channel \"V1\"; did you mean \"v1\"?"},
        BadEdges{"v1,to\n", "FILE:1:4: no channel \"to\"; "},
        BadEdges{"v1,v1\n", "FILE:1:4: \"v1\" with itself is no pair; "},
        BadEdges{"v1,i1\n\ni1,v1,forbid\n",
                 "FILE:3:1: the pair \"i1\", \"v1\" stands on line 1, as edge; "},
        BadEdges{"v1,i1,require\nv1,i1,forbid\n",
                 "FILE:2:1: the pair \"v1\", \"i1\" stands on line 1, as require; "},
        BadEdges{"v1,i1\n v2,i2,require\n", "FILE:2:2: a pair is required beside edges"},
        BadEdges{"v1,i1,maybe\n", "FILE:1:7: unknown rule \"maybe\"; rules are edge"},
        BadEdges{"v1,i1,edge,2\n", "FILE:1:12: more than two channels and a rule; "},
        BadEdges{"v1\n", "FILE:1:1: one word where two channels belong; "},
        BadEdges{"v1,\n", "FILE:1:4: a channel's name is missing; "},
        BadEdges{",v1\n", "FILE:1:1: a channel's name is missing; "},
        BadEdges{"v1,\"i1\n", "FILE:1:4: a quote is not closed on its line; "},
        BadEdges{"a,b,forbid\n", "FILE:1:1: no channel \"a\"; "},
        BadEdges{"v(a,b),b\n", "FILE:1:1: no channel \"v(a\"; ", odd}));

TEST(Edges, OfAFileThatIsNotThere) {
  EXPECT_THROW(read_edges("no/such/file", ladder), Error);
  EXPECT_THROW(read_edges("/", ladder), Error);
  EXPECT_NE(edges_complaint(std::string("v1,i1\nv\0", 8)).find("FILE:2:2: a zero byte"),
            std::string::npos);
}

std::string pair_complaint(const std::string& text,
                           const std::vector<std::string>& channels = ladder) {
  try {
    parse_pair(text, channels, "--require");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(ChannelPairs, AreTwoNamesWithAColon) {
  EXPECT_EQ(parse_pair("v1:i2", ladder, "--require"), (ChannelPair{0, 3}));
  EXPECT_EQ(parse_pair("i2:v1", ladder, "--require"), (ChannelPair{0, 3}));
  EXPECT_EQ(parse_pair("T inside:v(a,b)", odd, "--require"), (ChannelPair{0, 1}));
  EXPECT_EQ(parse_pair("a:b:say \"x\"", odd, "--require"), (ChannelPair{2, 3}));
}

TEST(ChannelPairs, SayWhatIsWrong) {
  EXPECT_EQ(pair_complaint("v1"),
            "--require does not understand \"v1\"; write two channels as NAME:NAME");
  EXPECT_EQ(pair_complaint("v1:i3"),
            "--require \"v1:i3\": no channel \"i3\"; did you mean \"i1\" or \"i2\"?");
  EXPECT_TRUE(pair_complaint("x9:v1").starts_with("--require \"x9:v1\": no channel \"x9\"; "));
  EXPECT_TRUE(
      pair_complaint(":").starts_with("--require \":\": no channel \"\"; the channels are"));
  EXPECT_NE(pair_complaint("v1:v1").find("with itself"), std::string::npos);
  // a:b with b, or a with b:b.
  EXPECT_NE(pair_complaint("a:b:b", odd).find("could be two pairs"), std::string::npos);
}

}  // namespace
}  // namespace lgn
