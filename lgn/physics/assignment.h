#pragma once

#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// Assignment of every row to a column of its own at the least total cost (Kuhn 1955, by shortest
/// augmenting paths, Jonker & Volgenant 1987): O(n³). Result[i] is the column of row i. Needs rows
/// ≤ columns and finite costs.
std::vector<Index> assign(const Matrix& cost);

/// Pairs eigenvalues with true ones by minimum cost |Δλ|, and their distances.
struct EigenvalueMatch {
  std::vector<Index> partner;  ///< found[partner[i]] belongs to truth[i]
  Vector distance;             ///< |found − truth|, in the order of truth
};
EigenvalueMatch match_eigenvalues(const ComplexVector& truth, const ComplexVector& found);

}  // namespace lgn
