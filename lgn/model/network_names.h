#pragma once

#include <string>
#include <vector>

#include "lgn/physics/network_elements.h"

namespace lgn {

/// An element in the words of its field: C1, L1, R1 and G1 in a circuit of voltages and currents;
/// m1, k1 and c1 among velocities and forces; C1 and G1-2 among temperatures; m1, k1-2 and c1-2 in a
/// mechanical network; m1, s1-2, g1-2 and d1 where the field is not known.
///
/// Numbers are those that the names of the nodes end with, where these tell nodes of one kind
/// apart, else their places. Couplings of nodes of different kinds bear the nodes' names: s_v1-i1.
struct ElementName {
  std::string symbol;    ///< "k2"
  std::string quantity;  ///< "stiffness"
  double value, se;      ///< of that quantity
  /// Whether the quantity is one over the element's own value: a force is stored in a compliance,
  /// people speak of stiffness.
  bool reciprocal = false;
};

/// The names of all elements, in their order.
std::vector<ElementName> element_names(const Network& network);

/// "storage", "coupling", "exchange", "loss", "spring" or "damper".
std::string name_of(Network::Type type);

/// The elements that a node has to itself, as indices; −1 where it has none.
struct NodeElements {
  Index storage = -1;
  std::vector<Index> grounded;  ///< losses, and springs and dampers to the ground
};
std::vector<NodeElements> node_elements(const Network& network);

/// The elements between the same two nodes, `from` < `to`.
struct Connection {
  Index from, to;
  std::vector<Index> elements;
};
/// In the order of their nodes.
std::vector<Connection> connections(const Network& network);

}  // namespace lgn
