#pragma once

#include <vector>

#include "lgn/physics/network_elements.h"

namespace lgn {

/// How a part of a network hangs together that is joined to nothing else.
enum class Shape {
  path,  ///< two ends, or a node alone
  ring,  ///< three nodes or more, each with two neighbours
  tree,  ///< no cycle
  mesh   ///< anything else
};

struct Component {
  Shape shape;
  /// Its nodes: along a path from the end with the smaller index, around a ring from the smallest
  /// index towards its smaller neighbour, else as a search from the smallest index meets them.
  std::vector<Index> nodes;
};

/// The parts of a network, by their smallest node.
std::vector<Component> components(const Network& network);

/// The neighbours of every node, in order.
std::vector<std::vector<Index>> neighbours(const Network& network);

}  // namespace lgn
