#include "lgn/core/lyapunov.h"

#include "lgn/core/error.h"
#include "lgn/core/lapack_internal.h"

extern "C" {
void dgees_(const char* jobvs, const char* sort, int (*select)(const double*, const double*),
            const int* n, double* a, const int* lda, int* sdim, double* wr, double* wi, double* vs,
            const int* ldvs, double* work, const int* lwork, int* bwork, int* info);
void dtrsyl_(const char* trana, const char* tranb, const int* isgn, const int* m, const int* n,
             const double* a, const int* lda, const double* b, const int* ldb, double* c,
             const int* ldc, double* scale, int* info);
}

namespace lgn {

RealSchur real_schur(const Matrix& a) {
  if (a.rows() != a.cols()) throw Error("a Schur form needs a square matrix");
  if (!a.allFinite()) throw Error("a Schur form needs finite entries");
  const int n = static_cast<int>(a.rows());
  RealSchur schur{Matrix(n, n), a, ComplexVector(n)};
  if (n == 0) return schur;
  Vector re(n), im(n);
  int info = 0, selected = 0;
  with_workspace<double>([&](double* work, const int* size) {
    dgees_("V", "N", nullptr, &n, schur.t.data(), &n, &selected, re.data(), im.data(),
           schur.u.data(), &n, work, size, nullptr, &info);
  });
  if (info != 0) throw Error("the eigenvalue iteration did not converge");
  schur.values.real() = re;
  schur.values.imag() = im;
  return schur;
}

Matrix solve_lyapunov(const Matrix& a, const Matrix& w) {
  if (w.rows() != a.rows() || w.cols() != a.cols() || a.rows() != a.cols())
    throw Error("a Lyapunov equation needs two square matrices of one size");
  if (!w.allFinite()) throw Error("a Lyapunov equation needs finite entries");
  const RealSchur schur = real_schur(a);
  const int n = static_cast<int>(a.rows()), plus = 1;
  Matrix y = -(schur.u.transpose() * w * schur.u);
  if (n == 0) return y;
  double scale = 1;
  int info = 0;
  dtrsyl_("T", "N", &plus, &n, &n, schur.t.data(), &n, schur.t.data(), &n, y.data(), &n, &scale,
          &info);
  // dtrsyl shrinks its right side by `scale` where Y would overflow.
  Matrix x = schur.u * (y / scale) * schur.u.transpose();
  if (info != 0 || !x.allFinite())
    throw Error("the Lyapunov equation has no unique solution",
                "two eigenvalues of the matrix sum to zero, as those of an undamped mode do");
  if (w == w.transpose()) x = (0.5 * (x + x.transpose())).eval();
  return x;
}

}  // namespace lgn
