#pragma once

#include "lgn/core/sparse_pattern.h"
#include "petsc/row_partition.h"

namespace lgn::petsc {

/// The poles nearest to zero of the generator with these entries on the rows that are here, of each conjugate pair the upper one, nearest
/// first: Krylov–Schur's iteration on (A − σ)⁻¹ by SLEPc, with one LU factorisation on all ranks by MUMPS, σ just right of zero. Only
/// what has converged is given, at most `count` poles. The same on all ranks.
std::vector<Complex> slowest_poles(const RowPartition& partition, const SparsePattern& pattern,
                                   const Vector& values, Index count);

}  // namespace lgn::petsc
