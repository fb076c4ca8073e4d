#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "lgn/model/network_json_internal.h"
#include "lgn/model/network_names.h"

namespace lgn {
namespace {

using Type = Network::Type;

constexpr std::array drawn_types{Type::storage, Type::coupling, Type::exchange,
                                 Type::loss,    Type::spring,   Type::damper};
constexpr std::array all_kinds{
    ChannelKind::plain, ChannelKind::voltage,  ChannelKind::current, ChannelKind::temperature,
    ChannelKind::force, ChannelKind::velocity, ChannelKind::position};

Json node_json(const Network::Node& node) {
  return {{"name", node.name},
          {"kind", name_of(node.kind)},
          {"state", node.state},
          {"velocity", node.velocity == Network::ground ? Json(nullptr) : Json(node.velocity)}};
}

/// The one of `all` that is called what the field says.
template <class All>
auto named(const JsonReader& in, const char* field, const All& all) {
  const std::string word = in.text(field);
  const auto found =
      std::find_if(all.begin(), all.end(), [&](auto one) { return name_of(one) == word; });
  if (found == all.end()) in.fail(fmt::format("field \"network\" knows no {} \"{}\"", field, word));
  return *found;
}

Index state_of(const JsonReader& in, const char* field, std::size_t channels,
               std::set<Index>& taken) {
  const Index state = in.whole(field);
  if (state >= static_cast<Index>(channels))
    in.fail(fmt::format("a node of \"network\" has {} {}, there are {} channels", field, state,
                        channels));
  if (!taken.insert(state).second)
    in.fail(fmt::format("two nodes of \"network\" have channel {}", state));
  return state;
}

std::vector<Network::Node> read_nodes(const JsonReader& in, std::size_t channels) {
  std::vector<Network::Node> nodes;
  std::set<Index> taken;
  std::set<std::string> names;
  for (const JsonReader& one : in.objects("nodes")) {
    Network::Node node{one.text("name"), named(one, "kind", all_kinds),
                       state_of(one, "state", channels, taken)};
    if (!one.raw("velocity").is_null()) node.velocity = state_of(one, "velocity", channels, taken);
    if (!names.insert(node.name).second)
      one.fail(fmt::format("two nodes of \"network\" are called \"{}\"", node.name));
    const bool mass = node.velocity != Network::ground;
    if (!nodes.empty() && mass != (nodes.front().velocity != Network::ground))
      one.fail("field \"network\" has nodes with a velocity and nodes without");
    nodes.push_back(std::move(node));
  }
  if (nodes.empty()) in.fail("field \"network.nodes\" is empty");
  return nodes;
}

/// What stands against an element; nothing where all is well.
std::string objection(const Network& network, const Network::Element& element) {
  const bool grounded = element.to == Network::ground;
  const bool moves = element.type == Type::spring || element.type == Type::damper;
  if (element.from == element.to) return "joins a node with itself";
  if ((element.type == Type::storage || element.type == Type::loss) && !grounded)
    return "goes to a second node";
  if ((element.type == Type::coupling || element.type == Type::exchange) && grounded)
    return "has no second node";
  if (element.type != Type::storage && moves != network.mechanical())
    return network.mechanical() ? "is in a network of masses" : "has no masses to join";
  if (!std::isfinite(element.value)) return "has no value";
  if (element.type == Type::storage && element.value <= 0) return "is not positive";
  if (element.type != Type::coupling && element.type != Type::spring && element.value < 0)
    return "is negative";
  if (element.se < 0) return "has a negative standard error";
  return {};
}

}  // namespace

Json network_to_json(const Network& network) {
  Json nodes = Json::array(), elements = Json::array();
  for (const auto& node : network.nodes) nodes.push_back(node_json(node));
  const auto name = [&](Index node) {
    return node == Network::ground ? Json(nullptr)
                                   : Json(network.nodes[static_cast<std::size_t>(node)].name);
  };
  const std::vector<ElementName> names = element_names(network);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto& element = network.elements[k];
    const std::string over = names[k].reciprocal ? "1/" : "";
    elements.push_back({{"type", name_of(element.type)},
                        {"name", over + names[k].symbol},
                        {"quantity", over + names[k].quantity},
                        {"from", name(element.from)},
                        {"to", name(element.to)},
                        {"value", json_number(element.value)},
                        {"se", json_number(element.se)},
                        {"evidence", json_number(element.evidence)}});
  }
  return {{"relative", network.relative}, {"nodes", nodes}, {"elements", elements}};
}

Network network_from_json(const JsonReader& in, const std::vector<std::string>& channels) {
  Network network;
  network.relative = in.get<bool>("relative", "true or false");
  network.nodes = read_nodes(in, channels.size());
  std::map<std::string, Index> nodes;
  for (const auto& node : network.nodes) nodes.emplace(node.name, static_cast<Index>(nodes.size()));
  std::set<std::tuple<Type, Index, Index>> places;
  for (const JsonReader& one : in.objects("elements")) {
    const auto node = [&](const char* field) {
      const auto found = nodes.find(one.text(field));
      if (found == nodes.end())
        one.fail(fmt::format("an element of \"network\" joins \"{}\", which is no node",
                             one.text(field)));
      return found->second;
    };
    Network::Element element;
    element.type = named(one, "type", drawn_types);
    element.from = node("from");
    if (!one.raw("to").is_null()) element.to = node("to");
    element.value = one.real("value");
    element.se = one.real("se");
    element.evidence = one.real("evidence");
    const auto wrong = [&](const std::string& what) {
      one.fail(fmt::format("the {} of \"{}\" in \"network\" {}", name_of(element.type),
                           one.text("from"), what));
    };
    if (const std::string problem = objection(network, element); !problem.empty()) wrong(problem);
    const auto [low, high] = std::minmax(element.from, element.to);
    if (!places.insert({element.type, low, high}).second) wrong("is there twice");
    network.elements.push_back(element);
  }
  return network;
}

}  // namespace lgn
