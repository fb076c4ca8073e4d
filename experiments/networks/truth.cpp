#include "experiments/networks/truth.h"

#include <algorithm>
#include <set>

#include "lgn/core/error.h"

namespace lgn::studies {
namespace {

template <class T>
Index count_without(const std::set<T>& these, const std::set<T>& others) {
  return static_cast<Index>(
      std::count_if(these.begin(), these.end(), [&](const T& x) { return !others.contains(x); }));
}

/// Channels whose own balance loses energy.
std::set<Index> true_losses(const NetworkSystem& truth) {
  std::set<Index> losses;
  const Matrix& a = truth.system.a;
  for (Index i = 0; i < a.rows(); ++i)
    if (a(i, i) < 0) losses.insert(i);
  return losses;
}

}  // namespace

void WiringErrors::add(const WiringErrors& other) {
  missing += other.missing;
  extra += other.extra;
  missing_losses += other.missing_losses;
  extra_losses += other.extra_losses;
}

WiringErrors compare_wiring(const Model& model, const NetworkSystem& truth) {
  std::set<ChannelPair> pairs;
  std::set<Index> losses;
  if (model.network)
    for (const auto& element : model.network->elements) {
      const auto& nodes = model.network->nodes;
      const auto& from = nodes[static_cast<std::size_t>(element.from)];
      if (element.to != Network::ground)
        pairs.insert(std::minmax(from.state, nodes[static_cast<std::size_t>(element.to)].state));
      else if (element.type == ElementType::loss)
        losses.insert(from.state);
      else if (element.type == ElementType::damper)
        losses.insert(from.velocity);
    }
  const std::set<ChannelPair> wiring(truth.wiring.begin(), truth.wiring.end());
  const std::set<Index> lossy = true_losses(truth);
  return {count_without(wiring, pairs), count_without(pairs, wiring), count_without(lossy, losses),
          count_without(losses, lossy)};
}

NetworkSystem equal_ladder(Index sections, bool named) {
  NetworkSystem network = network_system({.topology = Topology::ladder, .size = sections});
  for (Index c = 0; c < 2 * sections && !named; ++c)
    network.system.channels[static_cast<std::size_t>(c)] = "x" + std::to_string(c + 1);
  return network;
}

NetworkStructure true_structure(const NetworkSystem& truth, bool lawful) {
  const Matrix& a = truth.system.a;
  std::vector<NetworkElement> elements;
  for (const auto& [i, j] : truth.wiring)
    elements.push_back({ElementType::coupling, i, j, !lawful ? 0.0 : a(i, j) < 0 ? -1.0 : 1.0});
  for (const Index i : true_losses(truth)) elements.push_back({ElementType::loss, i});
  return {single_states(a.rows()), std::move(elements), lawful};
}

const Matrix& true_value(const NetworkSystem& truth, const std::string& name) {
  for (const auto& value : truth.system.parameters)
    if (value.name == name) return value.value;
  throw Error("the network has no values \"" + name + "\"");
}

}  // namespace lgn::studies
