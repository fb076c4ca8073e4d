#pragma once

#include <optional>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// A system ẋ = A x + B u, y = C x + D u with as many outputs as inputs.
struct SquareSystem {
  Matrix a, b, c, d;
};

/// The least eigenvalue of ½ (H + Hᴴ) at iω, for H = C (iω − A)⁻¹ B + D: the system is passive where it is nowhere negative.
double least_real_part(const SquareSystem& system, double frequency);

/// The least Q with
///     AᵀQ + QA + (Cᵀ − QB) (D + Dᵀ)⁻¹ (C − BᵀQ) = 0,
/// the storage ½ xᵀQx of a strictly passive system that can be drawn from it (positive real lemma: Anderson, SIAM J. Control
/// 5:171, 1967; Willems, Arch. Rational Mech. Anal. 45:352, 1972). Nothing where D + Dᵀ is not positive definite or no such Q
/// is found: the system is then not strictly passive, or so nearly not that rounding decides.
///
/// By Newton steps from Q = 0, each a Lyapunov equation: A − B (D + Dᵀ)⁻¹ C has the zeros of H on its diagonal, which are
/// stable in a passive system, and Q grows from step to step to the solution (Kleinman, IEEE Trans. Autom. Control 13:114,
/// 1968). Some ten steps of 60 n³ flops.
std::optional<Matrix> least_storage(const SquareSystem& system);

}  // namespace lgn
