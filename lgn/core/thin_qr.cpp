#include "lgn/core/thin_qr.h"

#include "lgn/core/error.h"
#include "lgn/core/lapack_internal.h"

extern "C" {
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work,
             const int* lwork, int* info);
void dorgqr_(const int* m, const int* n, const int* k, double* a, const int* lda, const double* tau,
             double* work, const int* lwork, int* info);
}

namespace lgn {

ThinQr thin_qr(Matrix a) {
  if (a.rows() < a.cols()) throw Error("a thin QR needs at least as many rows as columns");
  const int m = static_cast<int>(a.rows()), n = static_cast<int>(a.cols());
  if (n == 0) return {Matrix(a.rows(), 0), Matrix(0, 0)};
  Vector tau(n);
  int info = 0;
  with_workspace<double>([&](double* work, const int* size) {
    dgeqrf_(&m, &n, a.data(), &m, tau.data(), work, size, &info);
  });
  const Matrix r = a.topRows(n).triangularView<Eigen::Upper>();
  with_workspace<double>([&](double* work, const int* size) {
    dorgqr_(&m, &n, &n, a.data(), &m, tau.data(), work, size, &info);
  });
  return {std::move(a), r};
}

}  // namespace lgn
