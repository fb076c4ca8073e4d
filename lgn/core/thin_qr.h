#pragma once

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// A = Q R for m × n, m ≥ n: Q with n orthonormal columns, R upper triangular, by LAPACK's reflections in blocks. O(m n²). Throws
/// Error where m < n.
struct ThinQr {
  Matrix q, r;
};
ThinQr thin_qr(Matrix a);

}  // namespace lgn
