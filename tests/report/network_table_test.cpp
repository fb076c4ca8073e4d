#include "lgn/report/network/network_table.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lgn/model/network_names.h"
#include "tests/report/markup.h"
#include "tests/report/sample_network.h"

namespace lgn {
namespace {

using namespace testing;

std::vector<std::string> symbols(const Network& network) {
  std::vector<std::string> all;
  for (const auto& name : element_names(network)) all.push_back(name.symbol);
  return all;
}
using Names = std::vector<std::string>;

TEST(NetworkNames, AreThoseOfTheField) {
  EXPECT_EQ(symbols(ladder(2, true)), (Names{"L1", "C1", "R1", "G1", "s_v1-i1", "L2", "C2", "R2",
                                             "G2", "s_v2-i2", "s_v1-i2"}));
  EXPECT_EQ(symbols(mass_chain(2)), (Names{"m1", "m2", "k1-2", "c1-2", "k1", "k2"}));
  EXPECT_EQ(symbols(heat_grid(2, 1)), (Names{"C1", "C2", "G1-2", "G1", "G2"}));
  Network plain = nodes_of(2, ChannelKind::plain, "x");
  plain.elements = {element(Type::storage, 0, -1, 1), element(Type::coupling, 0, 1, 1),
                    element(Type::exchange, 1, 0, 1), element(Type::loss, 1, -1, 1)};
  EXPECT_EQ(symbols(plain), (Names{"m1", "s1-2", "g2-1", "d2"}));
  const auto names = element_names(ladder(1, true));
  EXPECT_EQ(names[0].quantity, "inductance");
  EXPECT_EQ(names[1].quantity, "capacitance");
  EXPECT_EQ(names[2].quantity, "resistance");
  EXPECT_EQ(names[3].quantity, "conductance");
}

TEST(NetworkNames, TakeNumbersFromNodesWhereTheseTellThemApart) {
  Network network = nodes_of(3, ChannelKind::voltage, "");
  const auto named = [&](const char* a, const char* b, const char* c) {
    network.nodes[0].name = a;
    network.nodes[1].name = b;
    network.nodes[2].name = c;
    return symbols(network);
  };
  EXPECT_EQ(named("v7", "v2", "v10"), (Names{"C7", "C2", "C10"}));
  EXPECT_EQ(named("v(n7)", "v(n2)", "v(n1)"), (Names{"C7", "C2", "C1"}));
  EXPECT_EQ(named("v1", "v2", "w2"), (Names{"C1", "C2", "C3"}));
  EXPECT_EQ(named("v4", "left", "right"), (Names{"C1", "C2", "C3"}));
}

TEST(NetworkNames, ReadAComplianceAsAStiffness) {
  Network network = nodes_of(1, ChannelKind::force, "f");
  network.elements[0].value = 0.25;
  network.elements[0].se = 0.01;
  const ElementName name = element_names(network)[0];
  EXPECT_EQ(name.symbol, "k1");
  EXPECT_EQ(name.quantity, "stiffness");
  EXPECT_TRUE(name.reciprocal);
  EXPECT_EQ(name.value, 4);
  EXPECT_DOUBLE_EQ(name.se, 0.16);  // 0.01/0.25²
}

TEST(NetworkTable, HasARowForEachNodeAndEachConnection) {
  const Network network = mass_chain(4);
  const NetworkTable nodes = nodes_table(network), between = connections_table(network);
  EXPECT_EQ(nodes.rows.size(), 4u);
  EXPECT_EQ(between.rows.size(), 6u);
  for (const NetworkTable& table : {nodes, between})
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.header.size());
  // Springs to the ground at the ends alone.
  const auto column = std::find(nodes.header.begin(), nodes.header.end(), "spring to ground");
  ASSERT_NE(column, nodes.header.end());
  const auto at = static_cast<std::size_t>(column - nodes.header.begin());
  EXPECT_NE(nodes.rows[0][at], "–");
  EXPECT_EQ(nodes.rows[1][at], "–");
  EXPECT_NE(nodes.rows[3][at], "–");
  EXPECT_EQ(std::count(nodes.header.begin(), nodes.header.end(), "loss"), 0);
  EXPECT_EQ(nodes_table({network.nodes, {}}).header, (Names{"node"}));
  EXPECT_EQ(nodes_table({ladder(2).nodes, {}}).header, (Names{"node", "kind"}));
}

TEST(NetworkTable, SaysWhatIsKnownAboutAValue) {
  Network network = nodes_of(2, ChannelKind::plain, "x");
  network.elements = {{Type::storage, 0, -1, 1.5, 0.02, Network::unknown},
                      {Type::loss, 1, -1, 0.25, Network::unknown, 12.34},
                      {Type::coupling, 0, 1, -1, 0, 99}};
  const std::string text = network_text(network);
  for (const char* part :
       {"network of 2 states, 1 coupling, 1 loss", "m1 = 1.500 ± 0.020", "d2 = 0.25", "12.3",
        "s1-2", "x1 – x2", "-1 exactly", "99.0", "evidence: by how much", "coupling s of A – B:"})
    EXPECT_EQ(count(text, part), 1u) << part << "\n" << text;
  EXPECT_EQ(count(text, "relative"), 0u);
  network.relative = true;
  network.elements[0].se = 0;
  EXPECT_EQ(count(network_text(network), "values are relative"), 1u);
  EXPECT_EQ(count(network_text(network), "m1 = 1.5 by choice"), 1u);
  network.elements.resize(1);
  EXPECT_EQ(count(network_text(network), "evidence"), 0u);
  EXPECT_EQ(count(network_text(network), "between"), 0u);
}

TEST(NetworkTable, WritesSmallAndLargeValuesWithOneExponent) {
  Network network = nodes_of(1, ChannelKind::voltage, "v");
  const auto text = [&](double value, double se) {
    network.elements[0].value = value;
    network.elements[0].se = se;
    return nodes_table(network).rows[0][1];
  };
  EXPECT_EQ(text(4.7e-6, 1.2e-9), "C1 = (4.7000 ± 0.0012)e-6");
  EXPECT_EQ(text(1e-9, 1.2e-15), "C1 = (1.0000000 ± 0.0000012)e-9");
  EXPECT_EQ(text(0.0022, 1.2e-5), "C1 = (2.200 ± 0.012)e-3");
  EXPECT_EQ(text(0.022, 1.2e-5), "C1 = 0.022000 ± 0.000012");
  EXPECT_EQ(text(220e3, 1e3), "C1 = (220.0 ± 1.0)e3");
  EXPECT_EQ(text(4.7e-6, Network::unknown), "C1 = 4.7e-06");
  EXPECT_EQ(text(4.7e-6, 0), "C1 = 4.7e-06 by choice");
  EXPECT_EQ(text(4.7e-6, 3e-3), "C1 = (5 ± 3000)e-6");
}

TEST(NetworkTable, WritesEvidenceShort) {
  EXPECT_EQ(evidence_text(61.25), "61.2");
  EXPECT_EQ(evidence_text(9999), "9999.0");
  EXPECT_EQ(evidence_text(489916.9), "4.9e+05");
  EXPECT_EQ(evidence_text(Network::unknown), "–");
}

TEST(NetworkTable, CountsInWords) {
  EXPECT_EQ(network_summary(ladder(3)), "3 voltages and 3 currents, 5 couplings, 3 losses");
  EXPECT_EQ(network_summary(mass_chain(1)), "1 mass, 1 spring");
  EXPECT_EQ(network_summary(mass_chain(2)), "2 masses, 3 springs, 1 damper");
  EXPECT_EQ(network_summary(nodes_of(2, ChannelKind::velocity, "v")), "2 velocities");
}

TEST(NetworkTable, IsLinedUpForAHundredStates) {
  const std::string text = network_text(ladder(50));
  EXPECT_EQ(count(text, "\n"), 4u + 102u + 1u + 2u + 99u);
}

}  // namespace
}  // namespace lgn
