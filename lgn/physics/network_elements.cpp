#include "lgn/physics/network_elements.h"

#include <cmath>

namespace lgn {

Network describe_network(const NetworkStructure& structure, const Vector& theta,
                         const std::vector<std::string>& channels,
                         const std::vector<ChannelKind>& kinds,
                         const std::optional<NetworkEvidence>& evidence, double factor) {
  const auto channel = [](Index i) { return static_cast<std::size_t>(i); };
  Network network;
  for (const auto& node : structure.nodes())
    network.nodes.push_back({channels[channel(node.state)],
                             kinds.empty() ? ChannelKind::plain : kinds[channel(node.state)],
                             node.state, node.velocity});
  network.relative = structure.relative() && structure.has_storages();
  const auto error = [&](Index parameter) {
    if (parameter == NetworkStructure::fixed) return 0.0;
    if (!evidence) return Network::unknown;
    const double se = evidence->se[parameter];
    return se > 0 ? factor * se : Network::unknown;
  };
  if (structure.has_storages()) {
    const Vector storages = structure.storages(theta);
    for (std::size_t i = 0; i < structure.nodes().size(); ++i) {
      const double m = storages[static_cast<Index>(i)];
      network.elements.push_back({Network::Type::storage, static_cast<Index>(i), Network::ground, m,
                                  m * error(structure.parameter_of_storage(i)), Network::unknown});
    }
  }
  for (std::size_t e = 0; e < structure.elements().size(); ++e) {
    const NetworkElement& element = structure.elements()[e];
    network.elements.push_back(
        {element.stiff() ? Network::Type::spring : element.type, element.from, element.to,
         structure.element_value(theta, e), error(structure.parameter_of_element(e)),
         evidence ? evidence->present[e] / (factor * factor) : Network::unknown});
  }
  return network;
}

}  // namespace lgn
