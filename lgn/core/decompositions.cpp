#include "lgn/core/decompositions.h"

#include <limits>

#include "lgn/core/constants_internal.h"

namespace lgn {
namespace {

Matrix upper_part(const Matrix& a, Index rows) {
  return a.topRows(rows).triangularView<Eigen::Upper>();
}

}  // namespace

SymmetricEigen symmetric_eigen(const Matrix& a) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(a);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

Vector symmetric_eigenvalues(const Matrix& a) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

Matrix cholesky(const Matrix& a) {
  const Eigen::LLT<Matrix> root(a);
  if (root.info() != Eigen::Success) return Matrix::Constant(a.rows(), a.cols(), nan);
  return root.matrixL();
}

Matrix solve_lower(const Matrix& l, const Matrix& b) {
  Matrix x = b;
  l.triangularView<Eigen::Lower>().solveInPlace(x);
  return x;
}

Matrix solve_lower_transposed(const Matrix& l, const Matrix& b) {
  Matrix x = b;
  l.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
  return x;
}

Matrix solve_definite(const Matrix& a, const Matrix& b) { return Eigen::LLT<Matrix>(a).solve(b); }

Vector solve_semidefinite(const Matrix& a, const Vector& b) {
  return Eigen::LDLT<Matrix>(a).solve(b);
}

Matrix qr_triangle(const Matrix& a) {
  return upper_part(Eigen::HouseholderQR<Matrix>(a).matrixQR(), std::min(a.rows(), a.cols()));
}

Matrix completed_basis(const Matrix& a) { return Eigen::HouseholderQR<Matrix>(a).householderQ(); }

TriangularLeastSquares triangular_least_squares(const Matrix& a, const Vector& b) {
  const Eigen::HouseholderQR<Matrix> qr(a);
  const Vector turned = qr.householderQ().transpose() * b;
  return {upper_part(qr.matrixQR(), a.cols()), turned.head(a.cols())};
}

Vector solve_least_squares(const Matrix& a, const Vector& b) {
  return Eigen::HouseholderQR<Matrix>(a).solve(b);
}

Vector solve_least_squares_pivoted(const Matrix& a, const Vector& b,
                                   std::optional<double> threshold) {
  Eigen::ColPivHouseholderQR<Matrix> qr(a);
  if (threshold) qr.setThreshold(*threshold);
  return qr.solve(b);
}

}  // namespace lgn
