#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/nonlinear_structures.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

struct Case {
  std::string name;
  std::function<std::shared_ptr<const NonlinearStructure>()> make;
};

/// The laws of every nonlinear structure.
class NonlinearLaws : public ::testing::TestWithParam<Case> {
 protected:
  std::shared_ptr<const NonlinearStructure> s_ = GetParam().make();
  Random random_{7};

  /// Above the bounds, some parameters on them, of this size.
  Vector random_theta(double size) {
    Vector theta = size * random_.normals(s_->parameters());
    const Vector lower = s_->lower_bounds();
    for (Index k = 0; k < theta.size(); ++k) {
      if (!std::isfinite(lower[k])) continue;
      theta[k] = s_->parameter_list()[static_cast<std::size_t>(k)].scale
                     ? std::exp(random_.normal())
                     : std::max(lower[k], theta[k]);
    }
    return theta;
  }
};

TEST_P(NonlinearLaws, FieldIsCoefficientsTimesFunctions) {
  const Vector theta = random_theta(1), x = random_.normals(s_->dimension());
  const NonlinearField field(*s_, theta);
  const Vector expected = s_->field(theta, x);
  // Sums of fewer than 100 products of at most 9 factors.
  EXPECT_LE((field.value(x) - expected).norm(), 1000 * epsilon * (1 + expected.norm()));
}

/// Central differences have an error of step² times a third derivative, and rounding over step: 1e-5 leaves 1e-9 of what
/// moves in units of order one.
constexpr double step = 1e-5, difference_error = 2e-9;

TEST_P(NonlinearLaws, JacobianIsTheDerivativeInTheState) {
  for (int trial = 0; trial < 5; ++trial) {
    const Vector theta = random_theta(1), x = random_.normals(s_->dimension());
    const NonlinearField field(*s_, theta);
    const Matrix j = field.jacobian(x);
    for (Index k = 0; k < x.size(); ++k) {
      const Vector d = step * Vector::Unit(x.size(), k);
      const Vector difference = (field.value(x + d) - field.value(x - d)) / (2 * step);
      const double size = 1 + field.value(x).norm() + 100 * j.norm();
      EXPECT_LE((difference - j.col(k)).norm(), difference_error * size) << k;
    }
  }
}

TEST_P(NonlinearLaws, ParameterJacobianIsTheDerivativeInTheta) {
  const Vector theta = random_theta(1), x = random_.normals(s_->dimension());
  std::vector<Index> all;
  for (Index k = 0; k < theta.size(); ++k) all.push_back(k);
  const Matrix j = NonlinearField(*s_, theta, all).parameter_jacobian(x);
  for (Index k = 0; k < theta.size(); ++k) {
    const Vector d = step * Vector::Unit(theta.size(), k);
    const Vector difference = (s_->field(theta + d, x) - s_->field(theta - d, x)) / (2 * step);
    EXPECT_LE((difference - j.col(k)).norm(),
              difference_error * (1 + s_->field(theta, x).norm() + j.norm()))
        << s_->parameter_names()[static_cast<std::size_t>(k)];
  }
}

TEST_P(NonlinearLaws, PartOfTheParametersMoves) {
  const Vector theta = random_theta(1), x = random_.normals(s_->dimension());
  std::vector<Index> all;
  for (Index k = 0; k < theta.size(); ++k) all.push_back(k);
  const Matrix j = NonlinearField(*s_, theta, all).parameter_jacobian(x);
  const Index last = theta.size() - 1;
  const Matrix part = NonlinearField(*s_, theta, {last, 0}).parameter_jacobian(x);
  EXPECT_EQ(part.col(0), j.col(last));
  EXPECT_EQ(part.col(1), j.col(0));
}

TEST_P(NonlinearLaws, EnergyNeverGrows) {
  const StateEnergy* energy = s_->state_energy();
  if (energy == nullptr) GTEST_SKIP() << "no energy is promised";
  EXPECT_TRUE(s_->guarantee().dissipative);
  for (const double size : {0.0, 1e-8, 1.0, 1e3})
    for (int trial = 0; trial < 200; ++trial) {
      const Vector theta = random_theta(size);
      const Vector x = std::pow(10.0, 3 * random_.uniform() - 2) * random_.normals(s_->dimension());
      const Vector g = energy->gradient(theta, x);
      // Each term of f is rounded by itself; terms are as large as C, its sign aside, times |m(x)|.
      const Vector terms =
          s_->coefficients(theta).cwiseAbs() * s_->functions().values(x).cwiseAbs();
      EXPECT_LE(g.dot(s_->field(theta, x)), 1000 * epsilon * g.cwiseAbs().dot(terms));
    }
}

TEST_P(NonlinearLaws, InputsAddTheirGainsAndNothingElse) {
  if (s_->inputs() == 0) GTEST_SKIP() << "no inputs";
  const Vector theta = random_theta(1), x = random_.normals(s_->dimension()),
               u = random_.normals(s_->inputs());
  std::vector<Index> all;
  for (Index k = 0; k < theta.size(); ++k) all.push_back(k);
  const NonlinearField field(*s_, theta, all);
  const Matrix b = s_->gains(theta);
  // Masses are pushed, not moved.
  if (s_->name() == "nonlinear-mechanical") EXPECT_EQ(b.topRows(s_->dimension() / 2).norm(), 0);
  EXPECT_GT(b.norm(), 0);
  const Vector f = field.value(x), expected = f + b * u;
  EXPECT_LE((field.value(x, u) - expected).norm(), 1000 * epsilon * (1 + expected.norm()));
  // f is linear in a gain, so that differences are exact but for rounding.
  const Matrix j = field.parameter_jacobian(x, u);
  for (Index k = 0; k < theta.size(); ++k)
    if (s_->parameter_names()[static_cast<std::size_t>(k)].front() == 'B') {
      const Vector moved = theta + Vector::Unit(theta.size(), k);
      EXPECT_LE((NonlinearField(*s_, moved).value(x, u) - field.value(x, u) - j.col(k)).norm(),
                1000 * epsilon * (1 + expected.norm()));
    }
}

TEST_P(NonlinearLaws, EnergyHasItsGradient) {
  const StateEnergy* energy = s_->state_energy();
  if (energy == nullptr) GTEST_SKIP() << "no energy is promised";
  for (const double scale : {1e-3, 1.0, 3.0}) {
    const Vector theta = random_theta(1), x = scale * random_.normals(s_->dimension());
    const Vector g = energy->gradient(theta, x);
    for (Index k = 0; k < x.size(); ++k) {
      const Vector d = step * scale * Vector::Unit(x.size(), k);
      const double difference =
          (energy->value(theta, x + d) - energy->value(theta, x - d)) / (2 * step * scale);
      EXPECT_NEAR(difference, g[k], 100 * difference_error * (1 + g.norm()) * scale);
    }
    EXPECT_NEAR(energy->value(theta, Vector::Zero(x.size())), 0, 0);
  }
}

TEST_P(NonlinearLaws, ProjectingTwiceIsProjectingOnce) {
  Matrix wanted = s_->coefficients(random_theta(1));
  // Of a member: that member.
  const Matrix member = s_->coefficients(s_->project(wanted));
  // Gauss–Newton steps end where the cost does not fall any more at working precision: the root of epsilon, squared by
  // its quadratic convergence where the residual vanishes.
  EXPECT_LE((member - wanted).norm(), 1e-7 * wanted.norm());
  wanted += 0.1 * random_.normals(wanted.rows(), wanted.cols());
  const Matrix once = s_->coefficients(s_->project(wanted));
  const Matrix twice = s_->coefficients(s_->project(once));
  EXPECT_LE((twice - once).norm(), 1e-6 * once.norm());
  EXPECT_GE((s_->project(wanted) - s_->lower_bounds()).minCoeff(), 0);
}

TEST_P(NonlinearLaws, LinearisationHasAnAdjoint) {
  const Vector theta = random_theta(1);
  const Index n = s_->dimension();
  const auto course = s_->sample(Vector::LinSpaced(2, 0, 1))->course(theta);
  EXPECT_EQ(Matrix(course->generators().leftCols(n)), s_->linearisation(theta, Vector::Zero(n)));
  const Vector delta = random_.normals(theta.size());
  const Matrix g = random_.normals(n, 2 * n), forward = course->pushforward(delta);
  EXPECT_NEAR(course->pullback(g).dot(delta), g.cwiseProduct(forward).sum(),
              100 * epsilon * (1 + g.norm() * forward.norm()));
}

TEST_P(NonlinearLaws, NamesAreDistinct) {
  auto names = s_->parameter_names();
  EXPECT_EQ(static_cast<Index>(names.size()), s_->parameters());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
}

INSTANTIATE_TEST_SUITE_P(
    Structures, NonlinearLaws,
    ::testing::Values(Case{"Gyro3", [] { return gyro_structure(3); }},
                      Case{"GyroCubic", [] { return gyro_structure(2, 3); }},
                      Case{"Mechanical", [] { return nonlinear_mechanical_structure(2); }},
                      Case{"Pendulum",
                           [] {
                             return nonlinear_mechanical_structure(1, {{2, 4}, {1}, {0}, true});
                           }},
                      Case{"Storage", [] { return storage_structure(3); }},
                      Case{"DrivenGyro",
                           [] {
                             return build_nonlinear({"gyro", 3, 2, {}, 2});
                           }},
                      Case{"DrivenMasses",
                           [] {
                             return build_nonlinear({"nonlinear-mechanical", 4, 0, {}, 1});
                           }},
                      Case{"DrivenStorage",
                           [] {
                             return build_nonlinear({"storage", 2, 0, {}, 1});
                           }},
                      Case{"Lossless", [] { return lossless_structure(3); }},
                      Case{"Polynomial", [] { return polynomial_structure(2); }}),
    [](const auto& test) { return test.param.name; });

TEST(StateFunctions, SlopesAreDerivatives) {
  // x1² sin x2, among two states: codes 0, 0, 4.
  const auto slopes = slopes_of({0, 0, sine_of(1, 2)}, 2);
  ASSERT_EQ(slopes.size(), 2u);
  EXPECT_EQ(slopes[0].state, 0);
  EXPECT_EQ(slopes[0].coefficient, 2);
  EXPECT_EQ(slopes[0].factors, (Factors{0, sine_of(1, 2)}));
  EXPECT_EQ(slopes[1].state, 1);
  EXPECT_EQ(slopes[1].factors, (Factors{0, 0, cosine_of(1, 2)}));
  EXPECT_EQ(text_of({0, 0, sine_of(1, 2)}, {"q", "phi"}), "q^2 sin(phi)");
  EXPECT_EQ(products_of({0, 1, 2}, 2).size(), 6u);
}

TEST(NonlinearStructure, LorenzHasTheKnownTrappingBall) {
  const auto s = lossless_structure(3);
  const double sigma = 10, rho = 28, beta = 8.0 / 3;
  Matrix c = Matrix::Zero(3, s->functions().size());
  const auto at = [&](Index row, const Factors& factors) -> double& {
    return c(row, s->functions().find(factors));
  };
  at(0, {0}) = -sigma;
  at(0, {1}) = sigma;
  at(1, {0}) = rho;
  at(1, {1}) = -1;
  at(1, {0, 2}) = -1;
  at(2, {2}) = -beta;
  at(2, {0, 1}) = 1;
  const Vector theta = s->project(c);
  ASSERT_LE((s->coefficients(theta) - c).norm(), 1e-8 * c.norm());
  const auto ball = certified_bound(*s, theta);
  ASSERT_TRUE(ball);
  // c = (0, 0, ρ + σ) leaves the diagonal alone, −1 the largest of it; there f = (0, 0, −β(ρ + σ)). The smoothed maximum is
  // within log 3/μ, and the centre within the root of that.
  EXPECT_NEAR(ball->rate, -1, 1e-3);
  EXPECT_NEAR(ball->centre[2], rho + sigma, 0.2);
  EXPECT_NEAR(ball->radius, beta * (rho + sigma), 1);
  // Without losses nothing is trapped.
  Matrix growing = c;
  growing(2, s->functions().find({2})) = 1;
  EXPECT_FALSE(certified_bound(*s, s->project(growing)));
  EXPECT_THROW(certified_bound(*gyro_structure(3), gyro_structure(3)->start()), Error);
}

TEST(NonlinearStructure, FindsEquilibria) {
  // A pendulum rests below and above.
  const auto s = nonlinear_mechanical_structure(1, {{}, {1}, {0}, true});
  Vector theta(2);
  theta << 0.1, 1;
  ASSERT_EQ(s->parameter_names(), (std::vector<std::string>{"c1", "k1 sin"}));
  const auto above = s->equilibrium(theta, Eigen::Vector2d(3, 0));
  ASSERT_TRUE(above);
  EXPECT_NEAR((*above)[0], std::acos(-1.0), 1e-12);
  EXPECT_THROW(build_nonlinear({"gyroscope", 3}), Error);
  EXPECT_THROW(build_nonlinear({"gyro", 3, 0, {}, most_nonlinear_inputs + 1}), Error);
  EXPECT_THROW(build_nonlinear({"nonlinear-mechanical", 3}), Error);
}

}  // namespace
}  // namespace lgn
