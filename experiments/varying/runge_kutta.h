#pragma once

#include <functional>

#include "experiments/identification/dormand_prince.h"
#include "lgn/core/linear_algebra.h"

namespace lgn::studies {

/// Errors of a step far below the rounding of a double.
inline constexpr Tolerances exact{.relative = 1e-16, .absolute = 1e-18};

/// ẋ = A(t) x from x₀ at times[0]; column k is x(t_k).
///
/// The classical Runge–Kutta method with the step halved for its error, the difference carried on to
/// order five (Hairer, Nørsett & Wanner, Solving ODEs I, section II.4), in extended precision. It
/// shares nothing with the flows that it is the oracle for.
Matrix runge_kutta(const std::function<Matrix(double)>& a, const Vector& x0, const Vector& times,
                   const Tolerances& tolerances = exact);

}  // namespace lgn::studies
