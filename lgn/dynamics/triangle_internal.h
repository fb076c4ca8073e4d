#pragma once

#include "lgn/core/linear_algebra.h"

/// What structures with triangular factors share.
namespace lgn {

inline constexpr double start_spread = 0.1;  ///< of random parameters: the paper's 0.1 · randn

/// Calls f(i, j) for the lower triangle, column by column, diagonal included.
template <class F>
void for_lower(Index n, F f) {
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i) f(i, j);
}

inline Matrix symmetric_part(const Matrix& a) { return 0.5 * (a + a.transpose()); }

}  // namespace lgn
