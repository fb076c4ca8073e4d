#pragma once

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// The x of least ½ xᵀHx + gᵀx with G x ≤ h, and the multipliers z ≥ 0 of the rows.
struct QuadraticProgram {
  Matrix hessian;  ///< H ⪰ 0
  Vector gradient;
  Matrix rows;  ///< G
  Vector limits;
};
struct QuadraticSolution {
  Vector x, multipliers;
  bool converged = false;
};

/// By Mehrotra's predictor and corrector (SIAM J. Optim. 2:575, 1992): a Cholesky factorisation of H + Gᵀ diag(z/s) G for each step,
/// O(n³ + n² rows), and some twenty steps. There must be an x with G x < h, and G must bound x from where H does not.
QuadraticSolution solve(const QuadraticProgram& problem);

}  // namespace lgn
