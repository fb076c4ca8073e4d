#pragma once

// Products of a matrix on a symmetric pattern with blocks of states, n × m row by row; not installed. Columns are taken in
// groups of eight and fewer, whose sums stay in registers. A row is computed by one thread, in the order of its entries.

#include <algorithm>
#include <cstddef>

#include "lgn/core/sparse_pattern.h"

namespace lgn::sparse_kernels {

using Place = SparsePattern::Place;

/// Calls `kernel.template rows<C>(begin, end, first column)` for groups of C columns that make up all of them.
template <class Kernel>
void by_columns(const Kernel& kernel, Index columns, Index begin, Index end) {
  for (Index first = 0; first < columns; first += 8) {
    switch (std::min<Index>(8, columns - first)) {
      case 1:
        kernel.template rows<1>(begin, end, first);
        break;
      case 2:
        kernel.template rows<2>(begin, end, first);
        break;
      case 3:
        kernel.template rows<3>(begin, end, first);
        break;
      case 4:
        kernel.template rows<4>(begin, end, first);
        break;
      case 5:
        kernel.template rows<5>(begin, end, first);
        break;
      case 6:
        kernel.template rows<6>(begin, end, first);
        break;
      case 7:
        kernel.template rows<7>(begin, end, first);
        break;
      default:
        kernel.template rows<8>(begin, end, first);
    }
  }
}

/// Y = f A X + b Z; Z may be null where b is zero.
template <class Scalar>
struct Forward {
  const SparsePattern& at;
  const Scalar* a;
  const Scalar* x;
  const Scalar* z;
  Scalar f, b;
  Scalar* y;
  Index columns;

  template <std::size_t C>
  void rows(Index begin, Index end, Index first) const {
    const Place *start = at.start.data(), *column = at.column.data();
    for (Index i = begin; i < end; ++i) {
      Scalar sum[C] = {};
      for (Place e = start[i]; e < start[i + 1]; ++e) {
        const Scalar* from = x + column[e] * columns + first;
        for (std::size_t c = 0; c < C; ++c) sum[c] += a[e] * from[c];
      }
      Scalar* to = y + i * columns + first;
      if (z == nullptr) {
        for (std::size_t c = 0; c < C; ++c) to[c] = f * sum[c];
      } else {
        const Scalar* before = z + i * columns + first;
        for (std::size_t c = 0; c < C; ++c) to[c] = f * sum[c] + b * before[c];
      }
    }
  }
};

/// Y = f (A X + D U) + b Z: the derivative of Forward along a change D of A, where U are the states that A acts on there.
template <class Scalar>
struct Tangent {
  const SparsePattern& at;
  const Scalar *a, *d;
  const Scalar *x, *u;
  const Scalar* z;
  Scalar f, b;
  Scalar* y;
  Index columns;

  template <std::size_t C>
  void rows(Index begin, Index end, Index first) const {
    const Place *start = at.start.data(), *column = at.column.data();
    for (Index i = begin; i < end; ++i) {
      Scalar sum[C] = {};
      for (Place e = start[i]; e < start[i + 1]; ++e) {
        const Scalar* from = x + column[e] * columns + first;
        const Scalar* along = u + column[e] * columns + first;
        for (std::size_t c = 0; c < C; ++c) sum[c] += a[e] * from[c] + d[e] * along[c];
      }
      Scalar* to = y + i * columns + first;
      if (z == nullptr) {
        for (std::size_t c = 0; c < C; ++c) to[c] = f * sum[c];
      } else {
        const Scalar* before = z + i * columns + first;
        for (std::size_t c = 0; c < C; ++c) to[c] = f * sum[c] + b * before[c];
      }
    }
  }
};

/// V += f Aᵀ W + b L, and G_ij += f W_i · U_j on the pattern: the adjoint of Forward, fused with ∂ℓ/∂A. `a` is Aᵀ; L may be null.
template <class Scalar>
struct Backward {
  const SparsePattern& at;
  const Scalar* a;
  const Scalar *w, *u;
  const Scalar* later;
  Scalar f, b;
  Scalar* v;
  Scalar* g;
  Index columns;

  template <std::size_t C>
  void rows(Index begin, Index end, Index first) const {
    const Place *start = at.start.data(), *column = at.column.data();
    for (Index i = begin; i < end; ++i) {
      Scalar sum[C] = {}, own[C];
      const Scalar* here = w + i * columns + first;
      for (std::size_t c = 0; c < C; ++c) own[c] = f * here[c];
      for (Place e = start[i]; e < start[i + 1]; ++e) {
        const Scalar* from = w + column[e] * columns + first;
        const Scalar* state = u + column[e] * columns + first;
        Scalar dot = 0;
        for (std::size_t c = 0; c < C; ++c) {
          sum[c] += a[e] * from[c];
          dot += own[c] * state[c];
        }
        g[e] += dot;
      }
      Scalar* to = v + i * columns + first;
      if (later == nullptr) {
        for (std::size_t c = 0; c < C; ++c) to[c] += f * sum[c];
      } else {
        const Scalar* next = later + i * columns + first;
        for (std::size_t c = 0; c < C; ++c) to[c] += f * sum[c] + b * next[c];
      }
    }
  }
};

}  // namespace lgn::sparse_kernels
