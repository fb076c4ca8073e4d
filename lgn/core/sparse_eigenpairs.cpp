#include "lgn/core/sparse_eigenpairs.h"

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"
#include "lgn/core/lapack_internal.h"
#include "lgn/core/random.h"
#include "lgn/core/stop.h"

extern "C" {
void zgeev_(const char* jobvl, const char* jobvr, const int* n, std::complex<double>* a,
            const int* lda, std::complex<double>* w, std::complex<double>* vl, const int* ldvl,
            std::complex<double>* vr, const int* ldvr, std::complex<double>* work, const int* lwork,
            double* rwork, int* info);
}

namespace lgn {
namespace {

using Operator = std::function<ComplexVector(const ComplexVector&)>;

struct Ritz {
  ComplexVector values;
  ComplexMatrix vectors;
};

Ritz eigen_of(ComplexMatrix h) {
  const int n = static_cast<int>(h.rows()), one = 1;
  int info = 0;
  Ritz result{ComplexVector(n), ComplexMatrix(n, n)};
  std::vector<double> real(2 * at(n));
  Complex none;
  with_workspace<Complex>([&](Complex* work, const int* size) {
    zgeev_("N", "V", &n, h.data(), &n, result.values.data(), &none, &one, result.vectors.data(), &n,
           work, size, real.data(), &info);
  });
  if (info != 0) throw Error("the QR iteration for eigenvalues does not converge");
  return result;
}

/// An orthonormal basis of x, F x, F² x, … with F in it.
class Arnoldi {
 public:
  Arnoldi(Operator f, Index n) : f_(std::move(f)), basis_(n, 1) {
    basis_.col(0) = Random(1).normals(n).normalized().cast<Complex>();
  }

  Index size() const { return size_; }
  bool exhausted() const { return exhausted_; }

  void grow(Index size) {
    basis_.conservativeResize(Eigen::NoChange, size + 1);
    h_.conservativeResize(size + 1, size);
    h_.rightCols(size - size_).setZero();
    h_.bottomRows(size - size_).setZero();
    while (size_ < size && !exhausted_) {
      stop_point();
      ComplexVector next = f_(basis_.col(size_));
      const double before = next.norm();
      const auto known = basis_.leftCols(size_ + 1);
      // Twice is enough for rounding.
      for (int pass = 0; pass < 2; ++pass) {
        const ComplexVector part = known.adjoint() * next;
        next -= known * part;
        h_.col(size_).head(size_ + 1) += part;
      }
      const double rest = next.norm();
      ++size_;
      exhausted_ = !(rest > 1e-13 * before);
      h_(size_, size_ - 1) = exhausted_ ? 0.0 : rest;
      if (!exhausted_) basis_.col(size_) = next / rest;
    }
  }

  /// Eigenvalues λ = σ + 1/μ of A, nearest first, with their vectors: those that have converged, up to the first that has not.
  Ritz converged(Complex shift, bool adjoint, Index most) const {
    const Ritz ritz = eigen_of(h_.topLeftCorner(size_, size_));
    std::vector<Index> order(at(size_)), chosen;
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
      return std::abs(ritz.values[a]) > std::abs(ritz.values[b]);
    });
    const auto pole = [&](Index k) {
      return shift + 1.0 / (adjoint ? std::conj(ritz.values[k]) : ritz.values[k]);
    };
    constexpr double precise = 1e-11, real = 1e-9;
    for (const Index k : order) {
      if (static_cast<Index>(chosen.size()) == most) break;
      if (pole(k).imag() < -real * std::abs(pole(k))) continue;
      const double rest = std::abs(h_(size_, size_ - 1)) * std::abs(ritz.vectors(size_ - 1, k));
      if (!(rest <= precise * std::abs(ritz.values[k]))) break;
      chosen.push_back(k);
    }
    Ritz result{ComplexVector(std::ssize(chosen)),
                ComplexMatrix(basis_.rows(), std::ssize(chosen))};
    for (Index k = 0; k < result.values.size(); ++k) {
      result.values[k] = pole(chosen[at(k)]);
      result.vectors.col(k) = basis_.leftCols(size_) * ritz.vectors.col(chosen[at(k)]);
    }
    return result;
  }

 private:
  Operator f_;
  ComplexMatrix basis_, h_;
  Index size_ = 0;
  bool exhausted_ = false;
};

Ritz nearest(const Operator& f, Index n, Complex shift, bool adjoint, Index count) {
  Arnoldi arnoldi(f, n);
  const Index most = std::min(n, 20 * count + 200);
  for (Index size = std::min(most, 3 * count + 20);; size = std::min(most, size + count + 20)) {
    arnoldi.grow(size);
    Ritz found = arnoldi.converged(shift, adjoint, count);
    if (found.values.size() == count || arnoldi.exhausted() || size == most) return found;
  }
}

ComplexVector product(const SparsePattern& a, const Vector& values, const ComplexVector& x) {
  ComplexVector y = ComplexVector::Zero(a.n);
  for (Index i = 0; i < a.n; ++i)
    for (Index e = a.start[at(i)]; e < a.start[at(i) + 1]; ++e)
      y[i] += values[e] * x[a.column[at(e)]];
  return y;
}

}  // namespace

Eigensystem eigenpairs_near(const SparsePattern& pattern, const Vector& values, double omega,
                            Index count) {
  const Index n = pattern.n;
  Vector sums = Vector::Zero(n);
  for (Index e = 0; e < pattern.entries(); ++e) sums[pattern.column[at(e)]] += std::abs(values[e]);
  constexpr double aside = 1e-8;
  const double size = sums.maxCoeff();
  const Complex shift(aside * size, omega);
  Eigen::SparseMatrix<Complex> shifted(n, n);
  std::vector<Eigen::Triplet<Complex>> entries;
  entries.reserve(at(pattern.entries()));
  for (Index i = 0; i < n; ++i)
    for (Index e = pattern.start[at(i)]; e < pattern.start[at(i) + 1]; ++e) {
      const int j = pattern.column[at(e)];
      const Complex value = values[e] - (i == j ? shift : Complex(0));
      if (value != 0.0) entries.emplace_back(static_cast<int>(i), j, value);
    }
  shifted.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<Complex>, Eigen::COLAMDOrdering<int>> factors(shifted);
  if (factors.info() != Eigen::Success)
    throw Error(
        "a factorisation of the sparse generator failed beside the poles that are asked for",
        "ask for others");
  const Ritz right =
      nearest([&](const ComplexVector& x) -> ComplexVector { return factors.solve(x); }, n, shift,
              false, count);
  const Ritz left =
      nearest([&](const ComplexVector& x) -> ComplexVector { return factors.adjoint().solve(x); },
              n, shift, true, right.values.size());
  Eigensystem result{ComplexVector(count), ComplexMatrix(n, count), ComplexMatrix(n, count)};
  Index found = 0;
  for (Index k = 0; k < right.values.size(); ++k) {
    Complex pole = right.values[k];
    const ComplexVector v = right.vectors.col(k).normalized();
    Index partner = -1;
    for (Index l = 0; l < left.values.size(); ++l)
      if (partner < 0 || std::abs(left.values[l] - pole) < std::abs(left.values[partner] - pole))
        partner = l;
    if (partner < 0) continue;
    const ComplexVector w = left.vectors.col(partner);
    const Complex scale = w.dot(v);
    const ComplexVector moved = product(pattern, values, v);
    // Of second order in the errors of both vectors.
    if (std::abs(scale) > 1e-6 * w.norm()) pole = w.dot(moved) / scale;
    // Zero itself comes with a part that is rounding alone.
    if (std::abs(pole.imag()) < 1e-9 * std::abs(pole) + 1e-14 * size) pole.imag(0);
    if (!((moved - pole * v).norm() <= 1e-9 * size)) continue;
    result.values[found] = pole;
    result.right.col(found) = v;
    result.left.col(found++) = w / std::conj(scale);
  }
  result.values.conservativeResize(found);
  result.right.conservativeResize(Eigen::NoChange, found);
  result.left.conservativeResize(Eigen::NoChange, found);
  return result;
}

}  // namespace lgn
