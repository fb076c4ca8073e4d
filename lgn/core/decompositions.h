#pragma once

#include <optional>

#include "lgn/core/linear_algebra.h"

/// Decompositions of dense matrices as functions that are compiled once; what calls them compiles none of their templates.
///
/// All of them are backward stable and cost O(m n²) for m × n, m ≥ n. Matrices with NaN or infinities give NaN where
/// nothing else is said. Singular values, pivoted factors and complex matrices are LAPACK's; the others are Eigen's,
/// which is faster below a dozen rows.
namespace lgn {

/// A = V diag(λ) Vᵀ of a symmetric A, of which the lower triangle is read; λ ascends.
struct SymmetricEigen {
  Vector values;
  Matrix vectors;
};
SymmetricEigen symmetric_eigen(const Matrix& a);
Vector symmetric_eigenvalues(const Matrix& a);

/// A = U diag(s) Vᵀ with min(m, n) columns in U and V; s descends.
struct SingularValues {
  Matrix u;
  Vector s;
  Matrix v;
};
/// Throws Error where the iteration does not converge.
SingularValues singular_value_decomposition(const Matrix& a);
Vector singular_values(const Matrix& a);

/// L with L Lᵀ = A for a symmetric positive definite A, of which the lower triangle is read; NaN where it is not definite.
Matrix cholesky(const Matrix& a);
/// L⁻¹ B and L⁻ᵀ B for a lower triangular L.
Matrix solve_lower(const Matrix& l, const Matrix& b);
Matrix solve_lower_transposed(const Matrix& l, const Matrix& b);
/// A⁻¹ B for a symmetric positive definite A; means nothing where it is not definite.
Matrix solve_definite(const Matrix& a, const Matrix& b);
/// A⁻¹ b for a symmetric semidefinite A, by L D Lᵀ with pivots; directions without a pivot are left at zero.
Vector solve_semidefinite(const Matrix& a, const Vector& b);

/// R of A = Q R: upper triangular, min(m, n) rows.
Matrix qr_triangle(const Matrix& a);
/// The first rows of Q for A = Q R turned into a basis: an orthogonal matrix of m columns whose first n span those of A.
Matrix completed_basis(const Matrix& a);
/// min ‖A x − b‖ = min ‖R x − q‖ + constant for m ≥ n: R n × n, q = the first n entries of Qᵀ b.
struct TriangularLeastSquares {
  Matrix r;
  Vector q;
};
TriangularLeastSquares triangular_least_squares(const Matrix& a, const Vector& b);

/// The x of least ‖A x − b‖, A of full rank.
Vector solve_least_squares(const Matrix& a, const Vector& b);
/// The same by pivoted columns: those whose pivot is at most `threshold` times the largest get zero. Without a threshold,
/// ε min(m, n).
Vector solve_least_squares_pivoted(const Matrix& a, const Vector& b,
                                   std::optional<double> threshold = {});
/// The X of least ‖X‖ among those of least ‖A X − B‖, where condition numbers above 1/(ε min(m, n)) count as infinite.
Matrix solve_minimum_norm(const Matrix& a, const Matrix& b);
ComplexMatrix complex_solve_minimum_norm(const ComplexMatrix& a, const ComplexMatrix& b);

/// A⁻¹ B; nothing where the reciprocal condition of A in the 1-norm is at most `least_condition`.
std::optional<Matrix> solve_well_conditioned(const Matrix& a, const Matrix& b,
                                             double least_condition);

/// A⁻¹ and an estimate of 1/(‖A‖₁ ‖A⁻¹‖₁); a singular matrix has infinities and zero.
struct ComplexInverse {
  ComplexMatrix value;
  double reciprocal_condition;
};
ComplexInverse complex_inverse(const ComplexMatrix& a);

/// A = U T Uᴴ with U unitary and T upper triangular, its diagonal the eigenvalues of A: what makes (s I − A)⁻¹ B cheap for many
/// s. Throws Error where A is not square, holds a non-finite value, or the iteration does not converge.
struct ComplexSchur {
  ComplexMatrix u, t;
};
ComplexSchur complex_schur(const Matrix& a);
/// T⁻¹ B and B T⁻¹ for an upper triangular T; infinities or NaN where T is singular.
ComplexMatrix solve_upper(const ComplexMatrix& t, const ComplexMatrix& b);
ComplexMatrix solve_upper_from_right(const ComplexMatrix& b, const ComplexMatrix& t);

/// What the columns of A cannot imitate of those of B: for A P = Q R with rank r, the rows of Qᴴ B after the first r.
ComplexMatrix outside_of_range(const ComplexMatrix& a, const ComplexMatrix& b);

}  // namespace lgn
