#include "lgn/core/sparse_eigenpairs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lgn/core/random.h"

namespace lgn {
namespace {

/// A skew matrix less a diagonal on a ring with chords: no eigenvalue lies to the right of the imaginary axis.
struct Ring {
  SparsePattern pattern;
  Vector values;
  Matrix dense;
};

Ring ring(Index n, double loss) {
  std::vector<std::pair<Index, Index>> places;
  for (Index i = 0; i < n; ++i) {
    places.emplace_back(i, (i + 1) % n);
    places.emplace_back(i, (7 * i + 3) % n);
  }
  Ring result{SparsePattern::around(n, places), {}, Matrix::Zero(n, n)};
  Random random(3);
  for (const auto& [i, j] : places)
    if (i != j && result.dense(i, j) == 0) {
      result.dense(i, j) = random.normal();
      result.dense(j, i) = -result.dense(i, j);
    }
  for (Index i = 0; i < n; ++i) result.dense(i, i) = -loss * random.uniform();
  result.values = Vector::Zero(result.pattern.entries());
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (result.dense(i, j) != 0) result.values[result.pattern.find(i, j)] = result.dense(i, j);
  return result;
}

void expect_nearest(const Ring& system, double omega, Index count) {
  const Index n = system.dense.rows();
  const Eigensystem found = eigenpairs_near(system.pattern, system.values, omega, count);
  std::vector<Complex> all;
  for (const Complex& value : eigenvalues(system.dense))
    if (value.imag() >= 0) all.push_back(value);
  const auto nearer = [&](Complex a, Complex b) {
    return std::abs(a - Complex(0, omega)) < std::abs(b - Complex(0, omega));
  };
  std::sort(all.begin(), all.end(), nearer);
  ASSERT_EQ(found.values.size(), count);
  // Eigenvalues move with rounding by ε‖A‖ times their condition; this is a hundred thousand times that.
  const double size = norm1(system.dense);
  for (Index k = 0; k < count; ++k) {
    EXPECT_LE(std::abs(found.values[k] - all[static_cast<std::size_t>(k)]), 1e-10 * size) << k;
    const ComplexVector v = found.right.col(k), w = found.left.col(k);
    EXPECT_NEAR(v.norm(), 1, 1e-14 * static_cast<double>(n));
    EXPECT_LE(std::abs(w.dot(v) - 1.0), 1e-12 * w.norm());
    EXPECT_LE((system.dense * v - found.values[k] * v).norm(), 1e-9 * size);
    EXPECT_LE((system.dense.transpose() * w - std::conj(found.values[k]) * w).norm(),
              1e-7 * size * w.norm());
  }
}

TEST(SparseEigenpairs, AreThoseOfTheDenseMatrix) {
  const Ring system = ring(150, 0.3);
  expect_nearest(system, 0, 6);
  expect_nearest(system, 1.3, 9);
}

TEST(SparseEigenpairs, OfASmallMatrixAreAllOfThem) {
  const Ring system = ring(6, 0.3);
  const Eigensystem found = eigenpairs_near(system.pattern, system.values, 0, 6);
  Index upper = 0;
  for (const Complex& value : eigenvalues(system.dense)) upper += value.imag() >= 0 ? 1 : 0;
  EXPECT_EQ(found.values.size(), upper);
}

TEST(SparseEigenpairs, AreFoundOnTheAxisItself) {
  // Without losses, and of odd size, zero is an eigenvalue: A itself cannot be factorised.
  const Ring system = ring(51, 0);
  const Eigensystem found = eigenpairs_near(system.pattern, system.values, 0, 3);
  ASSERT_GE(found.values.size(), 1);
  EXPECT_LE(std::abs(found.values[0]), 1e-10 * norm1(system.dense));
}

}  // namespace
}  // namespace lgn
