#include "lgn/report/network/network_graph.h"

#include <gtest/gtest.h>

#include "tests/report/markup.h"
#include "tests/report/sample_network.h"

namespace lgn {
namespace {

using namespace testing;

/// Without the declaration, which is no element.
std::string body(const std::string& xml) { return xml.substr(xml.find('\n') + 1); }

/// Whether every quote closes on its line and brackets match.
bool is_dot(const std::string& text) {
  bool quoted = false;
  int depth = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (quoted && text[k] == '\\') {
      ++k;
      continue;
    }
    if (text[k] == '"') quoted = !quoted;
    if (!quoted) depth += (text[k] == '[') + (text[k] == '{') - (text[k] == ']') - (text[k] == '}');
  }
  return !quoted && depth == 0;
}

TEST(NetworkGraph, HoldsEveryNodeAndEdge) {
  const Network network = mass_chain(3);
  const std::string dot = graph_dot(network), xml = graph_graphml(network);
  EXPECT_TRUE(is_dot(dot));
  EXPECT_TRUE(well_formed(body(xml)));
  EXPECT_EQ(count(dot, " -- "), 4u);
  EXPECT_EQ(count(xml, "<edge "), 4u);
  EXPECT_EQ(count(xml, "<node "), 3u);
  EXPECT_EQ(count(xml, "<data key=\"node_storage\">"), 3u);
  EXPECT_EQ(count(xml, "<data key=\"node_spring\">"), 2u);
  EXPECT_EQ(count(xml, "<data key=\"edge_type\">damper</data>"), 2u);
  EXPECT_EQ(count(dot, "type=\"spring\""), 2u);
  EXPECT_EQ(count(xml, "<edge source=\"n0\" target=\"n1\">"), 2u);
}

TEST(NetworkGraph, KeepsTheDirectionAndEveryDigit) {
  Network network = nodes_of(2, ChannelKind::plain, "x");
  network.elements = {{Type::coupling, 1, 0, -0.1 - 0.2, 1e-17, Network::unknown}};
  EXPECT_EQ(count(graph_dot(network),
                  "\"x2\" -- \"x1\" [name=\"s2-1\", type=\"coupling\", "
                  "quantity=\"coupling\", value=\"-0.30000000000000004\", "
                  "se=\"1e-17\", label=\"s2-1\"]"),
            1u)
      << graph_dot(network);
  const std::string xml = graph_graphml(network);
  EXPECT_EQ(count(xml, "<edge source=\"n1\" target=\"n0\">"), 1u);
  EXPECT_EQ(count(xml, "<data key=\"edge_value\">-0.30000000000000004</data>"), 1u);
  EXPECT_EQ(count(xml, "<data key=\"edge_evidence\">"), 0u);
}

TEST(NetworkGraph, DeclaresEveryKeyThatItUses) {
  for (const Network& network : {mass_chain(3), ladder(2, true), heat_grid(2, 2)}) {
    const std::string xml = graph_graphml(network);
    for (std::size_t at = xml.find("<data key="); at != std::string::npos;
         at = xml.find("<data key=", at + 1)) {
      const std::size_t begin = at + 11, end = xml.find('"', begin);
      EXPECT_EQ(count(xml, "<key id=\"" + xml.substr(begin, end - begin) + "\""), 1u);
    }
  }
}

TEST(NetworkGraph, TakesAnyName) {
  Network network = heat_grid(2, 2);
  network.nodes[0].name = "a \"b\" \\";
  network.nodes[1].name = "<b>&amp;'";
  network.nodes[2].name = "\x1b\xFF]";
  network.nodes[3].name = "温度 µ";
  const std::string dot = graph_dot(network), xml = graph_graphml(network);
  EXPECT_TRUE(is_dot(dot)) << dot;
  EXPECT_TRUE(well_formed(body(xml))) << xml;
  EXPECT_EQ(count(dot, "  \"a \\\"b\\\" \\\\\" ["), 1u);
  EXPECT_EQ(count(dot, "温度 µ"), 3u);
  EXPECT_EQ(count(xml, "&lt;b&gt;&amp;amp;&#39;"), 1u);
  EXPECT_EQ(count(xml, "\uFFFD\uFFFD]"), 1u);
}

}  // namespace
}  // namespace lgn
