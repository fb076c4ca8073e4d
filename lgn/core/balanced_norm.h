#pragma once

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// ‖D⁻¹AD‖₁ for the diagonal D, of powers of two, that brings rows and columns of A to the same size
/// (Parlett & Reinsch, Numer. Math. 13:293, 1969; LAPACK's dgebal): the size of A in units that suit
/// its states, never more than ‖A‖₁. Throws Error when A is not square or not finite.
double balanced_norm(const Matrix& a);

}  // namespace lgn
