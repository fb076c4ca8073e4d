#include "lgn/report/network/network_drawing.h"

#include <gtest/gtest.h>

#include <regex>

#include "lgn/model/network_names.h"
#include "tests/report/markup.h"
#include "tests/report/sample_network.h"

namespace lgn {
namespace {

using namespace testing;

/// Velocities and forces in turn: masses with springs between them and walls at both ends.
Network force_chain() {
  Network network;
  for (Index k = 0; k < 7; ++k) {
    const bool mass = k % 2 == 1;
    network.nodes.push_back({(mass ? "v" : "f") + std::to_string(k / 2 + 1),
                             mass ? ChannelKind::velocity : ChannelKind::force, k});
    network.elements.push_back(element(Type::storage, k, -1, mass ? 1 : 0.25));
    if (mass) network.elements.push_back(element(Type::loss, k, -1, 0.1));
    if (k > 0) network.elements.push_back(law(k, k - 1, mass ? 1 : -1));
  }
  return network;
}

Network row_of(ChannelKind kind, Type type, Index count) {
  Network network = nodes_of(count, kind, "x");
  for (Index k = 0; k + 1 < count; ++k)
    network.elements.push_back(element(type, k, k + 1, k % 2 == 0 ? 1 : 2));
  network.elements.push_back(element(Type::loss, 1, -1, 0.1));
  return network;
}

struct Sample {
  std::string name;
  Network network;
  std::string title;  ///< of the drawing that is expected
};

std::vector<Sample> samples() {
  Network parts = random_graph(6, 3, 1);
  parts.nodes.push_back({"alone", ChannelKind::plain, 6});
  return {{"one mass", mass_chain(1), "Chain network"},
          {"ladder 1", ladder(1), "Ladder network"},
          {"ladder 3", ladder(3), "Ladder network"},
          {"ladder 50", ladder(50), "Ladder network"},
          {"leaky ladder", ladder(9, true), "Ladder network"},
          {"RC ladder", row_of(ChannelKind::voltage, Type::exchange, 7), "Ladder network"},
          {"masses", mass_chain(5), "Chain network"},
          {"many masses", mass_chain(50), "Chain network"},
          {"forces", force_chain(), "Chain network"},
          {"heat", row_of(ChannelKind::temperature, Type::exchange, 6), "Chain network"},
          {"couplings", row_of(ChannelKind::plain, Type::coupling, 12), "Chain network"},
          {"ring", mass_ring(40), "Network"},
          {"tree", random_tree(40, 3), "Network"},
          {"grid", heat_grid(6, 6), "Network"},
          {"graph", random_graph(12, 8, 5), "Network"},
          {"large graph", random_graph(100, 60, 6), "Network"},
          {"parts", parts, "Network"}};
}

TEST(NetworkDrawing, DrawsEveryShapeAsItsFieldDoes) {
  for (const auto& [name, network, title] : samples()) {
    const std::string svg = network_svg(network);
    EXPECT_TRUE(well_formed(svg)) << name;
    EXPECT_EQ(count(svg, "aria-label='" + title + "'"), 1u) << name;
    EXPECT_EQ(count(svg, "nan"), 0u) << name;
    EXPECT_EQ(count(svg, "inf"), 0u) << name;
  }
}

TEST(NetworkDrawing, TellsEveryValueUnderThePointer) {
  for (const auto& [name, network, title] : samples()) {
    const std::string svg = network_svg(network);
    const auto names = element_names(network);
    for (std::size_t k = 0; k < names.size(); ++k) {
      // Couplings of 1 are the wires of a schematic.
      if (network.elements[k].se == 0 && title != "Network") continue;
      EXPECT_EQ(count(svg, names[k].symbol + ": " + names[k].quantity + " "), 1u)
          << name << " " << names[k].symbol;
    }
  }
}

TEST(NetworkDrawing, StaysOnThePage) {
  const std::regex place("<(?:text x|circle cx)='([-0-9.]+)' c?y='([-0-9.]+)'");
  const std::regex size("viewBox='0 0 720 ([0-9]+)'");
  for (const auto& [name, network, title] : samples()) {
    const std::string svg = network_svg(network);
    std::smatch height;
    ASSERT_TRUE(std::regex_search(svg, height, size)) << name;
    const double bottom = std::stod(height[1]);
    int places = 0;
    for (std::sregex_iterator it(svg.begin(), svg.end(), place), end; it != end; ++it, ++places) {
      const double x = std::stod((*it)[1]), y = std::stod((*it)[2]);
      EXPECT_TRUE(x >= 10 && x <= 710 && y >= 10 && y <= bottom - 4) << name << ": " << it->str();
    }
    EXPECT_GT(places, 0) << name;
  }
}

/// The coordinate of the text with this content.
double place_of(const std::string& svg, const std::string& text, const char* axis) {
  const std::size_t end = svg.find(">" + text + "</text>");
  const std::size_t begin = svg.rfind(std::string(" ") + axis + "='", end);
  return std::stod(svg.substr(begin + 4));
}

TEST(NetworkDrawing, RunsALadderOnOverRowsFromLeftToRight) {
  const std::string svg = network_svg(ladder(50));
  double x = 0, y = 0;
  int rows = 0;
  for (int k = 1; k <= 50; ++k) {
    const std::string label = "C" + std::to_string(k);
    const double next_x = place_of(svg, label, "x"), next_y = place_of(svg, label, "y");
    EXPECT_TRUE(next_y > y || (next_y == y && next_x > x + 100)) << label;
    rows += next_y > y;
    x = next_x;
    y = next_y;
  }
  EXPECT_EQ(rows, 10);
}

TEST(NetworkDrawing, TiesTheEndsOfAChainToWalls) {
  const auto walls = [](const Network& network) {
    return count(network_svg(network), "d='M-20 0h40");
  };
  Network network = mass_chain(4);
  EXPECT_EQ(walls(network), 2u);
  network.elements.push_back(element(Type::damper, 0, -1, 1));
  EXPECT_EQ(walls(network), 2u);
  network.elements.push_back(element(Type::damper, 2, -1, 1));
  EXPECT_EQ(walls(network), 4u);
  network.elements.push_back(element(Type::spring, 2, -1, 1));
  EXPECT_EQ(walls(network), 4u);
}

TEST(NetworkDrawing, PointsCurrentsTheWayTheyFlow) {
  // The tip of the arrow of i1 is to the right of its base where i1 feeds v1.
  const auto arrow = [](const Network& network) {
    const std::string svg = network_svg(network);
    return std::pair{count(svg, "l-8 4.5v-9z' fill='#D55E00'"),
                     count(svg, "l8 4.5v-9z' fill='#D55E00'")};
  };
  Network network = ladder(1);
  EXPECT_EQ(arrow(network), (std::pair<std::size_t, std::size_t>{1, 0}));
  network.elements.back().value = -1;
  EXPECT_EQ(arrow(network), (std::pair<std::size_t, std::size_t>{0, 1}));
  network = ladder(4);
  EXPECT_EQ(arrow(network), (std::pair<std::size_t, std::size_t>{4, 0}));
}

TEST(NetworkDrawing, MakesStrongEdgesThick) {
  Network network = mass_ring(3);
  const auto widths = [&](double value) {
    for (auto& e : network.elements)
      if (e.type == Type::spring) e.value = 10;
    network.elements.back().value = value;
    const std::string svg = network_svg(network);
    const std::regex line("stroke='#0072B2' stroke-width='([0-9.]+)'");
    std::vector<double> found;
    for (std::sregex_iterator it(svg.begin(), svg.end(), line), end; it != end; ++it)
      found.push_back(std::stod((*it)[1]));
    return found;
  };
  const std::vector<double> equal = widths(10), weak = widths(1);
  ASSERT_GE(equal.size(), 3u);
  EXPECT_EQ(equal[0], equal[1]);
  // Connections come in the order of their nodes: 1–2, then 1–3, the last one added.
  EXPECT_LT(weak[1], 0.5 * weak[0]);
}

TEST(NetworkDrawing, EscapesAnyName) {
  for (auto& [name, network, title] : samples()) {
    for (std::size_t k = 0; k < network.nodes.size(); ++k)
      network.nodes[k].name = "<b>&'\"\x1b" + std::to_string(k);
    const std::string svg = network_svg(network);
    EXPECT_TRUE(well_formed(svg)) << name;
    EXPECT_EQ(count(svg, "<b>"), 0u) << name;
    EXPECT_EQ(count(svg, "\x1b"), 0u) << name;
  }
}

TEST(NetworkDrawing, DrawsWhatIsIncomplete) {
  // No storages, no elements at all, values of zero.
  for (auto& [name, network, title] : samples()) {
    std::erase_if(network.elements, [](const auto& e) { return e.type == Type::storage; });
    EXPECT_TRUE(well_formed(network_svg(network))) << name;
    for (auto& e : network.elements) e.value = 0;
    EXPECT_TRUE(well_formed(network_svg(network))) << name;
    EXPECT_EQ(count(network_svg(network), "nan"), 0u) << name;
    network.elements.clear();
    EXPECT_TRUE(well_formed(network_svg(network))) << name;
  }
}

}  // namespace
}  // namespace lgn
