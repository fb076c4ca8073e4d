#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "lgn/core/linear_algebra.h"

/// exp and its derivatives the slow and plain way, in more digits than a double has: a long Taylor
/// series of a generously scaled matrix. The derivative is a block of exp [[A, E], [0, A]];
/// condition numbers come from the same series over numbers a + bε + cφ + dεφ with ε² = φ² = 0.
namespace lgn::testing {

__extension__ typedef __float128 Quad;  ///< 113 bits, unit roundoff 1e-34
using Wide = long double;               ///< 64 bits, unit roundoff 5e-20; faster

/// value + slope ε, ε² = 0.
template <class S>
struct Dual {
  S value{}, slope{};
  Dual() = default;
  Dual(S v, S s = S{}) : value(v), slope(s) {}
  Dual& operator+=(const Dual& o) {
    value += o.value;
    slope += o.slope;
    return *this;
  }
  Dual& operator*=(double f) {
    value *= f;
    slope *= f;
    return *this;
  }
  Dual& operator/=(double f) {
    value /= f;
    slope /= f;
    return *this;
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual result(a.value * b.value, a.value * b.slope);
    result.slope += a.slope * b.value;
    return result;
  }
};

/// A square matrix of any numbers.
template <class S>
class Grid {
 public:
  explicit Grid(Index n) : n_(n), entry_(static_cast<std::size_t>(n * n)) {}
  Index size() const { return n_; }
  S& operator()(Index i, Index j) { return entry_[static_cast<std::size_t>(i * n_ + j)]; }
  const S& operator()(Index i, Index j) const {
    return entry_[static_cast<std::size_t>(i * n_ + j)];
  }
  template <class F>
  void each(F f) {
    for (S& s : entry_) f(s);
  }

  friend Grid operator*(const Grid& a, const Grid& b) {
    Grid c(a.n_);
    for (Index i = 0; i < a.n_; ++i)
      for (Index k = 0; k < a.n_; ++k)
        for (Index j = 0; j < a.n_; ++j) c(i, j) += a(i, k) * b(k, j);
    return c;
  }

 private:
  Index n_;
  std::vector<S> entry_;
};

template <class S>
Grid<S> to_grid(const Matrix& a) {
  Grid<S> g(a.rows());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.cols(); ++j) g(i, j) = static_cast<S>(a(i, j));
  return g;
}

/// Halvings that bring ‖A‖₁ below 1/2.
inline int enough_halvings(const Matrix& a) {
  return std::max(0, static_cast<int>(std::ceil(std::log2(2 * std::max(norm1(a), 1e-300)))));
}

/// (Σ_(k ≤ terms) (A/2^halvings)^k / k!)^(2^halvings).
template <class S>
Grid<S> series_exponential(Grid<S> a, int halvings, int terms) {
  a.each([&](S& s) { s *= std::ldexp(1.0, -halvings); });
  Grid<S> sum(a.size());
  for (Index i = 0; i < a.size(); ++i) sum(i, i) += S(1);
  for (int k = terms; k > 0; --k) {
    sum = a * sum;
    sum.each([&](S& s) { s /= static_cast<double>(k); });
    for (Index i = 0; i < a.size(); ++i) sum(i, i) += S(1);
  }
  for (int k = 0; k < halvings; ++k) sum = sum * sum;
  return sum;
}

/// 0.5^29/29! = 2e-40, far below the rounding of a Quad.
constexpr int quad_terms = 28;
/// 0.5^19/19! = 2e-23, far below the rounding of a Wide.
constexpr int wide_terms = 18;

/// exp(A) in quadruple precision.
inline Grid<Quad> quad_exponential(const Matrix& a, int more_halvings = 0) {
  return series_exponential(to_grid<Quad>(a), enough_halvings(a) + more_halvings, quad_terms);
}

/// exp(A) and L(A, E), the blocks of exp [[A, E], [0, A]], in quadruple precision.
struct QuadFlow {
  Grid<Quad> value, derivative;
};
inline QuadFlow block_oracle(const Matrix& a, const Matrix& e, int more_halvings = 0) {
  const Index n = a.rows();
  // L is linear in E: give E the size of A, so that the block needs no more halvings than A.
  const double size = std::max(norm1(e), 1e-300), scale = std::max(norm1(a), 1e-8) / size;
  const double power = std::ldexp(1.0, std::ilogb(scale));
  Matrix block = Matrix::Zero(2 * n, 2 * n);
  block.topLeftCorner(n, n) = a;
  block.bottomRightCorner(n, n) = a;
  block.topRightCorner(n, n) = power * e;
  const Grid<Quad> flow = quad_exponential(block, more_halvings);
  QuadFlow result{Grid<Quad>(n), Grid<Quad>(n)};
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      result.value(i, j) = flow(i, j);
      result.derivative(i, j) = flow(i, n + j) / power;
    }
  return result;
}

/// Rounded to doubles.
inline Matrix rounded(const Grid<Quad>& a) {
  Matrix m(a.size(), a.size());
  for (Index i = 0; i < a.size(); ++i)
    for (Index j = 0; j < a.size(); ++j) m(i, j) = static_cast<double>(a(i, j));
  return m;
}

/// ‖X − Y‖ / ‖Y‖, Frobenius; the difference is taken in quadruple precision.
inline double relative_error(const Grid<Quad>& x, const Grid<Quad>& y) {
  Quad largest = 0;
  for (Index i = 0; i < y.size(); ++i)
    for (Index j = 0; j < y.size(); ++j)
      largest = std::max({largest, y(i, j), static_cast<Quad>(-y(i, j))});
  if (largest == 0) largest = 1;
  Quad difference = 0, size = 0;
  for (Index i = 0; i < y.size(); ++i)
    for (Index j = 0; j < y.size(); ++j) {
      const Quad d = (x(i, j) - y(i, j)) / largest, s = y(i, j) / largest;
      difference += d * d;
      size += s * s;
    }
  const double ratio = static_cast<double>(size > 0 ? difference / size : difference);
  return std::sqrt(ratio);
}
inline double relative_error(const Matrix& x, const Grid<Quad>& y) {
  return relative_error(to_grid<Quad>(x), y);
}

/// Relative condition numbers in the Frobenius norm: how much exp(A), and L(A, E), change for a
/// relative change of A (and of E).
struct Conditions {
  double exponential = 0, derivative = 0;
};

/// κ_exp = ‖L(A, ·)‖ ‖A‖ / ‖exp A‖,
/// κ_L = (‖L²(A, E, ·)‖ ‖A‖ + ‖L(A, ·)‖ ‖E‖) / ‖L(A, E)‖,
/// the norms of L(A, ·) and L²(A, E, ·) from their n² × n² matrices, one direction at a time.
inline Conditions conditions(const Matrix& a, const Matrix& e) {
  using Second = Dual<Dual<Wide>>;
  const Index n = a.rows();
  const int halvings = enough_halvings(a);
  using WideMatrix = Eigen::Matrix<Wide, Eigen::Dynamic, Eigen::Dynamic>;
  WideMatrix first(n * n, n * n), second(n * n, n * n), value(n, n), along(n, n);
  for (Index direction = 0; direction < n * n; ++direction) {
    Grid<Second> x(n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        x(i, j).value = {a(i, j), e(i, j)};
        x(i, j).slope = Dual<Wide>(i + j * n == direction ? Wide(1) : Wide(0));
      }
    const Grid<Second> y = series_exponential(std::move(x), halvings, wide_terms);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        value(i, j) = y(i, j).value.value;
        along(i, j) = y(i, j).value.slope;
        first(i + j * n, direction) = y(i, j).slope.value;
        second(i + j * n, direction) = y(i, j).slope.slope;
      }
  }
  // ‖M‖₂ = √λ_max(MᵀM): the largest one keeps its digits; scaled, because squares may overflow.
  const auto norm2 = [](const WideMatrix& m) {
    const Wide largest = m.cwiseAbs().maxCoeff();
    if (!(largest > 0)) return Wide(0);
    const Matrix scaled = (m / largest).cast<double>();
    const Matrix square = scaled.transpose() * scaled;
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(square, Eigen::EigenvaluesOnly);
    return largest * Wide(std::sqrt(eigen.eigenvalues().maxCoeff()));
  };
  const Wide l = norm2(first), size = a.norm();
  return {static_cast<double>(l * size / value.norm()),
          static_cast<double>((norm2(second) * size + l * Wide(e.norm())) / along.norm())};
}

}  // namespace lgn::testing
