#pragma once

#include <Eigen/Dense>
#include <complex>

namespace lgn {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Complex = std::complex<double>;
using ComplexMatrix = Eigen::MatrixXcd;
using ComplexVector = Eigen::VectorXcd;

/// Eigenvalues of a general square matrix, A V = V diag(λ) and Wᴴ A = diag(λ) Wᴴ.
///
/// Columns of `right` have unit length; columns of `left` are scaled so that wₖᴴ vₖ = 1 (where the
/// eigenvalue is defective that product vanishes and the column holds infinities).
/// Sorted by |Im λ|, then Re λ, then Im λ, so that conjugate pairs stand together, slow ones first.
struct Eigensystem {
  ComplexVector values;
  ComplexMatrix right;
  ComplexMatrix left;
};

/// Computes eigenvalues and both sets of eigenvectors by LAPACK's dgeev: about 25 n³ flops.
/// Throws Error when A is not square, holds a non-finite value, or the QR iteration does not
/// converge.
Eigensystem eigensystem(const Matrix& a);

/// Eigenvalues alone, in the same order: about 10 n³ flops.
ComplexVector eigenvalues(const Matrix& a);

/// Largest column sum of absolute values, ‖A‖₁; NaN when any entry is NaN.
double norm1(const Matrix& a);

/// How many threads the linear algebra library uses. Results repeat bit for bit for the same
/// number; a fit starts with one.
void set_threads(int threads);

}  // namespace lgn
