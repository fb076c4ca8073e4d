#include "lgn/flow/exponential.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "tests/core/machine_epsilon.h"
#include "tests/flow/exponential_cases.h"

namespace lgn {
namespace {

using testing::hard_cases;
using testing::random_sd;
using testing::random_skew;

using testing::epsilon;

double inner(const Matrix& x, const Matrix& y) { return x.cwiseProduct(y).sum(); }

TEST(Exponential, FunctionGivesTheSameNumbersAsTheClass) {
  for (const auto& [name, a] : hard_cases())
    EXPECT_TRUE(exponential(a) == Exponential(a).value()) << name;
}

TEST(Exponential, AdjointIsTheTransposeOfTheDerivative) {
  Random random(11);
  for (const Index n : {1, 2, 5, 20})
    for (const double size : {1e-8, 1e-2, 0.2, 0.9, 5.0, 100.0}) {
      Matrix a = random_sd(n, random);
      a *= size / norm1(a);
      const Matrix e = random.normals(n, n), g = random.normals(n, n);
      const Exponential flow(a);
      const double forward = inner(g, flow.derivative(e)), backward = inner(flow.adjoint(g), e);
      // ‖exp‖, ‖L‖ ≤ 1 for a contraction. About ten products round by n ε, doubled by each
      // squaring.
      const double tolerance = 10 * static_cast<double>(n) * epsilon * std::max(1.0, size);
      EXPECT_LE(std::abs(forward - backward), tolerance * g.norm() * e.norm()) << n << " " << size;
    }
}

TEST(Exponential, OfASkewMatrixIsOrthogonal) {
  Random random(12);
  for (const Index n : {2, 3, 10, 50})
    for (const double size : {1e-8, 1.0, 30.0}) {
      Matrix a = random_skew(n, random);
      a *= size / norm1(a);
      const Exponential flow(a);
      const Matrix& q = flow.value();
      // Rounding n ε in the polynomial, doubled by each squaring: 2^s ≤ 2 max(1, ‖A‖).
      const double error = (q.transpose() * q - Matrix::Identity(n, n)).norm();
      EXPECT_LE(error, 2 * static_cast<double>(n) * epsilon * std::max(1.0, size))
          << n << " " << size;
    }
}

TEST(Exponential, DerivativeIsLinearInItsDirection) {
  Random random(13);
  const Matrix a = random_sd(5, random), e = random.normals(5, 5);
  const Exponential flow(a);
  // A power of two passes through every product exactly.
  EXPECT_TRUE(flow.derivative(1024 * e) == 1024 * flow.derivative(e));
  EXPECT_TRUE(flow.derivative(Matrix::Zero(5, 5)) == Matrix::Zero(5, 5));
}

TEST(Exponential, DerivativeAlongAIsATimesExp) {
  Random random(14);
  const Matrix a = random_sd(6, random);
  const Exponential flow(a);
  const Matrix expected = a * flow.value();
  // exp(A + tA) = exp(A)(I + tA + …). Rounding n ε in each of about ten products, doubled by the
  // squarings.
  EXPECT_LE((flow.derivative(a) - expected).norm(), 10 * 6 * epsilon * norm1(a) * expected.norm());
}

TEST(Exponential, OfNothingAndOfANumber) {
  EXPECT_EQ(exponential(Matrix(0, 0)).size(), 0);
  EXPECT_EQ(Exponential(Matrix(0, 0)).derivative(Matrix(0, 0)).size(), 0);
  for (const double x : {-20.0, -1.0, -1e-9, 0.0, 1e-5, 0.02, 0.2, 0.7, 3.0, 50.0}) {
    const Exponential flow(Matrix::Constant(1, 1, x));
    // κ = |x|
    const double tolerance = 10 * epsilon * std::max(1.0, std::abs(x)) * std::exp(x);
    EXPECT_NEAR(flow.value()(0, 0), std::exp(x), tolerance) << x;
    EXPECT_NEAR(flow.derivative(Matrix::Constant(1, 1, 2.0))(0, 0), 2 * std::exp(x), 4 * tolerance)
        << x;
  }
}

TEST(Exponential, OfZeroIsTheIdentity) {
  const Exponential flow(Matrix::Zero(4, 4));
  EXPECT_TRUE(flow.value() == Matrix::Identity(4, 4));
  Random random(15);
  const Matrix e = random.normals(4, 4);
  EXPECT_TRUE(flow.derivative(e) == e);
}

TEST(Exponential, RefusesWhatHasNoExponential) {
  EXPECT_THROW(exponential(Matrix::Zero(2, 3)), Error);
  EXPECT_THROW(Exponential(Matrix::Zero(3, 2)), Error);
  Matrix a = Matrix::Identity(3, 3);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    a(1, 2) = bad;
    EXPECT_THROW(exponential(a), Error);
    EXPECT_THROW(Exponential{a}, Error);
  }
  const Exponential flow(Matrix::Identity(3, 3));
  EXPECT_THROW(flow.derivative(Matrix::Zero(2, 2)), Error);
  EXPECT_THROW(flow.adjoint(Matrix::Zero(3, 4)), Error);
}

TEST(Exponential, BeyondTheRangeOfDoublesIsNotFinite) {
  EXPECT_FALSE(exponential(Matrix::Constant(1, 1, 800.0)).allFinite());  // e^800 > 1.8e308
  EXPECT_FALSE(exponential(Matrix{{800, 1}, {0, 700}}).allFinite());
}

TEST(Exponential, HugeNormsEndAndDecayToZero) {
  // e^−1e300 underflows. About a thousand squarings of a number below one: each keeps it below one.
  const Matrix decay = exponential(-1e300 * Matrix::Identity(2, 2));
  EXPECT_TRUE(decay == Matrix::Zero(2, 2));
  // Nilpotent: exp is I + A exactly, and is in range.
  const Matrix shear = exponential(Matrix{{0, 1e300}, {0, 0}});
  EXPECT_TRUE(shear.allFinite());
  EXPECT_NEAR(shear(0, 1) / 1e300, 1, 8 * epsilon);
  EXPECT_EQ(shear(1, 0), 0);
  // A column sum that overflows counts as not finite.
  EXPECT_THROW(exponential(Matrix::Constant(2, 2, 1.7e308)), Error);
}

}  // namespace
}  // namespace lgn
