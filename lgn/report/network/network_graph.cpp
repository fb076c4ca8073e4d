#include "lgn/report/network/network_graph.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "lgn/model/network_names.h"
#include "lgn/report/text/markup.h"

namespace lgn {
namespace {

/// What a node or an edge says about itself.
struct Attribute {
  std::string key, text;
};
using Attributes = std::vector<Attribute>;

void add_number(Attributes& attributes, const std::string& key, double value) {
  if (std::isfinite(value)) attributes.push_back({key, fmt::format("{}", value)});
}

Attributes node_attributes(const Network& network, std::size_t n, const NodeElements& own) {
  const auto& node = network.nodes[n];
  Attributes attributes{{"kind", network.mechanical() ? "mass" : name_of(node.kind)}};
  const auto add = [&](const std::string& key, Index k) {
    const auto& element = network.elements[static_cast<std::size_t>(k)];
    add_number(attributes, key, element.value);
    add_number(attributes, key + "_se", element.se);
    add_number(attributes, key + "_evidence", element.evidence);
  };
  if (own.storage >= 0) add("storage", own.storage);
  for (const Index k : own.grounded)
    add(name_of(network.elements[static_cast<std::size_t>(k)].type), k);
  return attributes;
}

Attributes edge_attributes(const Network::Element& element, const ElementName& name) {
  Attributes attributes{
      {"name", name.symbol}, {"type", name_of(element.type)}, {"quantity", name.quantity}};
  add_number(attributes, "value", element.value);
  add_number(attributes, "se", element.se);
  add_number(attributes, "evidence", element.evidence);
  return attributes;
}

/// A quoted string of DOT. Only quotes are escaped in one; backslashes are doubled, so that none
/// stands before the closing quote, and labels show them once.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : clean_text(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string dot_list(const Attributes& attributes) {
  std::string out;
  for (const auto& [key, text] : attributes)
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", key, quoted(text));
  return " [" + out + "];\n";
}

constexpr const char* node_numbers[] = {"storage", "loss", "spring", "damper"};

/// The declarations that GraphML wants of everything it holds.
std::string graphml_keys() {
  std::string out;
  const auto key = [&](const char* owner, const std::string& name, const char* type) {
    out += fmt::format("  <key id=\"{0}_{1}\" for=\"{0}\" attr.name=\"{1}\" attr.type=\"{2}\"/>\n",
                       owner, name, type);
  };
  for (const char* name : {"name", "kind"}) key("node", name, "string");
  for (const std::string name : node_numbers)
    for (const char* ending : {"", "_se", "_evidence"}) key("node", name + ending, "double");
  for (const char* name : {"name", "type", "quantity"}) key("edge", name, "string");
  for (const char* name : {"value", "se", "evidence"}) key("edge", name, "double");
  return out;
}

std::string graphml_data(const char* owner, const Attributes& attributes) {
  std::string out;
  for (const auto& [key, text] : attributes)
    out += fmt::format("      <data key=\"{}_{}\">{}</data>\n", owner, key, escape_markup(text));
  return out;
}

/// Calls `node` and `edge` for what stands in every format.
template <class Node, class Edge>
void visit(const Network& network, Node node, Edge edge) {
  const std::vector<NodeElements> own = node_elements(network);
  const std::vector<ElementName> names = element_names(network);
  for (std::size_t n = 0; n < network.nodes.size(); ++n)
    node(n, node_attributes(network, n, own[n]));
  for (const auto& connection : connections(network))
    for (const Index k : connection.elements) {
      const auto& element = network.elements[static_cast<std::size_t>(k)];
      edge(static_cast<std::size_t>(element.from), static_cast<std::size_t>(element.to),
           edge_attributes(element, names[static_cast<std::size_t>(k)]));
    }
}

}  // namespace

std::string graph_dot(const Network& network) {
  std::string out = "graph network {\n";
  if (network.relative) out += "  relative=\"true\";\n";
  const auto id = [&](std::size_t n) { return quoted(network.nodes[n].name); };
  visit(
      network,
      [&](std::size_t n, const Attributes& attributes) {
        out += "  " + id(n) + dot_list(attributes);
      },
      [&](std::size_t from, std::size_t to, Attributes attributes) {
        attributes.push_back({"label", attributes.front().text});
        out += "  " + id(from) + " -- " + id(to) + dot_list(attributes);
      });
  return out + "}\n";
}

std::string graph_graphml(const Network& network) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n" +
      graphml_keys() + "  <key id=\"relative\" for=\"graph\" attr.name=\"relative\" " +
      "attr.type=\"boolean\"/>\n  <graph id=\"network\" edgedefault=\"undirected\">\n" +
      fmt::format("    <data key=\"relative\">{}</data>\n", network.relative);
  visit(
      network,
      [&](std::size_t n, Attributes attributes) {
        attributes.insert(attributes.begin(), {"name", network.nodes[n].name});
        out += fmt::format("    <node id=\"n{}\">\n{}    </node>\n", n,
                           graphml_data("node", attributes));
      },
      [&](std::size_t from, std::size_t to, const Attributes& attributes) {
        out += fmt::format("    <edge source=\"n{}\" target=\"n{}\">\n{}    </edge>\n", from, to,
                           graphml_data("edge", attributes));
      });
  return out + "  </graph>\n</graphml>\n";
}

}  // namespace lgn
