#include "tests/flow/exponential_oracle.h"

#include <gtest/gtest.h>

#include "tests/flow/exponential_cases.h"

namespace lgn::testing {
namespace {

Grid<Quad> identity(Index n) { return to_grid<Quad>(Matrix::Identity(n, n)); }

TEST(ExponentialOracle, TwoScalingsAgree) {
  Random random(1);
  for (const double size : {1e-8, 1e-2, 1.0, 10.0, 100.0}) {
    const Matrix a = size * random_sd(4, random) / 4, e = random.normals(4, 4);
    const QuadFlow one = block_oracle(a, e), other = block_oracle(a, e, 5);
    // Up to 8 + 5 squarings double a rounding of 1e-34 each time: 2^13 · n · 1e-34 = 4e-30.
    EXPECT_LE(relative_error(one.value, other.value), 1e-25) << size;
    EXPECT_LE(relative_error(one.derivative, other.derivative), 1e-25) << size;
  }
}

TEST(ExponentialOracle, InverseIsExponentialOfTheNegative) {
  Random random(2);
  const Matrix a = random.normals(5, 5);
  // n · 1e-34 · ‖exp A‖ ‖exp −A‖, which is below 1e5 here.
  EXPECT_LE(relative_error(quad_exponential(a) * quad_exponential(-a), identity(5)), 1e-25);
}

TEST(ExponentialOracle, KnowsClosedForms) {
  // exp [[0, w], [−w, 0]] is a rotation; w = π/2 is a double away from exact by 6.1e-17, which
  // rotates by as much.
  const double w = 1.5707963267948966, rest = 6.123233995736766e-17;
  const Grid<Quad> turn = quad_exponential(Matrix{{0, w}, {-w, 0}});
  EXPECT_NEAR(static_cast<double>(turn(0, 0)), rest,
              1e-32);  // cos(π/2 − δ) = δ, given to 17 digits
  EXPECT_EQ(static_cast<double>(turn(0, 1)), 1.0);
  // A nilpotent series ends: exp J = I + J + J²/2.
  const Grid<Quad> jordan = quad_exponential(jordan_block(3, 0, 8.0));
  EXPECT_LE(std::abs(static_cast<double>(jordan(0, 2) - 32)), 1e-28);  // 32 · 1e-34 · 2^5
}

TEST(ExponentialOracle, DerivativeIsTheLimitOfDifferences) {
  Random random(3);
  const Matrix a = random.normals(3, 3), e = random.normals(3, 3);
  const double h = 0x1p-30;
  // The doubles a ± he are rounded; what was added is known exactly, and that is the direction
  // taken.
  const Matrix up = a + h * e, down = a - h * e;
  const Grid<Quad> plus = quad_exponential(up), minus = quad_exponential(down);
  Grid<Quad> difference(3);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j) difference(i, j) = plus(i, j) - minus(i, j);
  // Central differences err by h²/6 · ‖L³‖/‖L‖, 1e-18 · 10; a is not quite the middle of up and
  // down, ε ‖L²‖/‖L‖.
  EXPECT_LE(relative_error(difference, block_oracle(a, up - down).derivative), 1e-14);
}

TEST(ExponentialOracle, DualNumbersAgreeWithTheBlock) {
  Random random(4);
  const Matrix a = random_sd(4, random), e = random.normals(4, 4);
  Grid<Dual<Quad>> x(4);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 4; ++j) x(i, j) = {a(i, j), e(i, j)};
  const auto y = series_exponential(x, enough_halvings(a), quad_terms);
  Grid<Quad> slope(4);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 4; ++j) slope(i, j) = y(i, j).slope;
  EXPECT_LE(relative_error(slope, block_oracle(a, e).derivative), 1e-25);
}

TEST(ExponentialOracle, ConditionsOfAScalar) {
  // exp(a): κ = |a|; L = e e^a: κ_L = |a| + 1. Three digits are plenty for a bound.
  const Conditions c = conditions(Matrix::Constant(1, 1, -7.0), Matrix::Constant(1, 1, 3.0));
  EXPECT_NEAR(c.exponential, 7, 1e-3);
  EXPECT_NEAR(c.derivative, 8, 1e-3);
}

TEST(ExponentialOracle, ConditionOfANormalMatrix) {
  // For normal A, ‖L(A, ·)‖ = max |e^λ| (Van Loan 1977), so κ = ‖A‖ max |e^λ| / ‖exp A‖: here √2 ·
  // 5 · 1 / √2.
  const Conditions c = conditions(Matrix{{0, 5}, {-5, 0}}, Matrix::Ones(2, 2));
  EXPECT_NEAR(c.exponential, 5, 1e-3);
}

}  // namespace
}  // namespace lgn::testing
