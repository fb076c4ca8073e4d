#pragma once

#include <optional>

#include "lgn/identify/likelihood/problem.h"

namespace lgn {

/// The most likely generator whose poles do not lie right of the imaginary axis, given the most
/// likely generator of all: where noise has pushed an undamped mode across, it goes back to the axis.
///
/// Newton steps on the likelihood's quadratic model at A, min δᵀHδ subject to Re λ_k + c_kᵀδ = 0
/// for the poles k across, c_k = Re(w_kᴴ E v_k): A is the free optimum, so the gradient vanishes
/// there. Nothing where a few steps do not lead there. `noise`: σ of each channel; `known`: what is known
/// besides. O(values n⁴).
std::optional<Matrix> stable_generator(const Dataset& data, const Matrix& a, const Vector& noise,
                                       const ProblemOptions& known = {});

}  // namespace lgn
