#pragma once

#include "lgn/identify/sparse/sparse_fit.h"

namespace lgn {

/// A large network whose topology was found in the data.
struct SparseNetworkFit {
  SparseFit fit;
  /// Channels that move no more than their noise: what couples with them is not determined.
  std::vector<Index> silent = {};
  /// Channels of which the fit leaves more than their noise: elements may be missing there, or wrong.
  std::vector<Index> unexplained = {};
};

/// Finds the topology (sparse_wiring.h) and its values (fit_on_topology). Pairs that have no evidence then, by Wald's test where there are
/// standard errors, are taken out, and the rest is fitted again.
/// Throws NotIdentified where the data are too few, or nothing couples.
SparseNetworkFit fit_large_network(const Dataset& data, bool mechanical, const FitOptions& options);

}  // namespace lgn
