#include "lgn/core/decompositions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "lgn/core/random.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

/// Rows and columns: tall, square, wide, and a single one.
class DecompositionOf : public ::testing::TestWithParam<std::pair<Index, Index>> {
 protected:
  Index m() const { return GetParam().first; }
  Index n() const { return GetParam().second; }
  Index least() const { return std::min(m(), n()); }
  /// What a backward stable method leaves of an equation whose terms have this size: a small multiple of its length in ε.
  double rounding(double size) const {
    return 10 * static_cast<double>(std::max(m(), n())) * epsilon * size;
  }
  ComplexMatrix complex_normals(Index rows, Index columns) {
    ComplexMatrix a(rows, columns);
    a.real() = random_.normals(rows, columns);
    a.imag() = random_.normals(rows, columns);
    return a;
  }
  Matrix definite(Index size) {
    const Matrix root = random_.normals(size, size + 5);
    return root * root.transpose();
  }

  Random random_{7};
};

TEST_P(DecompositionOf, SingularValuesGiveTheMatrixBack) {
  const Matrix a = random_.normals(m(), n());
  const auto [u, s, v] = singular_value_decomposition(a);
  ASSERT_EQ(u.cols(), least());
  ASSERT_EQ(v.cols(), least());
  EXPECT_LE((u * s.asDiagonal() * v.transpose() - a).norm(), rounding(a.norm()));
  const Matrix one = Matrix::Identity(least(), least());
  EXPECT_LE((u.transpose() * u - one).norm(), rounding(one.norm()));
  EXPECT_LE((v.transpose() * v - one).norm(), rounding(one.norm()));
  EXPECT_GE(s[least() - 1], 0);
  for (Index k = 1; k < least(); ++k) EXPECT_LE(s[k], s[k - 1]);
  EXPECT_LE((singular_values(a) - s).norm(), rounding(s[0]));
}

TEST_P(DecompositionOf, SymmetricEigenvectorsGiveTheMatrixBack) {
  const Matrix root = random_.normals(n(), n()), a = root + root.transpose();
  const auto [values, vectors] = symmetric_eigen(a);
  EXPECT_LE((vectors * values.asDiagonal() * vectors.transpose() - a).norm(), rounding(a.norm()));
  EXPECT_LE((symmetric_eigenvalues(a) - values).norm(), rounding(a.norm()));
}

TEST_P(DecompositionOf, CholeskyFactorsAndItsSolutions) {
  const Matrix a = definite(n()), b = random_.normals(n(), 3), l = cholesky(a);
  EXPECT_LE((l * l.transpose() - a).norm(), rounding(a.norm()));
  EXPECT_TRUE(l.isLowerTriangular(0));
  EXPECT_LE((l * solve_lower(l, b) - b).norm(), rounding(l.norm() * solve_lower(l, b).norm()));
  const Matrix x = solve_lower_transposed(l, b);
  EXPECT_LE((l.transpose() * x - b).norm(), rounding(l.norm() * x.norm()));
  const Matrix y = solve_definite(a, b);
  EXPECT_LE((a * y - b).norm(), rounding(a.norm() * y.norm()));
  const Vector z = solve_semidefinite(a, b.col(0));
  EXPECT_LE((a * z - b.col(0)).norm(), rounding(a.norm() * z.norm()));
}

TEST_P(DecompositionOf, QrTriangleHasTheSameProducts) {
  const Matrix a = random_.normals(m(), n()), r = qr_triangle(a);
  ASSERT_EQ(r.rows(), least());
  EXPECT_LE((r.transpose() * r - a.transpose() * a).norm(), rounding(a.squaredNorm()));
  EXPECT_TRUE(r.leftCols(least()).isUpperTriangular(0));
  const Matrix basis = completed_basis(a), one = Matrix::Identity(m(), m());
  EXPECT_LE((basis.transpose() * basis - one).norm(), rounding(one.norm()));
  // Columns after those of A stand at right angles to all of A.
  EXPECT_LE((basis.rightCols(m() - least()).transpose() * a).norm(), rounding(a.norm()));
}

TEST_P(DecompositionOf, LeastSquaresLeaveWhatNoColumnExplains) {
  const Index rows = std::max(m(), n());
  const Matrix a = random_.normals(rows, n());
  const Vector b = random_.normals(rows);
  const double size = a.norm() * (a.norm() + b.norm());
  for (const Vector& x : {solve_least_squares(a, b), solve_least_squares_pivoted(a, b),
                          Vector(solve_minimum_norm(a, b))})
    EXPECT_LE((a.transpose() * (a * x - b)).norm(), rounding(size * (1 + x.norm())));
  const auto [r, q] = triangular_least_squares(a, b);
  EXPECT_LE((r.transpose() * q - a.transpose() * b).norm(), rounding(size));
}

TEST_P(DecompositionOf, MinimumNormStaysInTheRowSpace) {
  // Rank one: the solution is a multiple of the row, and fits the part of b along the column.
  const Vector column = random_.normals(m()), row = random_.normals(n());
  const Matrix b = random_.normals(m(), 2), a = column * row.transpose();
  const Matrix exact = row * (column.transpose() * b) / (column.squaredNorm() * row.squaredNorm());
  EXPECT_LE((solve_minimum_norm(a, b) - exact).norm(),
            rounding(exact.norm() + b.norm() / a.norm()));
  const ComplexMatrix turned = Complex(0, 1) * a.cast<Complex>();
  const ComplexMatrix found = complex_solve_minimum_norm(turned, b.cast<Complex>());
  EXPECT_LE((found - Complex(0, -1) * exact.cast<Complex>()).norm(),
            rounding(exact.norm() + b.norm() / a.norm()));
}

TEST_P(DecompositionOf, SquareSystemsAndInverses) {
  const Matrix a = random_.normals(n(), n()), b = random_.normals(n(), 2);
  const auto x = solve_well_conditioned(a, b, epsilon);
  ASSERT_TRUE(x.has_value());
  EXPECT_LE((a * *x - b).norm(), rounding(a.norm() * x->norm()));
  const ComplexMatrix c = complex_normals(n(), n());
  const auto [inverse, reciprocal] = complex_inverse(c);
  const double condition = c.norm() * inverse.norm();
  EXPECT_LE((c * inverse - ComplexMatrix::Identity(n(), n())).norm(), rounding(condition));
  // ‖·‖₁ lies between ‖·‖_F/√n and √n ‖·‖_F; the estimate of ‖C⁻¹‖₁ is a lower bound, good to a factor of three.
  EXPECT_GE(reciprocal * condition * static_cast<double>(n()), 1 - 1e-10);
  EXPECT_LE(reciprocal * condition, 3.0 * static_cast<double>(n()));
}

TEST_P(DecompositionOf, OutsideOfTheRangeNothingOfItIsLeft) {
  const ComplexMatrix a = complex_normals(m(), n()), b = complex_normals(m(), 2);
  const ComplexMatrix rest = outside_of_range(a, b);
  ASSERT_EQ(rest.rows(), m() - least());
  ComplexMatrix own = outside_of_range(a, a);
  EXPECT_LE(own.norm(), rounding(a.norm()));
  // What the columns of A explain and what they do not are the two sides of a right angle.
  const ComplexMatrix explained = a * complex_solve_minimum_norm(a, b);
  EXPECT_NEAR(rest.squaredNorm() + explained.squaredNorm(), b.squaredNorm(),
              rounding(b.squaredNorm()) * (1 + a.norm()));
}

INSTANTIATE_TEST_SUITE_P(Shapes, DecompositionOf,
                         ::testing::Values(std::pair<Index, Index>{1, 1},
                                           std::pair<Index, Index>{6, 6},
                                           std::pair<Index, Index>{40, 7},
                                           std::pair<Index, Index>{5, 12},
                                           std::pair<Index, Index>{300, 60}));

TEST(Decompositions, SayThatAMatrixCannotBeUsed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Matrix broken = Matrix::Identity(3, 3);
  broken(1, 2) = nan;
  EXPECT_TRUE(singular_values(broken).array().isNaN().all());
  EXPECT_TRUE(solve_minimum_norm(broken, broken).array().isNaN().all());
  EXPECT_FALSE(solve_well_conditioned(broken, broken, epsilon));
  const Matrix indefinite = Vector{{1, -1}}.asDiagonal();
  EXPECT_TRUE(cholesky(indefinite).array().isNaN().all());
  const Matrix singular{{1, 2}, {2, 4}};
  EXPECT_FALSE(solve_well_conditioned(singular, singular, epsilon));
  EXPECT_EQ(complex_inverse(singular.cast<Complex>()).reciprocal_condition, 0);
}

TEST(Decompositions, OfNothingAreNothing) {
  EXPECT_EQ(singular_values(Matrix(0, 3)).size(), 0);
  EXPECT_EQ(solve_minimum_norm(Matrix(0, 3), Matrix(0, 2)), Matrix::Zero(3, 2));
  EXPECT_EQ(outside_of_range(ComplexMatrix(4, 0), ComplexMatrix::Ones(4, 1)).rows(), 4);
  EXPECT_EQ(complex_inverse(ComplexMatrix(0, 0)).reciprocal_condition, 1);
}

}  // namespace
}  // namespace lgn
