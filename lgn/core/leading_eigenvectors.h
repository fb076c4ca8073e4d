#pragma once

#include "lgn/core/decompositions.h"

namespace lgn {

/// The `count` largest eigenvalues of a symmetric matrix, of which the lower triangle is read, largest first, with their vectors: by
/// LAPACK's dsyevr, about 4/3 n³ + 2 n² count flops. Throws Error where it does not converge.
SymmetricEigen leading_eigenvectors(Matrix a, Index count);

}  // namespace lgn
