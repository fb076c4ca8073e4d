#pragma once

#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// Lags 0 = L₀ < L₁ < … that the block rows of a Hankel matrix stand at, with shifts s that lead from most of them to others.
struct LagLattice {
  std::vector<Index> lags;
  std::vector<Index> shifts;  ///< ascending, the first is 1

  Index aperture() const { return lags.back(); }
  /// Places i, j with lag j = lag i + shift.
  struct Pairs {
    std::vector<Index> from, to;
  };
  Pairs pairs(Index shift) const;
};

/// Lags up to about `aperture`, at most `most` of them (4 at least).
///
/// All of them where that many suffice, with shifts 1, 2, 4, …. Otherwise L = Σ aᵢ sᵢ with digits 0 ≤ aᵢ < d on
/// two to four levels, whose strides sᵢ grow geometrically from 1: d^levels rows see frequencies as close as the aperture
/// tells apart, and the smaller shifts tell which of their aliases they are.
LagLattice lag_lattice(Index aperture, Index most);

}  // namespace lgn
