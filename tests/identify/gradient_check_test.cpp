#include "lgn/identify/training/gradient_check.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/error.h"

namespace lgn {
namespace {

double f(const Vector& x) { return std::sin(x[0]) * std::exp(x[1]) + x[2] * x[2] * x[2]; }
const Vector at{{0.4, -0.3, 1.2}};
Vector exact() {
  return Vector{
      {std::cos(at[0]) * std::exp(at[1]), std::sin(at[0]) * std::exp(at[1]), 3 * at[2] * at[2]}};
}

TEST(GradientCheck, AcceptsARightGradient) {
  // h⁴ = 1e-12 of truncation and ε/h = 2e-13 of rounding, of a function and derivatives of order
  // one.
  EXPECT_LE(check_gradient(f, at, exact()).error, 1e-11);
}

TEST(GradientCheck, FindsTheWrongEntry) {
  for (Index i = 0; i < 3; ++i) {
    Vector wrong = exact();
    wrong[i] += 1e-6;
    const GradientCheck check = check_gradient(f, at, wrong);
    EXPECT_EQ(check.index, i);
    EXPECT_NEAR(check.error, 1e-6 / exact().cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_EQ(check.analytic, wrong[i]);
    EXPECT_NEAR(check.numeric, exact()[i], 1e-11);
  }
}

TEST(GradientCheck, ANanIsNotAgreement) {
  for (Index i = 0; i < 3; ++i) {
    Vector wrong = exact();
    wrong[i] = std::nan("");
    const GradientCheck check = check_gradient(f, at, wrong);
    EXPECT_FALSE(check.error <= 1e-7) << i;
    EXPECT_EQ(check.index, i);
  }
  const auto hole = [](const Vector& x) { return x[1] > 0 ? std::nan("") : x.sum(); };
  EXPECT_FALSE(check_gradient(hole, Vector{{1, 0}}, Vector::Ones(2)).error <= 1e-7);
}

TEST(GradientCheck, OfAFlatFunctionIsAbsolute) {
  const auto flat = [](const Vector&) { return 3.0; };
  EXPECT_EQ(check_gradient(flat, at, Vector::Zero(3)).error, 0);
  EXPECT_EQ(check_gradient(flat, at, Vector{{0, 0.5, 0}}).error, 0.5);
}

TEST(GradientCheck, OfNothing) { EXPECT_EQ(check_gradient(f, Vector(0), Vector(0)).error, 0); }

TEST(GradientCheck, RefusesAGradientOfAnotherSize) {
  EXPECT_THROW(check_gradient(f, at, Vector(2)), Error);
}

}  // namespace
}  // namespace lgn
