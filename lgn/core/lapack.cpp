#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lgn/core/constants_internal.h"
#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/lapack_internal.h"

extern "C" {
void dgesdd_(const char* jobz, const int* m, const int* n, double* a, const int* lda, double* s,
             double* u, const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork,
             int* iwork, int* info);
void dgelsy_(const int* m, const int* n, const int* nrhs, double* a, const int* lda, double* b,
             const int* ldb, int* jpvt, const double* rcond, int* rank, double* work,
             const int* lwork, int* info);
void zgelsy_(const int* m, const int* n, const int* nrhs, std::complex<double>* a, const int* lda,
             std::complex<double>* b, const int* ldb, int* jpvt, const double* rcond, int* rank,
             std::complex<double>* work, const int* lwork, double* rwork, int* info);
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* ipiv, int* info);
void dgecon_(const char* norm, const int* n, const double* a, const int* lda, const double* anorm,
             double* rcond, double* work, int* iwork, int* info);
void dgetrs_(const char* trans, const int* n, const int* nrhs, const double* a, const int* lda,
             const int* ipiv, double* b, const int* ldb, int* info);
void zgetrf_(const int* m, const int* n, std::complex<double>* a, const int* lda, int* ipiv,
             int* info);
void zgecon_(const char* norm, const int* n, const std::complex<double>* a, const int* lda,
             const double* anorm, double* rcond, std::complex<double>* work, double* rwork,
             int* info);
void zgetri_(const int* n, std::complex<double>* a, const int* lda, const int* ipiv,
             std::complex<double>* work, const int* lwork, int* info);
void zgees_(const char* jobvs, const char* sort, int (*select)(const std::complex<double>*),
            const int* n, std::complex<double>* a, const int* lda, int* sdim,
            std::complex<double>* w, std::complex<double>* vs, const int* ldvs,
            std::complex<double>* work, const int* lwork, double* rwork, int* bwork, int* info);
void zgeqp3_(const int* m, const int* n, std::complex<double>* a, const int* lda, int* jpvt,
             std::complex<double>* tau, std::complex<double>* work, const int* lwork, double* rwork,
             int* info);
void zunmqr_(const char* side, const char* trans, const int* m, const int* n, const int* k,
             const std::complex<double>* a, const int* lda, const std::complex<double>* tau,
             std::complex<double>* c, const int* ldc, std::complex<double>* work, const int* lwork,
             int* info);
}

namespace lgn {
namespace {

int size_of(Index count) { return static_cast<int>(count); }
std::size_t room(int count) { return static_cast<std::size_t>(std::max(1, count)); }

/// Condition numbers from 1/this on count as infinite.
double rounding(Index rows, Index columns) {
  return std::numeric_limits<double>::epsilon() * static_cast<double>(std::min(rows, columns));
}

SingularValues decompose(Matrix a, bool vectors) {
  const int m = size_of(a.rows()), n = size_of(a.cols()), least = std::min(m, n);
  const int columns = vectors ? least : 0, u_rows = std::max(1, vectors ? m : 1);
  const int v_rows = std::max(1, columns);
  SingularValues result{Matrix::Constant(m, columns, nan), Vector::Constant(least, nan),
                        Matrix::Constant(n, columns, nan)};
  if (least == 0 || !a.allFinite()) return result;
  Matrix transposed(columns, n);
  std::vector<int> integers(room(8 * least));
  const char job = vectors ? 'S' : 'N';
  int info = 0;
  with_workspace<double>([&](double* work, const int* size) {
    dgesdd_(&job, &m, &n, a.data(), &m, result.s.data(), result.u.data(), &u_rows,
            transposed.data(), &v_rows, work, size, integers.data(), &info);
  });
  if (info != 0) throw Error("the iteration for singular values did not converge");
  result.v = transposed.transpose();
  return result;
}

/// B with rows of NaN below it, as room for a solution that is longer than a right side.
template <class AnyMatrix>
AnyMatrix with_room(const AnyMatrix& b, Index rows) {
  AnyMatrix longer = AnyMatrix::Constant(std::max<Index>({rows, b.rows(), 1}), b.cols(), nan);
  longer.topRows(b.rows()) = b;
  return longer;
}

}  // namespace

SingularValues singular_value_decomposition(const Matrix& a) { return decompose(a, true); }

Vector singular_values(const Matrix& a) { return decompose(a, false).s; }

Matrix solve_minimum_norm(const Matrix& a, const Matrix& b) {
  const int m = size_of(a.rows()), n = size_of(a.cols()), right = size_of(b.cols());
  if (std::min({m, n, right}) == 0) return Matrix::Zero(n, right);
  if (!a.allFinite() || !b.allFinite()) return Matrix::Constant(n, right, nan);
  Matrix factors = a, x = with_room(b, n);
  std::vector<int> pivots(room(n), 0);
  const int rows = size_of(x.rows());
  const double condition = rounding(m, n);
  int rank = 0, info = 0;
  with_workspace<double>([&](double* work, const int* size) {
    dgelsy_(&m, &n, &right, factors.data(), &m, x.data(), &rows, pivots.data(), &condition, &rank,
            work, size, &info);
  });
  return x.topRows(n);
}

ComplexMatrix complex_solve_minimum_norm(const ComplexMatrix& a, const ComplexMatrix& b) {
  const int m = size_of(a.rows()), n = size_of(a.cols()), right = size_of(b.cols());
  if (std::min({m, n, right}) == 0) return ComplexMatrix::Zero(n, right);
  if (!a.allFinite() || !b.allFinite()) return ComplexMatrix::Constant(n, right, nan);
  ComplexMatrix factors = a, x = with_room(b, n);
  std::vector<int> pivots(room(n), 0);
  std::vector<double> reals(room(2 * n));
  const int rows = size_of(x.rows());
  const double condition = rounding(m, n);
  int rank = 0, info = 0;
  with_workspace<Complex>([&](Complex* work, const int* size) {
    zgelsy_(&m, &n, &right, factors.data(), &m, x.data(), &rows, pivots.data(), &condition, &rank,
            work, size, reals.data(), &info);
  });
  return x.topRows(n);
}

std::optional<Matrix> solve_well_conditioned(const Matrix& a, const Matrix& b,
                                             double least_condition) {
  const int n = size_of(a.rows()), right = size_of(b.cols());
  if (n == 0 || right == 0) return b;
  if (!a.allFinite()) return std::nullopt;
  Matrix factors = a, x = b;
  std::vector<int> pivots(room(n)), integers(room(n));
  std::vector<double> work(room(4 * n));
  const double norm = norm1(a);
  double condition = 0;
  int info = 0;
  dgetrf_(&n, &n, factors.data(), &n, pivots.data(), &info);
  if (info != 0) return std::nullopt;
  dgecon_("1", &n, factors.data(), &n, &norm, &condition, work.data(), integers.data(), &info);
  if (!(condition > least_condition)) return std::nullopt;
  dgetrs_("N", &n, &right, factors.data(), &n, pivots.data(), x.data(), &n, &info);
  return x;
}

ComplexInverse complex_inverse(const ComplexMatrix& a) {
  const int n = size_of(a.rows());
  ComplexInverse result{a, 0};
  if (n == 0) return {a, 1};
  const double norm = a.cwiseAbs().colwise().sum().maxCoeff();
  std::vector<int> pivots(room(n));
  std::vector<Complex> work(room(2 * n));
  std::vector<double> reals(room(2 * n));
  int info = a.allFinite() ? 0 : 1;
  if (info == 0) zgetrf_(&n, &n, result.value.data(), &n, pivots.data(), &info);
  if (info != 0) {
    result.value.setConstant(std::numeric_limits<double>::infinity());
    return result;
  }
  zgecon_("1", &n, result.value.data(), &n, &norm, &result.reciprocal_condition, work.data(),
          reals.data(), &info);
  with_workspace<Complex>([&](Complex* space, const int* size) {
    zgetri_(&n, result.value.data(), &n, pivots.data(), space, size, &info);
  });
  return result;
}

ComplexSchur complex_schur(const Matrix& a) {
  if (a.rows() != a.cols()) throw Error("a Schur form is that of a square matrix");
  if (!a.allFinite()) throw Error("the matrix has entries that are not finite");
  const int n = size_of(a.rows()), rows = std::max(1, n);
  ComplexSchur result{ComplexMatrix::Zero(n, n), a.cast<Complex>()};
  if (n == 0) return result;
  ComplexVector values(n);
  std::vector<double> reals(room(n));
  int selected = 0, info = 0;
  with_workspace<Complex>([&](Complex* work, const int* size) {
    zgees_("V", "N", nullptr, &n, result.t.data(), &rows, &selected, values.data(), result.u.data(),
           &rows, work, size, reals.data(), nullptr, &info);
  });
  if (info != 0) throw Error("the iteration for the Schur form did not converge");
  return result;
}

ComplexMatrix solve_upper(const ComplexMatrix& t, const ComplexMatrix& b) {
  return t.triangularView<Eigen::Upper>().solve(b);
}

ComplexMatrix solve_upper_from_right(const ComplexMatrix& b, const ComplexMatrix& t) {
  return t.triangularView<Eigen::Upper>().solve<Eigen::OnTheRight>(b);
}

ComplexMatrix outside_of_range(const ComplexMatrix& a, const ComplexMatrix& b) {
  const int m = size_of(a.rows()), n = size_of(a.cols()), least = std::min(m, n);
  const int right = size_of(b.cols());
  if (least == 0 || right == 0) return b;
  ComplexMatrix factors = a, turned = b;
  ComplexVector reflections(least);
  std::vector<int> pivots(room(n), 0);
  std::vector<double> reals(room(2 * n));
  int info = 0;
  with_workspace<Complex>([&](Complex* work, const int* size) {
    zgeqp3_(&m, &n, factors.data(), &m, pivots.data(), reflections.data(), work, size, reals.data(),
            &info);
  });
  with_workspace<Complex>([&](Complex* work, const int* size) {
    zunmqr_("L", "C", &m, &right, &least, factors.data(), &m, reflections.data(), turned.data(), &m,
            work, size, &info);
  });
  const Vector diagonal = factors.diagonal().cwiseAbs();
  const Index rank = (diagonal.array() > rounding(m, n) * diagonal.maxCoeff()).count();
  return turned.bottomRows(m - rank);
}

}  // namespace lgn
