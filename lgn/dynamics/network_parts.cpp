// Networks made of others: parts of larger ones, and what is left without some elements.
#include "lgn/dynamics/network.h"

namespace lgn {

NetworkStructure NetworkStructure::part(std::vector<NetworkNode> nodes,
                                        std::vector<NetworkElement> elements, bool storages,
                                        const std::vector<char>& one) {
  return {std::move(nodes), std::move(elements), storages, &one};
}

NetworkStructure NetworkStructure::without(const Vector& kept) const {
  std::vector<NetworkElement> elements;
  for (std::size_t e = 0; e < elements_.size(); ++e)
    if (element_parameter_[e] == fixed || kept[element_parameter_[e]] != 0)
      elements.push_back(elements_[e]);
  std::vector<char> one;
  for (const Index parameter : storage_parameter_) one.push_back(parameter == fixed ? 1 : 0);
  return {nodes_, std::move(elements), storages_, &one};
}

}  // namespace lgn
