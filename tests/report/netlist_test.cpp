#include "lgn/report/network/netlist.h"

#include <gtest/gtest.h>

#include "lgn/core/error.h"
#include "tests/report/markup.h"
#include "tests/report/sample_network.h"

namespace lgn {
namespace {

using namespace testing;

NetlistRun run_of(const Network& network) {
  NetlistRun run;
  run.x0 = Vector::LinSpaced(static_cast<Index>(network.nodes.size()), 1, 2);
  run.step = 0.1;
  run.end = 10;
  run.title = "a title";
  return run;
}
std::string netlist(const Network& network) { return spice_netlist(network, run_of(network)); }

std::string complaint(const Network& network) {
  try {
    netlist(network);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// L1 i̇ = −v − R1 i, C1 v̇ = i: the current flows from the ground to v1.
TEST(Netlist, WiresAsTheEquationsSay) {
  Network network = ladder(1, true);
  network.elements = {{Type::storage, 0, -1, 0.5},
                      {Type::storage, 1, -1, 2},
                      {Type::loss, 0, -1, 0.25},
                      {Type::loss, 1, -1, 0.1},
                      {Type::coupling, 1, 0, 1}};
  const std::string text = netlist(network);
  for (const char* line : {"* a title\n", "\nL1 0 x1 0.5 ic=1\n", "\nR1 x1 n1 0.25\n",
                           "\nC1 n1 0 2 ic=2\n", "\nRG1 n1 0 10\n", "* i(L1) is i1\n",
                           "wrdata waveforms.txt i(L1) v(n1)\n", "\n.tran 0.1 10 0 "})
    EXPECT_EQ(count(text, line), 1u) << line << text;
  EXPECT_EQ(text.find("* a title"), 0u);  // the first line is always a title
  // s_ij = −s_ji: the same coupling from the other side, and the current turned round.
  network.elements[4] = {Type::coupling, 0, 1, -1};
  EXPECT_EQ(netlist(network), text);
  network.elements[4] = {Type::coupling, 0, 1, 1};
  EXPECT_EQ(count(netlist(network), "\nL1 n1 x1 0.5 ic=1\nR1 x1 0 0.25\n"), 1u);
}

TEST(Netlist, LeavesOutWhatIsZeroAndJoinsVoltagesByConductances) {
  Network network = nodes_of(2, ChannelKind::voltage, "v");
  network.elements.push_back({Type::exchange, 1, 0, 0.5});
  network.elements.push_back({Type::loss, 0, -1, 0});
  const std::string text = netlist(network);
  EXPECT_EQ(count(text, "\nRG2_1 n2 n1 2\n"), 1u);
  EXPECT_EQ(count(text, "\nRG"), 1u);
  network.elements[2].value = 0;
  EXPECT_EQ(count(netlist(network), "\nRG"), 0u);
}

TEST(Netlist, PrintsChannelsInTheirOrder) {
  Network network = ladder(2);
  for (auto& node : network.nodes) node.state = 3 - node.state;
  EXPECT_EQ(count(netlist(network), "wrdata waveforms.txt v(n2) i(L2) v(n1) i(L1)\n"), 1u);
  EXPECT_EQ(count(netlist(network), "L1 0 x1 0.4788319987910199 ic=2\n"),
            1u);  // its x0 is the last
}

// (ωh)²/12 · ωt = 1e-6 with ω = 1 and t = 10 has h = √(1.2e-6).
TEST(Netlist, ChoosesStepsThatKeepThePhase) {
  Network network = ladder(1);
  network.elements = {{Type::storage, 0, -1, 1}, {Type::storage, 1, -1, 1}, law(1, 0, 1)};
  EXPECT_EQ(count(netlist(network), ".tran 0.1 10 0 0.00109545 uic"), 1u) << netlist(network);
  // Slow enough for the table's own step.
  network.elements[0].value = network.elements[1].value = 1e3;
  EXPECT_EQ(count(netlist(network), ".tran 0.1 10 0 0.1 uic"), 1u);
}

TEST(Netlist, SaysWhichElementIsInTheWay) {
  EXPECT_EQ(complaint(ladder(3, true)), "");
  Network network = ladder(2);
  network.elements[3].value = 0.5;
  EXPECT_NE(complaint(network).find("s_v1-i1 is 0.5, not 1 or -1"), std::string::npos);
  network = ladder(2);
  network.elements.push_back(law(3, 1, 1));
  EXPECT_NE(complaint(network).find("s2-1 is not between a voltage and a current"),
            std::string::npos);
  network = ladder(2);
  network.elements.push_back(element(Type::exchange, 0, 2, 1));
  EXPECT_NE(complaint(network).find("R1-2 is not between two voltages"), std::string::npos);
  // i1 has v1 at its end already.
  network = ladder(2);
  network.elements.push_back(law(3, 0, 1));
  EXPECT_NE(complaint(network).find("s_v2-i1 would be the second wire at the same end of L1"),
            std::string::npos);
  network = ladder(2);
  network.elements.erase(network.elements.begin() + 1);
  EXPECT_NE(complaint(network).find("\"v1\" has no storage"), std::string::npos);
  for (const Network& other : {mass_chain(3), heat_grid(2, 2), random_tree(4, 1)})
    EXPECT_NE(complaint(other).find("neither a voltage nor a current"), std::string::npos);
}

TEST(Netlist, RefusesTimesThatAreNone) {
  const Network network = ladder(1);
  for (const auto& [step, end] :
       {std::pair{0.0, 1.0}, {0.1, 0.0}, {-0.1, 1.0}, {0.1, std::nan("")}, {0.1, INFINITY}}) {
    NetlistRun run = run_of(network);
    run.step = step;
    run.end = end;
    EXPECT_THROW(spice_netlist(network, run), Error);
  }
}

TEST(Netlist, KeepsTextsOnTheirLines) {
  Network network = ladder(1);
  network.nodes[0].name = "i1\n.end\n";
  NetlistRun run = run_of(network);
  run.title = "two\nlines \xFF";
  run.waveforms = "../my waves;rm.txt";
  const std::string text = spice_netlist(network, run);
  EXPECT_EQ(text.find("* two lines \uFFFD\n"), 0u);
  EXPECT_EQ(count(text, "\n.end\n"), 1u);
  EXPECT_EQ(count(text, "wrdata .._my_waves_rm.txt "), 1u);
}

}  // namespace
}  // namespace lgn
