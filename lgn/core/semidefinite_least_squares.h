#pragma once

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// The Q ⪰ 0 nearest to a symmetric matrix: its negative eigenvalues become zero.
Matrix nearest_semidefinite(const Matrix& symmetric);

/// min ½⟨Q, H∘Q⟩ − ⟨B, Q⟩ over symmetric Q ⪰ 0, for symmetric H and B with weights 0 < H_ij ≤ 1.
///
/// Projected gradients of length one, accelerated (Beck & Teboulle, SIAM J. Imaging Sci. 2:183,
/// 2009) and begun anew whenever the momentum points uphill (O'Donoghue & Candès, Found. Comput.
/// Math. 15:715, 2015), from `start` ⪰ 0 or from the nearest point to B, whichever is lower. At the
/// solution G = H∘Q − B ⪰ 0 and ⟨G, Q⟩ = 0. One eigendecomposition, O(n³), for each of at most 400
/// iterations; weights of order one take some tens, weights down to 1e-8 all.
Matrix semidefinite_least_squares(const Matrix& h, const Matrix& b, const Matrix& start);

}  // namespace lgn
