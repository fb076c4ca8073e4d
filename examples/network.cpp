// Which states couple, and every element between them: an RLC ladder is sampled with noise and found
// again, first in one call, then by the pieces under it.
#include <algorithm>
#include <cstdio>

#include "lgn/lgn.h"

int main() {
  const lgn::NetworkSystem ladder = lgn::network_system({.size = 4, .spread = 10, .seed = 3});
  const lgn::Dataset data = lgn::sample_runs(ladder.system, {.runs = 3, .noise = 0.02, .seed = 3});

  // The channels v1, i1, … say that they are voltages and currents: capacitors, inductors, resistors.
  const lgn::Model model = lgn::identify(data, {.structure = "network"});
  std::fputs(lgn::network_text(*model.network).c_str(), stdout);

  // The topology and its values alone. Without kinds nothing is known of the channels, so that a
  // coupling is a number instead of the ±1 of Kirchhoff's laws.
  const lgn::NetworkFit found = lgn::fit_network(data, /*mechanical=*/false, {.kinds = {}});
  if (!found.sparse) return 1;
  std::vector<lgn::ChannelPair> topology;
  std::puts("\nwith nothing known of the channels:");
  for (std::size_t k = 0; k < found.structure->elements().size(); ++k) {
    const lgn::NetworkElement& element = found.structure->elements()[k];
    if (element.type != lgn::ElementType::coupling) continue;
    topology.emplace_back(std::min(element.from, element.to), std::max(element.from, element.to));
    std::printf("%s – %s  %+.4f\n", data.channels()[std::size_t(element.from)].c_str(),
                data.channels()[std::size_t(element.to)].c_str(),
                found.structure->element_value(found.fit.theta, k));
  }
  std::sort(topology.begin(), topology.end());
  return topology == ladder.wiring ? 0 : 1;
}
