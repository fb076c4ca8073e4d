#pragma once

#include <memory>

#include "lgn/data/dataset.h"
#include "lgn/dynamics/generator.h"
#include "lgn/dynamics/network.h"
#include "lgn/physics/network_elements.h"

namespace lgn {

/// The generator of a network too large for dense matrices: its structure with θ, on the sparsity pattern, in place of A.
struct ModelSparse {
  std::shared_ptr<const NetworkStructure> structure;
  Vector theta;
  Vector errors;  ///< standard errors of θ; empty: not computed, NaN: at a bound

  /// A(θ), O(elements).
  SparseGenerator generator() const;
  /// Its elements as people draw them, of channels that measure what their names say.
  Network network(const std::vector<std::string>& channels) const;
  /// x(t_k) in column k, from x(t_0) = x0 (sparse_flow.h).
  Matrix propagate(const Vector& x0, const Vector& times) const;
  /// The most likely initial states of the runs of data, one column each, under noise of these sizes about this offset.
  Matrix initial_states(const Dataset& data, const Vector& noise, const Vector& offset) const;
};

}  // namespace lgn
