#include "lgn/model/network_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace lgn {
namespace {

struct Words {
  const char *symbol, *quantity;
};

const Network::Node& node_at(const Network& network, Index node) {
  return network.nodes[static_cast<std::size_t>(node)];
}

/// The digits that a name ends with, or that stand before a last bracket: v12 and v(n12) have 12.
std::string number_in(const std::string& name) {
  std::size_t end = name.size();
  while (end > 0 && (name[end - 1] == ')' || name[end - 1] == ']')) --end;
  std::size_t begin = end;
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
  return name.substr(begin, end - begin);
}

/// A number for each node that tells it apart from others of its kind.
std::vector<std::string> node_numbers(const Network& network) {
  std::map<ChannelKind, std::set<std::string>> seen;
  std::set<ChannelKind> unclear;
  for (const auto& node : network.nodes) {
    const std::string number = number_in(node.name);
    if (number.empty() || !seen[node.kind].insert(number).second) unclear.insert(node.kind);
  }
  std::map<ChannelKind, int> place;
  std::vector<std::string> numbers;
  for (const auto& node : network.nodes) {
    const int next = ++place[node.kind];
    numbers.push_back(unclear.contains(node.kind) ? std::to_string(next) : number_in(node.name));
  }
  return numbers;
}

Words storage_words(ChannelKind kind) {
  switch (kind) {
    case ChannelKind::voltage:
      return {"C", "capacitance"};
    case ChannelKind::current:
      return {"L", "inductance"};
    case ChannelKind::temperature:
      return {"C", "heat capacity"};
    case ChannelKind::force:
      return {"k", "stiffness"};
    case ChannelKind::velocity:
      return {"m", "mass"};
    default:
      return {"m", "storage"};
  }
}

/// Of what a node of this kind loses, or exchanges with another of its kind.
Words loss_words(ChannelKind kind, Words otherwise) {
  switch (kind) {
    case ChannelKind::voltage:
      return {"G", "conductance"};
    case ChannelKind::current:
      return {"R", "resistance"};
    case ChannelKind::temperature:
      return {"G", "thermal conductance"};
    case ChannelKind::velocity:
      return {"c", "damping"};
    default:
      return otherwise;
  }
}

Words words_of(const Network& network, const Network::Element& element) {
  using Type = Network::Type;
  const ChannelKind kind = node_at(network, element.from).kind;
  switch (element.type) {
    case Type::storage:
      return network.mechanical() ? Words{"m", "mass"} : storage_words(kind);
    case Type::spring:
    case Type::stiffness:
      return {"k", "stiffness"};
    case Type::damper:
      return {"c", "damping"};
    case Type::coupling:
      return {"s", "coupling"};
    case Type::loss:
      return loss_words(kind, {"d", "loss"});
    case Type::exchange:
      break;
  }
  return loss_words(kind == node_at(network, element.to).kind ? kind : ChannelKind::plain,
                    {"g", "exchange"});
}

}  // namespace

std::string name_of(Network::Type type) {
  switch (type) {
    case Network::Type::storage:
      return "storage";
    case Network::Type::coupling:
      return "coupling";
    case Network::Type::exchange:
      return "exchange";
    case Network::Type::loss:
      return "loss";
    case Network::Type::spring:
    case Network::Type::stiffness:
      return "spring";
    case Network::Type::damper:
      return "damper";
  }
  return {};
}

std::vector<ElementName> element_names(const Network& network) {
  const std::vector<std::string> numbers = node_numbers(network);
  const auto number = [&](Index node) { return numbers[static_cast<std::size_t>(node)]; };
  std::vector<ElementName> names;
  for (const auto& element : network.elements) {
    const Words words = words_of(network, element);
    const auto& from = node_at(network, element.from);
    std::string symbol = words.symbol;
    if (element.to == Network::ground)
      symbol += number(element.from);
    else if (const auto& to = node_at(network, element.to); to.kind == from.kind)
      symbol += number(element.from) + "-" + number(element.to);
    else
      symbol += "_" + from.name + "-" + to.name;
    const bool reciprocal =
        element.type == Network::Type::storage && from.kind == ChannelKind::force;
    const double value = reciprocal ? 1 / element.value : element.value;
    names.push_back({symbol, words.quantity, value,
                     reciprocal ? element.se * value * value : element.se, reciprocal});
  }
  return names;
}

std::vector<NodeElements> node_elements(const Network& network) {
  std::vector<NodeElements> nodes(network.nodes.size());
  for (std::size_t k = 0; k < network.elements.size(); ++k) {
    const auto& element = network.elements[k];
    if (element.to != Network::ground) continue;
    auto& node = nodes[static_cast<std::size_t>(element.from)];
    if (element.type == Network::Type::storage)
      node.storage = static_cast<Index>(k);
    else
      node.grounded.push_back(static_cast<Index>(k));
  }
  return nodes;
}

std::vector<Connection> connections(const Network& network) {
  std::map<std::pair<Index, Index>, std::vector<Index>> found;
  for (std::size_t k = 0; k < network.elements.size(); ++k) {
    const auto& element = network.elements[k];
    if (element.to == Network::ground) continue;
    found[std::minmax(element.from, element.to)].push_back(static_cast<Index>(k));
  }
  std::vector<Connection> all;
  for (const auto& [pair, elements] : found) all.push_back({pair.first, pair.second, elements});
  return all;
}

}  // namespace lgn
