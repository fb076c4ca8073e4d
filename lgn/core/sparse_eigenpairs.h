#pragma once

#include "lgn/core/sparse_pattern.h"

namespace lgn {

/// So many eigenvalues of a real sparse matrix, those nearest to iω, ω ≥ 0, nearest first, with right eigenvectors v of unit length
/// and left ones with wᴴv = 1 as columns. Of a conjugate pair only the upper one is given. No eigenvalue may lie to the right of the
/// imaginary axis.
///
/// Arnoldi's iteration on (A − σ)⁻¹ and on its adjoint, by one sparse LU factorisation, with σ just to the right of iω so that there is
/// one. What is near σ dominates there: a few products for each pair are enough, and the basis grows until they have converged
/// instead of being restarted, n numbers for each product. Every pair is checked, ‖A v − λ v‖ ≤ 1e-9 ‖A‖₁, and left out where it fails,
/// as are those that do not converge; of a repeated eigenvalue one vector may be all that is found. Throws Error where the
/// factorisation fails.
Eigensystem eigenpairs_near(const SparsePattern& pattern, const Vector& values, double omega,
                            Index count);

}  // namespace lgn
