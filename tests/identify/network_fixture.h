#pragma once

#include <set>
#include <vector>

#include "lgn/flow/sample_runs.h"
#include "lgn/identify/wiring/network_fit.h"
#include "lgn/model/model.h"

namespace lgn::testing {

/// Three runs of 300 samples with 1% noise.
inline Dataset sample(const System& system, double noise = 0.01) {
  return sample_runs(system, {.runs = 3, .noise = noise});
}

inline NetworkFit fit_with(const Dataset& data, const EdgeRules& rules) {
  return fit_network(data, false, {.rules = rules});
}

inline std::set<ChannelPair> pairs_of(const NetworkFit& fit) {
  std::set<ChannelPair> pairs;
  for (const auto& e : fit.structure->elements())
    if (e.to != NetworkElement::ground) pairs.insert({e.from, e.to});
  return pairs;
}

inline std::set<ChannelPair> as_set(const std::vector<ChannelPair>& pairs) {
  return {pairs.begin(), pairs.end()};
}

inline std::vector<Network::Element> elements_of(const Model& model, ElementType type) {
  std::vector<Network::Element> result;
  if (model.network)
    for (const auto& e : model.network->elements)
      if (e.type == type) result.push_back(e);
  return result;
}

}  // namespace lgn::testing
