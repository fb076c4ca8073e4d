#pragma once

#include <memory>
#include <vector>

#include "lgn/core/partition.h"
#include "lgn/core/sparse_pattern.h"
#include "lgn/data/dataset.h"
#include "lgn/dynamics/network.h"
#include "lgn/identify/network_options.h"

namespace lgn {

/// A network on a known topology, with values by regression.
struct SparseStart {
  std::shared_ptr<const NetworkStructure> structure;
  Vector theta;
  std::shared_ptr<const Partition> partition = one_part();
};

/// Where a generator on such a topology has entries: row and column of each, some twice, with those of a row's own state.
std::vector<std::pair<Index, Index>> entries_of_topology(const std::vector<NetworkNode>& nodes,
                                                         const std::vector<ChannelPair>& pairs);

/// The entries of one row by least squares: y ≈ Σ a_k x_k over columns of x.
Vector regress_row(const Matrix& x, const std::vector<Index>& columns,
                   const Eigen::Ref<const Vector>& y);

/// The network whose generator has about these values on this pattern.
SparseStart start_from_entries(const SparsePattern& pattern, const Vector& values,
                               const std::vector<NetworkNode>& nodes,
                               const NetworkOptions& network);

/// Reads a generator off data on a topology that is known, node by node: each state's derivative, in the weak form with windows of
/// this width (weak_form.h), by least squares on the states that it may depend on. O(n) for a bounded number of neighbours.
///
/// From these entries follow the elements. A pair of single states is a coupling, or an exchange where both of its
/// entries are positive; couplings of a voltage and a current are ±1, and storages free. Elsewhere storages are one where opposite entries
/// are as large as each other, in the median to within five parts in a hundred, else free. Every node has a loss. Masses
/// have springs and dampers along every pair and to the ground. Storages come from ratios of opposite entries, a sparse least squares
/// of logarithms; then every element from its own entries.
///
/// Throws NotIdentified where there is no window, Error where kinds are not those of masses for `mechanical`.
SparseStart start_on_topology(const Dataset& data, bool mechanical, const NetworkOptions& network,
                              double width);

}  // namespace lgn
