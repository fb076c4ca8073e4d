#include "lgn/core/linear_algebra.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

class EigensystemOf : public ::testing::TestWithParam<Index> {
 protected:
  Matrix matrix() const {
    Random random(static_cast<std::uint64_t>(GetParam()));
    return random.normals(GetParam(), GetParam());
  }
};

TEST_P(EigensystemOf, SatisfiesItsDefinition) {
  const Matrix a = matrix();
  const Eigensystem s = eigensystem(a);
  const double n = static_cast<double>(a.rows());
  const ComplexMatrix ac = a.cast<Complex>();
  // LAPACK's QR iteration is backward stable: ‖Av − λv‖ ≤ c n ε ‖A‖ ‖v‖, c of order one.
  const double tolerance = 10 * n * epsilon * a.norm();
  for (Index k = 0; k < a.rows(); ++k) {
    const ComplexVector v = s.right.col(k), w = s.left.col(k);
    EXPECT_NEAR(v.norm(), 1, 4 * epsilon * n);
    EXPECT_LE((ac * v - s.values[k] * v).norm(), tolerance);
    EXPECT_LE((w.adjoint() * ac - s.values[k] * w.adjoint()).norm(), tolerance * w.norm());
    EXPECT_LE(std::abs(w.dot(v) - 1.0),
              4 * epsilon * n * w.norm());  // dot conjugates its left side
  }
}

TEST_P(EigensystemOf, IsSortedWithConjugatesSideBySide) {
  const ComplexVector values = eigensystem(matrix()).values;
  for (Index k = 0; k + 1 < values.size(); ++k)
    EXPECT_LE(std::abs(values[k].imag()), std::abs(values[k + 1].imag()));
  for (Index k = 0; k < values.size(); ++k) {
    if (values[k].imag() == 0) continue;
    ASSERT_LT(k + 1, values.size());
    EXPECT_LT(values[k].imag(), 0);
    EXPECT_EQ(values[k + 1], std::conj(values[k]));
    ++k;
  }
}

TEST_P(EigensystemOf, HasTheEigenvaluesOfEigenvalues) {
  const Matrix a = matrix();
  const Eigensystem s = eigensystem(a);
  const ComplexVector alone = eigenvalues(a);
  // Two backward stable sweeps, each within n ε ‖A‖ ‖w‖ of the exact value (wᴴv = 1, ‖v‖ = 1).
  for (Index k = 0; k < a.rows(); ++k)
    EXPECT_LE(std::abs(s.values[k] - alone[k]),
              20 * static_cast<double>(a.rows()) * epsilon * a.norm() * s.left.col(k).norm());
}

INSTANTIATE_TEST_SUITE_P(Sizes, EigensystemOf, ::testing::Values(1, 2, 3, 7, 20, 61));

TEST(Eigensystem, OfKnownMatrices) {
  const ComplexVector turn = eigenvalues(Matrix{{0, 2}, {-2, 0}});
  EXPECT_NEAR(std::abs(turn[0] - Complex(0, -2)), 0, 8 * epsilon);
  EXPECT_NEAR(std::abs(turn[1] - Complex(0, 2)), 0, 8 * epsilon);
  const ComplexVector real = eigenvalues(Vector{{3, -1, 2}}.asDiagonal());
  EXPECT_EQ(real[0], Complex(-1));
  EXPECT_EQ(real[1], Complex(2));
  EXPECT_EQ(real[2], Complex(3));
}

TEST(Eigensystem, OfADefectiveMatrixHasInfiniteOrHugeLeftVectors) {
  const Eigensystem s = eigensystem(Matrix{{-1, 1}, {0, -1}});
  for (Index k = 0; k < 2; ++k) {
    EXPECT_LE(std::abs(s.values[k] + 1.0), 2 * std::sqrt(epsilon));  // a defective pair moves by √ε
    EXPECT_TRUE(s.right.col(k).allFinite());
    EXPECT_FALSE(s.left.col(k).norm() < 1e7);  // 1/√ε or more, or not finite
  }
}

TEST(Eigensystem, OfNothing) {
  EXPECT_EQ(eigensystem(Matrix(0, 0)).values.size(), 0);
  EXPECT_EQ(eigenvalues(Matrix(0, 0)).size(), 0);
}

TEST(Eigensystem, RefusesWhatHasNone) {
  EXPECT_THROW(eigensystem(Matrix::Zero(2, 3)), Error);
  EXPECT_THROW(eigenvalues(Matrix::Zero(3, 2)), Error);
  EXPECT_THROW(eigensystem(Matrix::Constant(2, 2, std::nan(""))), Error);
  EXPECT_THROW(eigenvalues(Matrix::Constant(2, 2, kInfinite)), Error);
}

TEST(Norm1, IsTheLargestColumnSum) {
  EXPECT_EQ(norm1(Matrix{{1, -5}, {-2, 3}}), 8);
  EXPECT_EQ(norm1(Matrix::Zero(3, 3)), 0);
  EXPECT_EQ(norm1(Matrix(0, 0)), 0);
  EXPECT_EQ(norm1(Matrix{{1, 2}, {kInfinite, 0}}), kInfinite);
}

TEST(Norm1, IsNanWhereAnyEntryIs) {
  for (Index at = 0; at < 4; ++at) {
    Matrix a = Matrix::Ones(2, 2);
    a(at) = std::nan("");
    EXPECT_TRUE(std::isnan(norm1(a))) << at;
    a(3 - at) = kInfinite;
    EXPECT_TRUE(std::isnan(norm1(a))) << at;
  }
}

}  // namespace
}  // namespace lgn
