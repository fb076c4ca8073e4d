#pragma once

#include <string>

#include "lgn/physics/network_elements.h"

namespace lgn {

/// The network as a graph in Graphviz's language: nodes are called as the channels are and carry
/// kind, storage and what they lose to the ground; edges carry type, value, se and evidence. An
/// edge's first end is the element's `from`, which gives a coupling its sign. Numbers read back to
/// the same bits; what does not exist is left out.
std::string graph_dot(const Network& network);

/// The same as GraphML, nodes n0, n1, … with their names as data.
std::string graph_graphml(const Network& network);

}  // namespace lgn
