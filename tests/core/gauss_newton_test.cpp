#include "lgn/core/gauss_newton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "lgn/core/nonnegative_least_squares.h"
#include "lgn/core/random.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;
using Ending = GaussNewtonResult::Ending;
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

struct Point {
  Vector residual;
  Matrix jacobian;
};

SumOfSquares sum_of_squares(std::function<Point(const Vector&)> at, Vector lower, double freedom) {
  SumOfSquares problem;
  problem.cost = [at](const Vector& x) { return at(x).residual.squaredNorm(); };
  problem.model = [at](const Vector& x) {
    const auto [r, j] = at(x);
    return std::make_unique<DenseModel>(std::make_shared<const Matrix>(j.transpose() * j),
                                        j.transpose() * r);
  };
  problem.lower = std::move(lower);
  problem.freedom = freedom;
  return problem;
}

SumOfSquares linear(const Matrix& f, const Vector& b, double lower = -kUnbounded) {
  return sum_of_squares(
      [=](const Vector& x) {
        return Point{f * x - b, f};
      },
      Vector::Constant(f.cols(), lower), static_cast<double>(f.rows() - f.cols()));
}

/// r = (10(y − x²), 1 − x): zero at (1, 1), at the end of a curved valley.
SumOfSquares rosenbrock(const Vector& lower = Vector::Constant(2, -kUnbounded)) {
  return sum_of_squares(
      [](const Vector& x) {
        return Point{Vector{{10 * (x[1] - x[0] * x[0]), 1 - x[0]}},
                     Matrix{{-20 * x[0], 10}, {-1, 0}}};
      },
      lower, 1);
}

double condition(const Matrix& f) {
  const Vector values = f.jacobiSvd().singularValues();
  return values[0] / values[values.size() - 1];
}

TEST(GaussNewton, SolvesALinearProblemInOneStep) {
  Random random(1);
  const Matrix f = random.normals(20, 6);
  const Vector b = random.normals(20), exact = f.householderQr().solve(b);
  const auto result = minimize_gauss_newton(linear(f, b), {Vector::Zero(6), 0, 0});
  EXPECT_EQ(result.ending, Ending::converged);
  EXPECT_EQ(result.state.iterations, 1);
  // The least damping is 1e-13, relative, and normal equations are solved to p² ε cond².
  const double tolerance = (1e-13 + 36 * epsilon) * std::pow(condition(f), 2);
  EXPECT_LE((result.state.x - exact).norm(), tolerance * exact.norm());
  EXPECT_NEAR(result.cost, (f * exact - b).squaredNorm(), 100 * epsilon * b.squaredNorm());
}

TEST(GaussNewton, BoundedProblemsEndWhereLawsonAndHansonDo) {
  int zeros = 0;
  for (const double lean : {0.0, 1.0, 5.0})
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      SCOPED_TRACE("lean " + std::to_string(lean) + " seed " + std::to_string(seed));
      Random random(seed);
      // Columns that lean towards a common one.
      const Matrix f =
          random.normals(16, 7) + lean * random.normals(16) * Vector::Ones(7).transpose();
      const Vector b = random.normals(16), exact = nonnegative_least_squares(f, b);
      const auto result = minimize_gauss_newton(linear(f, b, 0), {Vector::Ones(7)});
      EXPECT_TRUE(result.converged());
      const Vector& x = result.state.x;
      // Converged: what is left to gain, at most ‖F(x − x*)‖², is 1e-8 of cost/freedom; ten times
      // as much where a bound becomes active in the last step.
      const double reach = 1e-4 * std::sqrt(10 * result.cost / 9);
      EXPECT_LE((f * (x - exact)).norm(), reach);
      // KKT: the gradient vanishes where x > 0 and holds x where it is zero exactly.
      const Vector gradient = f.transpose() * (f * x - b);
      for (Index i = 0; i < x.size(); ++i) {
        const double slack = reach * f.col(i).norm();
        EXPECT_GE(x[i], 0) << i;
        EXPECT_GE(gradient[i], -slack) << i;
        if (x[i] > 0) {
          EXPECT_LE(gradient[i], slack) << i;
        }
        zeros += x[i] == 0;
      }
    }
  EXPECT_GT(zeros, 300);  // a good part of 300 · 7 unknowns is on its bound
}

TEST(GaussNewton, UnknownsThatWouldCrossTheirBoundsTogether) {
  // ℓ = (x − u)ᵀH(x − u) with u = (−1, −0.1): the free minimum lies beyond both bounds, but on x₁ = 0
  // the least is at x₂ = 0.8, and (0, 0) is worse than the start.
  const Matrix h{{1, -0.9}, {-0.9, 1}}, root = h.llt().matrixU();
  const Vector u{{-1, -0.1}};
  const auto result = minimize_gauss_newton(linear(root, root * u, 0), {Vector{{0.5, 1}}});
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.state.x[0], 0);
  EXPECT_NEAR(result.state.x[1], 0.8, 1e-4 * std::sqrt(result.cost));  // by the tolerance, H₂₂ = 1
}

TEST(GaussNewton, FollowsRosenbrocksValley) {
  const auto result = minimize_gauss_newton(rosenbrock(), {Vector{{-1.2, 1}}});
  EXPECT_TRUE(result.converged());
  // Zero residual: r is computed to 20 ε and J⁻¹ has norm 2.
  EXPECT_LE((result.state.x - Vector::Ones(2)).norm(), 50 * epsilon);
  EXPECT_LE(result.cost, std::pow(50 * epsilon, 2));
  EXPECT_EQ(minimize_gauss_newton(rosenbrock(), {Vector::Ones(2)}).state.iterations, 0);
}

TEST(GaussNewton, StopsAtABoundExactly) {
  // With x ≥ 1.5 the minimum of 100(y − x²)² + (1 − x)² is 0.25 at x = 1.5, y = 2.25.
  const auto result =
      minimize_gauss_newton(rosenbrock(Vector{{1.5, -kUnbounded}}), {Vector{{3, 3}}});
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(result.state.x[0], 1.5);
  EXPECT_NEAR(result.state.x[1], 2.25, 1e-4 * 0.5 / 10);  // 100(y − 2.25)² ≤ 1e-8 · cost
}

TEST(GaussNewton, EndsAtPrecisionWhereNoStepLowersTheCost) {
  // r = x² − 2 is zero nowhere among doubles: what is left of it is all that a step could gain, far
  // more than 1e-8 of it, but the step is lost in the rounding of x.
  const SumOfSquares problem = sum_of_squares(
      [](const Vector& x) {
        return Point{Vector{{x[0] * x[0] - 2}}, Matrix{{2 * x[0]}}};
      },
      Vector{{-kUnbounded}}, 1);
  const auto result = minimize_gauss_newton(problem, {Vector{{3}}});
  EXPECT_EQ(result.ending, Ending::at_precision);
  EXPECT_NEAR(result.state.x[0], std::sqrt(2), 2 * epsilon);  // the doubles beside √2
  EXPECT_GT(result.cost, 0);
}

TEST(GaussNewton, ClipsItsStartAndCountsItsSteps) {
  GaussNewtonOptions options;
  options.max_iterations = 0;
  const auto none = minimize_gauss_newton(rosenbrock(Vector::Zero(2)), {Vector{{-4, -4}}}, options);
  EXPECT_TRUE(none.state.x == Vector::Zero(2));
  EXPECT_EQ(none.cost, 1);
  EXPECT_FALSE(none.converged());
  options.max_iterations = 3;
  const auto three = minimize_gauss_newton(rosenbrock(), {Vector{{-1.2, 1}}}, options);
  EXPECT_EQ(three.state.iterations, 3);
  EXPECT_EQ(three.ending, Ending::too_many_steps);
}

TEST(GaussNewton, ObserverSeesFallingCostsAndStops) {
  std::vector<double> costs;
  GaussNewtonOptions options;
  options.observe = [&](const GaussNewtonState& state, double cost) {
    EXPECT_EQ(state.iterations, static_cast<int>(costs.size()) + 1);
    EXPECT_EQ(cost, rosenbrock().cost(state.x));
    costs.push_back(cost);
    return costs.size() < 4;
  };
  const auto result = minimize_gauss_newton(rosenbrock(), {Vector{{-1.2, 1}}}, options);
  EXPECT_EQ(result.ending, Ending::stopped);
  ASSERT_EQ(costs.size(), 4u);
  EXPECT_EQ(result.cost, costs.back());
  for (std::size_t k = 1; k < costs.size(); ++k) EXPECT_LT(costs[k], costs[k - 1]);
}

TEST(GaussNewton, GoesOnFromEveryStateToTheSameEnd) {
  std::vector<GaussNewtonState> seen;
  GaussNewtonOptions options;
  options.observe = [&](const GaussNewtonState& state, double) {
    seen.push_back(state);
    return true;
  };
  const auto whole = minimize_gauss_newton(rosenbrock(), {Vector{{-1.2, 1}}}, options);
  ASSERT_GT(seen.size(), 5u);  // a valley, not a bowl
  const auto states = seen;
  for (const auto& state : states) {
    const auto resumed = minimize_gauss_newton(rosenbrock(), state);
    EXPECT_TRUE(resumed.state.x == whole.state.x) << state.iterations;
    EXPECT_EQ(resumed.state.damping, whole.state.damping) << state.iterations;
    EXPECT_EQ(resumed.ending, whole.ending) << state.iterations;
  }
}

TEST(GaussNewton, NoUnknownMovesFurtherThanAllowed) {
  Vector last{{-1.2, 1}};
  const Vector most{{0.1, 0.5}};
  GaussNewtonOptions options;
  options.largest_step = most;
  options.observe = [&](const GaussNewtonState& state, double) {
    const Vector moved = (state.x - last).cwiseAbs();
    // x + s is rounded to ε |x|, |x| < 2.
    EXPECT_TRUE((moved.array() <= most.array() + 2 * epsilon).all());
    last = state.x;
    return true;
  };
  EXPECT_TRUE(minimize_gauss_newton(rosenbrock(), {last}, options).converged());
}

TEST(GaussNewton, TurnsBackWhereTheCostIsNotANumber) {
  // r = log x: the full step from 5 leads to 5 − 5 log 5 < 0.
  int refused = 0;
  SumOfSquares problem = sum_of_squares(
      [&](const Vector& x) {
        if (x[0] < 0) ++refused;
        return Point{Vector{{std::log(x[0])}}, Matrix{{1 / x[0]}}};
      },
      Vector{{-kUnbounded}}, 1);
  const auto result = minimize_gauss_newton(problem, {Vector{{5}}});
  EXPECT_GT(refused, 0);
  EXPECT_TRUE(result.converged());
  EXPECT_NEAR(result.state.x[0], 1, 4 * epsilon);  // a zero of log, whose slope is 1
}

TEST(GaussNewton, WithoutAMatrixTheMinimumIsTheSame) {
  Random random(3);
  const Matrix f = random.normals(40, 12), h = f.transpose() * f;
  const Vector b = random.normals(40), exact = f.householderQr().solve(b);
  const Vector root = h.diagonal().cwiseSqrt();
  SumOfSquares problem = linear(f, b);
  problem.model = [&](const Vector& x) {
    return std::make_unique<MatrixFreeModel>(
        MatrixFreeModel::Operator{
            [&](const Vector& v) -> Vector { return h * v; },
            [&](const Vector& v) -> Vector { return v.cwiseQuotient(h.diagonal()); }},
        f.transpose() * (f * x - b), 50);
  };
  const auto result = minimize_gauss_newton(problem, {Vector::Zero(12)});
  EXPECT_TRUE(result.converged());
  // The first direction of conjugate gradients alone gains 4κ/(κ+1)² of all there is, κ the
  // condition of the preconditioned matrix; at the end it gained less than 1e-8 cost/freedom.
  const double kappa = std::pow(condition(f * root.cwiseInverse().asDiagonal()), 2);
  const double left = 1e-8 * result.cost / 28 * std::pow(kappa + 1, 2) / (4 * kappa);
  EXPECT_LE((f * (result.state.x - exact)).squaredNorm(), left);
}

}  // namespace
}  // namespace lgn
