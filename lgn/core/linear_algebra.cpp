#include "lgn/core/linear_algebra.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/core/lapack_internal.h"

extern "C" {
void dgeev_(const char* jobvl, const char* jobvr, const int* n, double* a, const int* lda,
            double* wr, double* wi, double* vl, const int* ldvl, double* vr, const int* ldvr,
            double* work, const int* lwork, int* info);
// Present in OpenBLAS only; with another BLAS the address is null and threads are left alone.
void openblas_set_num_threads(int threads) __attribute__((weak));
}

namespace lgn {
namespace {

struct RawEigen {
  Vector re, im;
  Matrix left, right;
};

RawEigen geev(Matrix a, bool vectors) {
  if (a.rows() != a.cols()) throw Error("eigenvalues need a square matrix");
  if (!a.allFinite()) throw Error("eigenvalues need finite entries");
  const int n = static_cast<int>(a.rows());
  const int vector_rows = vectors ? n : 1;
  RawEigen e{Vector(n), Vector(n), Matrix(vector_rows, vector_rows),
             Matrix(vector_rows, vector_rows)};
  if (n == 0) return e;
  const char job = vectors ? 'V' : 'N';
  int info = 0;
  with_workspace<double>([&](double* work, const int* size) {
    dgeev_(&job, &job, &n, a.data(), &n, e.re.data(), e.im.data(), e.left.data(), &vector_rows,
           e.right.data(), &vector_rows, work, size, &info);
  });
  if (info != 0) throw Error("the eigenvalue iteration did not converge");
  return e;
}

std::vector<Index> slow_first(const RawEigen& e) {
  std::vector<Index> order(static_cast<std::size_t>(e.re.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::tuple(std::abs(e.im[a]), e.re[a], e.im[a]) <
           std::tuple(std::abs(e.im[b]), e.re[b], e.im[b]);
  });
  return order;
}

// LAPACK packs a conjugate pair (k, k+1) as the real and imaginary part of the vector of λₖ, Im λₖ
// > 0.
ComplexMatrix unpack(const Matrix& packed, const Vector& im) {
  const Index n = im.size();
  ComplexMatrix v(n, n);
  for (Index k = 0; k < n; ++k) {
    if (im[k] == 0.0) {
      v.col(k) = packed.col(k).cast<Complex>();
    } else {
      v.col(k).real() = packed.col(k);
      v.col(k).imag() = packed.col(k + 1);
      v.col(k + 1) = v.col(k).conjugate();
      ++k;
    }
  }
  return v;
}

}  // namespace

ComplexVector eigenvalues(const Matrix& a) {
  const RawEigen e = geev(a, false);
  ComplexVector values(e.re.size());
  Index k = 0;
  for (const Index i : slow_first(e)) values[k++] = Complex(e.re[i], e.im[i]);
  return values;
}

Eigensystem eigensystem(const Matrix& a) {
  const RawEigen e = geev(a, true);
  const Index n = e.re.size();
  if (n == 0) return {};
  const ComplexMatrix right = unpack(e.right, e.im), left = unpack(e.left, e.im);
  Eigensystem s{ComplexVector(n), ComplexMatrix(n, n), ComplexMatrix(n, n)};
  Index k = 0;
  for (const Index i : slow_first(e)) {
    s.values[k] = Complex(e.re[i], e.im[i]);
    s.right.col(k) = right.col(i);
    s.left.col(k) = left.col(i) / std::conj(left.col(i).dot(right.col(i)));
    ++k;
  }
  return s;
}

double norm1(const Matrix& a) {
  double largest = 0;
  for (Index j = 0; j < a.cols(); ++j) {
    const double sum = a.col(j).cwiseAbs().sum();
    if (!(sum <= largest)) largest = sum;
    if (std::isnan(sum)) return sum;
  }
  return largest;
}

void set_threads(int threads) {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(threads);
}

}  // namespace lgn
