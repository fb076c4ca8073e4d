#include "lgn/core/balanced_norm.h"

#include <algorithm>

#include "lgn/core/error.h"

extern "C" {
void dgebal_(const char* job, const int* n, double* a, const int* lda, int* ilo, int* ihi,
             double* scale, int* info);
}

namespace lgn {

double balanced_norm(const Matrix& a) {
  if (a.rows() != a.cols() || !a.allFinite())
    throw Error("only a square matrix of finite numbers can be balanced");
  if (a.size() == 0) return 0;
  Matrix balanced = a;
  Vector scale(a.rows());
  const int n = static_cast<int>(a.rows());
  int low = 0, high = 0, info = 0;
  dgebal_("S", &n, balanced.data(), &n, &low, &high, scale.data(), &info);
  return std::min(norm1(a), norm1(balanced));
}

}  // namespace lgn
