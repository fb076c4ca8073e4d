#pragma once

#include <functional>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/data/edges.h"
#include "lgn/dynamics/network.h"

namespace lgn {

/// Which nodes of a large network couple.
struct SparseWiring {
  std::vector<ChannelPair> pairs;  ///< of nodes, the smaller one first, in order
  /// Nodes that move no more than their noise: whether anything couples with them is not determined.
  std::vector<Index> silent;
  double window = 0;  ///< width of the weak form's windows in which it was found
  /// Nodes of which more than noise is left, and pairs that one end alone has chosen and that were left out.
  Index unexplained = 0, doubtful = 0;
};

/// Finds which nodes couple by regression in the weak form, as find_wiring() does (wiring.h), for networks without any matrix of
/// n × n. Each derivative is pursued among the few states whose products with it are largest, found by blocked products of all states with all derivatives
/// in single precision; then states that are not worth their price beside the others leave. What is left of derivatives is screened
/// again where it is more than noise, and a node looks at those that have chosen it. A pair is kept where both ends chose each other with the signs that
/// an element has, or where one did and both together are the better for it.
///
/// Rules are those about nodes, without a pattern. O(W n²) for W windows in products, O(W n) else. What is found does not depend on `threads`.
/// Throws NotIdentified where there are no windows.
SparseWiring find_sparse_wiring(const Dataset& data, const std::vector<NetworkNode>& nodes,
                                const EdgeRules& rules, int threads,
                                const std::function<void()>& before_each);

}  // namespace lgn
