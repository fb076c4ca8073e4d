#pragma once

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// The real Schur form A = U T Uᵀ: U orthogonal, T upper triangular but for 2 × 2 blocks on its
/// diagonal, one for each pair of complex eigenvalues, with equal diagonal entries Re λ.
struct RealSchur {
  Matrix u, t;
  ComplexVector values;  ///< λ in the order of T's diagonal
};

/// Computes it by LAPACK's dgees: about 25 n³ flops; U T Uᵀ is within n ε ‖A‖ of A.
/// Throws Error when A is not square, holds a non-finite value, or the QR iteration does not
/// converge.
RealSchur real_schur(const Matrix& a);

/// X with
///     AᵀX + XA = −W  (theory, Eq. 10).
///
/// There is exactly one X if and only if no two eigenvalues of A (nor one twice) sum to zero. It is
/// symmetric for symmetric W, and returned so. If A is Hurwitz (every Re λ < 0) it is
/// X = ∫₀^∞ exp(Aᵀt) W exp(At) dt, so X ≻ 0 for W ≻ 0, and xᵀXx falls along ẋ = Ax by xᵀWx.
///
/// By Bartels & Stewart (1972): A = UTUᵀ, TᵀY + YT = −UᵀWU by substitution (LAPACK's dtrsyl), and
/// X = UYUᵀ: about 35 n³ flops. The residual is of the order n ε ‖A‖ ‖X‖; the relative error of X
/// is larger by up to ‖A‖ / min |λᵢ + λⱼ| and by the non-normality of A.
///
/// Throws Error when A is not square, W has another size, an entry is not finite, or λᵢ + λⱼ
/// vanishes for some pair to rounding, |λᵢ + λⱼ| ≤ ε ‖A‖.
Matrix solve_lyapunov(const Matrix& a, const Matrix& w);

}  // namespace lgn
