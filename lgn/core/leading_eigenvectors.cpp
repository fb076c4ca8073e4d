#include "lgn/core/leading_eigenvectors.h"

#include "lgn/core/error.h"
#include "lgn/core/lapack_internal.h"

extern "C" {
void dsyevr_(const char* jobz, const char* range, const char* uplo, const int* n, double* a,
             const int* lda, const double* vl, const double* vu, const int* il, const int* iu,
             const double* abstol, int* m, double* w, double* z, const int* ldz, int* isuppz,
             double* work, const int* lwork, int* iwork, const int* liwork, int* info);
}

namespace lgn {

SymmetricEigen leading_eigenvectors(Matrix a, Index count) {
  const int n = static_cast<int>(a.rows()), last = n, first = n - static_cast<int>(count) + 1;
  if (a.rows() != a.cols() || first < 1 || !a.allFinite())
    throw Error("leading eigenvectors need a finite square matrix that has as many");
  if (count == 0) return {Vector(0), Matrix(n, 0)};
  SymmetricEigen result{Vector(n), Matrix(n, count)};
  std::vector<int> support(2 * static_cast<std::size_t>(n)), integers(10 * support.size());
  const int of_integers = static_cast<int>(integers.size());
  const double unused = 0, tolerance = 0;
  int found = 0, info = 0;
  with_workspace<double>([&](double* work, const int* size) {
    dsyevr_("V", "I", "L", &n, a.data(), &n, &unused, &unused, &first, &last, &tolerance, &found,
            result.values.data(), result.vectors.data(), &n, support.data(), work, size,
            integers.data(), &of_integers, &info);
  });
  if (info != 0 || found != count) throw Error("the eigenvalue iteration did not converge");
  return {result.values.head(count).reverse(), result.vectors.rowwise().reverse()};
}

}  // namespace lgn
