#include "lgn/core/gauss_newton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgn/core/random.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

/// r(x) and, when `jacobian` is not null, ∂r/∂x.
using Residuals = std::function<void(const Vector& x, Vector& residual, Matrix* jacobian)>;

struct Minimum {
  Vector x;
  double cost;
  int iterations;
  bool converged;
};

/// min ‖r(x)‖², x ≥ lower, as far as rounding allows.
Minimum least_squares(const Residuals& residuals, const Vector& x0, const Vector& lower,
                      int max_iterations = 200) {
  SumOfSquares squares;
  squares.cost = [&](const Vector& x) {
    Vector residual;
    residuals(x, residual, nullptr);
    return residual.squaredNorm();
  };
  squares.model = [&](const Vector& x) {
    Vector residual;
    Matrix jacobian;
    residuals(x, residual, &jacobian);
    return std::make_unique<DenseModel>(
        std::make_shared<const Matrix>(jacobian.transpose() * jacobian),
        jacobian.transpose() * residual);
  };
  squares.lower = lower;
  const auto found =
      minimize_gauss_newton(squares, {.x = x0}, {.max_iterations = max_iterations, .tolerance = 0});
  return {found.state.x, found.cost, found.state.iterations, found.converged()};
}

Vector no_bounds(Index n) { return Vector::Constant(n, -std::numeric_limits<double>::infinity()); }

/// r = (10(y − x²), 1 − x): zero at (1, 1), at the end of a curved valley.
void rosenbrock(const Vector& x, Vector& residual, Matrix* jacobian) {
  residual = Vector{{10 * (x[1] - x[0] * x[0]), 1 - x[0]}};
  if (jacobian) *jacobian = Matrix{{-20 * x[0], 10}, {-1, 0}};
}

TEST(GaussNewtonOfResiduals, FollowsRosenbrocksValley) {
  const auto result = least_squares(rosenbrock, Vector{{-1.2, 1}}, no_bounds(2));
  EXPECT_TRUE(result.converged);
  // Zero residual: r is computed to 20 ε and J⁻¹ has norm 2.
  EXPECT_LE((result.x - Vector::Ones(2)).norm(), 50 * epsilon);
  EXPECT_LE(result.cost, std::pow(50 * epsilon, 2));
}

TEST(GaussNewtonOfResiduals, StopsAtABound) {
  // With x ≥ 1.5 the minimum of 100(y − x²)² + (1 − x)² is at x = 1.5, y = 2.25.
  const auto result = least_squares(rosenbrock, Vector{{3, 3}}, Vector{{1.5, no_bounds(1)[0]}});
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.x[0], 1.5);
  // The cost is flat to √ε only across the bound's remaining direction, but there its residual is
  // zero.
  EXPECT_NEAR(result.x[1], 2.25, 1e-9);
  EXPECT_NEAR(result.cost, 0.25, 10 * epsilon);
}

TEST(GaussNewtonOfResiduals, SolvesALinearProblem) {
  Random random(1);
  const Matrix a = random.normals(20, 6);
  const Vector b = random.normals(20), exact = a.householderQr().solve(b);
  const auto result = least_squares(
      [&](const Vector& x, Vector& r, Matrix* j) {
        r = a * x - b;
        if (j) *j = a;
      },
      Vector::Zero(6), no_bounds(6));
  EXPECT_TRUE(result.converged);
  // A cost is flat to ε within √ε of its minimum: that is where descent ends.
  EXPECT_LE((result.x - exact).norm(), std::sqrt(epsilon) * (1 + exact.norm()));
  EXPECT_NEAR(result.cost, (a * exact - b).squaredNorm(), 100 * epsilon * b.squaredNorm());
}

TEST(GaussNewtonOfResiduals, FindsNonNegativeSolutions) {
  // min ‖x − c‖², x ≥ 0: negative parts of c go to the bound exactly.
  const Vector c{{3, -2, 0.5, -1e-3}};
  const auto result = least_squares(
      [&](const Vector& x, Vector& r, Matrix* j) {
        r = x - c;
        if (j) *j = Matrix::Identity(4, 4);
      },
      Vector::Ones(4), Vector::Zero(4));
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.x[1], 0);
  EXPECT_EQ(result.x[3], 0);
  EXPECT_NEAR(result.x[0], 3, 3 * std::sqrt(epsilon));
  EXPECT_NEAR(result.x[2], 0.5, 3 * std::sqrt(epsilon));
}

TEST(GaussNewtonOfResiduals, LeavesASolutionAlone) {
  const auto result = least_squares(rosenbrock, Vector::Ones(2), no_bounds(2));
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.cost, 0);
  EXPECT_TRUE(result.x == Vector::Ones(2));
}

TEST(GaussNewtonOfResiduals, ClipsItsStartAndCountsItsIterations) {
  const auto result = least_squares(rosenbrock, Vector{{-4, -4}}, Vector::Zero(2), 0);
  EXPECT_TRUE(result.x == Vector::Zero(2));
  EXPECT_EQ(result.iterations, 0);
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.cost, 1);
}

TEST(GaussNewtonOfResiduals, SurvivesASingularJacobian) {
  // Two unknowns that only count as their sum.
  const auto result = least_squares(
      [](const Vector& x, Vector& r, Matrix* j) {
        r = Vector{{x[0] + x[1] - 2}};
        if (j) *j = Matrix{{1, 1}};
      },
      Vector{{5, -1}}, no_bounds(2));
  EXPECT_TRUE(result.x.allFinite());
  EXPECT_NEAR(result.x.sum(), 2, 10 * epsilon);
}

}  // namespace
}  // namespace lgn
