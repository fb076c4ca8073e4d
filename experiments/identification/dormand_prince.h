#pragma once

#include "lgn/core/linear_algebra.h"

namespace lgn::studies {

/// How closely to integrate: a step is accepted when its error is below atol + rtol |x|.
struct Tolerances {
  double relative = 1e-8;
  double absolute = 1e-10;
};

/// ẋ = A x from x₀ at times[0], as SciPy's RK45 gives it at these times; column k is x(t_k).
///
/// The pair 5(4) of Dormand and Prince (J. Comp. Appl. Math. 6:19, 1980) with the higher order
/// carried on, SciPy's first step and step control, and Shampine's quartic inside steps (Math. Comp.
/// 46:135, 1986). Data made so carry the error that the paper's data carry.
Matrix dormand_prince(const Matrix& a, const Vector& x0, const Vector& times,
                      const Tolerances& tolerances = {});

}  // namespace lgn::studies
