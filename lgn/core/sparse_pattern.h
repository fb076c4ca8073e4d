#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// Places of a square sparse matrix, row by row and ascending in each: symmetric, with the whole diagonal, so that A and Aᵀ
/// share them. Entry e is at row i where start[i] ≤ e < start[i + 1].
struct SparsePattern {
  using Place = std::int32_t;

  Index n = 0;
  std::vector<Place> start = {0};    ///< n + 1 of them
  std::vector<Place> column = {};    ///< of every entry
  std::vector<Place> twin = {};      ///< the entry of the transposed place
  std::vector<Place> diagonal = {};  ///< of every row

  /// The least such pattern that holds these rows and columns. O(k log k) for k places. Throws Error for places outside
  /// of n × n, or too many of them for 32 bits.
  static SparsePattern around(Index n, const std::vector<std::pair<Index, Index>>& places);

  Index entries() const { return static_cast<Index>(column.size()); }
  /// The entry at this place, which must be one.
  Index find(Index row, Index col) const;

  /// States in an order in which those that couple stand close together: Cuthill and McKee's, from an end of each connected
  /// part. order[k] is the state that comes k-th. O(entries).
  std::vector<Index> near_order() const;
  /// The same pattern for states in another order, and for each of its entries the entry here.
  struct Reordered;
  Reordered reordered(const std::vector<Index>& order) const;
};

struct SparsePattern::Reordered {
  SparsePattern pattern;
  std::vector<Place> entry;
};

}  // namespace lgn
