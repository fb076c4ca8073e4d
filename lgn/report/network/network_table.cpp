#include "lgn/report/network/network_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "lgn/model/network_names.h"

namespace lgn {
namespace {

using Type = Network::Type;

constexpr const char* none = "–";

/// A storage without an error is the unit of the others; a coupling without one is by a law. Small
/// and large values have one exponent, a multiple of three: (4.7000 ± 0.0012)e-6.
std::string value_text(const Network::Element& element, const ElementName& name) {
  if (name.se == 0)
    return short_number(name.value) + (element.type == Type::storage ? " by choice" : " exactly");
  const double size = std::abs(name.value);
  const bool plain = !(name.se > 0) || !std::isfinite(name.se) || (size >= 0.01 && size < 1e5);
  if (plain || size <= std::numeric_limits<double>::min()) return with_error(name.value, name.se);
  const double exponent = 3 * std::floor(std::log10(size) / 3), unit = std::pow(10.0, exponent);
  return fmt::format("({})e{:.0f}", with_error(name.value / unit, name.se / unit), exponent);
}

bool has(const Network& network, Type type, bool grounded) {
  return std::any_of(network.elements.begin(), network.elements.end(), [&](const auto& element) {
    return element.type == type && (element.to == Network::ground) == grounded;
  });
}

}  // namespace

std::string evidence_text(double evidence) {
  if (!std::isfinite(evidence)) return none;
  return std::abs(evidence) < 1e4 ? fmt::format("{:.1f}", evidence)
                                  : fmt::format("{:.1e}", evidence);
}

NetworkTable connections_table(const Network& network) {
  NetworkTable table{{"element", "between", "quantity", "value", "evidence"}, {}};
  const std::vector<ElementName> names = element_names(network);
  const auto node = [&](Index k) { return network.nodes[static_cast<std::size_t>(k)].name; };
  for (const auto& connection : connections(network))
    for (const Index k : connection.elements) {
      const auto& element = network.elements[static_cast<std::size_t>(k)];
      const auto& name = names[static_cast<std::size_t>(k)];
      table.rows.push_back(
          {name.symbol, fmt::format("{} – {}", node(element.from), node(element.to)), name.quantity,
           value_text(element, name), evidence_text(element.evidence)});
    }
  return table;
}

NetworkTable nodes_table(const Network& network) {
  NetworkTable table{{"node"}, {}};
  const bool mixed = std::any_of(network.nodes.begin(), network.nodes.end(), [&](const auto& node) {
    return node.kind != network.nodes.front().kind;
  });
  if (mixed) table.header.emplace_back("kind");
  const bool storages = has(network, Type::storage, true);
  if (storages) table.header.push_back("storage");
  std::vector<Type> columns;
  for (const Type type : {Type::loss, Type::spring, Type::damper})
    if (has(network, type, true)) {
      columns.push_back(type);
      table.header.push_back(name_of(type) + (type == Type::loss ? "" : " to ground"));
      table.header.push_back("evidence");
    }
  const std::vector<ElementName> names = element_names(network);
  const auto text = [&](Index k) {
    const auto at = static_cast<std::size_t>(k);
    return fmt::format("{} = {}", names[at].symbol, value_text(network.elements[at], names[at]));
  };
  const std::vector<NodeElements> elements = node_elements(network);
  for (std::size_t n = 0; n < network.nodes.size(); ++n) {
    const NodeElements& own = elements[n];
    std::vector<std::string> row{network.nodes[n].name};
    if (mixed) row.push_back(name_of(network.nodes[n].kind));
    if (storages) row.push_back(own.storage < 0 ? none : text(own.storage));
    for (const Type type : columns) {
      const auto found = std::find_if(own.grounded.begin(), own.grounded.end(), [&](Index k) {
        return network.elements[static_cast<std::size_t>(k)].type == type;
      });
      const bool there = found != own.grounded.end();
      row.push_back(there ? text(*found) : none);
      row.push_back(there
                        ? evidence_text(network.elements[static_cast<std::size_t>(*found)].evidence)
                        : none);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<std::string> network_notes(const Network& network) {
  std::vector<std::string> notes;
  if (network.relative)
    notes.emplace_back("values are relative to the storage that is 1 by choice");
  if (has(network, Type::coupling, false))
    notes.emplace_back("coupling s of A – B: B drives A by s, A drives B by -s");
  const bool weighed =
      std::any_of(network.elements.begin(), network.elements.end(),
                  [](const auto& element) { return std::isfinite(element.evidence); });
  if (weighed)
    notes.emplace_back("evidence: by how much -2 log likelihood rises without the element");
  return notes;
}

std::string network_summary(const Network& network) {
  std::map<ChannelKind, Index> kinds;
  for (const auto& node : network.nodes) ++kinds[node.kind];
  std::string text;
  for (const auto& [kind, count] : kinds) {
    const std::string word = network.mechanical()         ? "mass"
                             : kind == ChannelKind::plain ? "state"
                                                          : name_of(kind);
    text += (text.empty() ? "" : " and ") + counted(count, word);
  }
  for (const Type type : {Type::coupling, Type::exchange, Type::spring, Type::damper, Type::loss}) {
    const auto count = std::count_if(network.elements.begin(), network.elements.end(),
                                     [&](const auto& element) { return element.type == type; });
    if (count > 0) text += ", " + counted(count, name_of(type));
  }
  return text;
}

std::string network_text(const Network& network) {
  std::string text = "network of " + network_summary(network) + "\n";
  for (const auto& note : network_notes(network)) text += note + "\n";
  const NetworkTable nodes = nodes_table(network), between = connections_table(network);
  text += "\n" + text_table(nodes.header, nodes.rows);
  if (!between.rows.empty()) text += "\n" + text_table(between.header, between.rows);
  return text;
}

}  // namespace lgn
