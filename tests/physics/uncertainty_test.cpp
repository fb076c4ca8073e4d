#include "lgn/physics/uncertainty.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/residuals.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

/// Clean trajectories from each start (a column): errors belong to a model, not to noise.
Dataset clean(const Matrix& a, const Matrix& starts, double step, Index samples) {
  std::vector<std::string> channels;
  for (Index c = 0; c < a.rows(); ++c) channels.push_back("x" + std::to_string(c));
  std::vector<Trajectory> runs;
  const Vector times = step * Vector::LinSpaced(samples, 0, static_cast<double>(samples - 1));
  for (Index r = 0; r < starts.cols(); ++r)
    runs.emplace_back("", times, propagate(a, starts.col(r), times));
  return Dataset(channels, runs);
}

Information full_information(const Matrix& a, const Dataset& data, const Vector& noise) {
  const FullStructure full(a.rows());
  return find_information(a, full.directions(full.project(a)), data, noise);
}

/// Of F in units in which every parameter alone has unit variance.
double condition(const Matrix& f) {
  const Vector scale = f.diagonal().cwiseSqrt().cwiseInverse();
  const Matrix scaled = scale.asDiagonal() * f * scale.asDiagonal();
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(scaled).eigenvalues();
  return values[values.size() - 1] / values[0];
}

/// Two oscillations, 1 and 2.3 rad, and what mixes their channels.
Matrix two_oscillations() {
  Matrix a = Matrix::Zero(4, 4);
  a.topLeftCorner(2, 2) = Matrix{{-0.1, 1}, {-1, -0.1}};
  a.bottomRightCorner(2, 2) = Matrix{{-0.2, 2.3}, {-2.3, -0.2}};
  const Matrix turn{{0.6, -0.8, 0, 0}, {0.8, 0.6, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  const Matrix mix{{1, 0, 0.5, 0}, {0, 1, 0, -0.5}, {0.5, 0, 1, 0}, {0, 0.2, 0, 1}};
  return turn * mix * a * mix.inverse() * turn.transpose();
}

TEST(PoleCovariances, OfADecay) {
  // x = x₀ e^(at): with g = e^(at) and j = x₀ t e^(at) the information about a is (j·j − (j·g)²/g·g)
  // / σ².
  const double rate = -0.7, start = 3, sigma = 0.2;
  const Matrix a = Matrix::Constant(1, 1, rate);
  const Dataset data = clean(a, Matrix::Constant(1, 1, start), 0.1, 40);
  const Vector t = data.runs()[0].times(), g = (rate * t).array().exp();
  const Vector j = start * t.cwiseProduct(g);
  const double information =
      (j.squaredNorm() - std::pow(j.dot(g), 2) / g.squaredNorm()) / (sigma * sigma);
  const Vector noise = Vector::Constant(1, sigma);
  // Sums of 40 terms; the difference is half of its larger part.
  const double tolerance = 100 * epsilon / information;
  for (const auto& covariances :
       {pole_covariances(a, full_information(a, data, noise)),
        pole_covariances_of_modes(a, Matrix::Constant(1, 1, start), data, noise)}) {
    ASSERT_EQ(covariances.size(), 1u);
    EXPECT_NEAR(covariances[0](0, 0), 1 / information, tolerance);
    EXPECT_EQ(covariances[0](0, 1), 0);
    EXPECT_EQ(covariances[0](1, 1), 0);
  }
  // A known start leaves more: no second term.
  const auto known = pole_covariances(
      a, find_information(a, Matrix::Ones(1, 1), data, noise, Matrix::Constant(1, 1, start)));
  EXPECT_NEAR(known[0](0, 0), sigma * sigma / j.squaredNorm(), tolerance);
}

TEST(PoleCovariances, OfADampedOscillator) {
  // A = [0 1; −k −γ]: λ = −γ/2 ± i√(k − γ²/4).
  const double k = 4, gamma = 0.6, im = std::sqrt(k - gamma * gamma / 4);
  const Matrix a{{0, 1}, {-k, -gamma}};
  Matrix directions = Matrix::Zero(4, 2);
  directions(1, 0) = directions(3, 1) = -1;  // ∂A/∂k and ∂A/∂γ
  const Dataset data = clean(a, Vector{{1, 0.5}}, 0.05, 100);
  const auto information = find_information(a, directions, data, Vector{{0.1, 0.3}});
  const Matrix gradient{{0, -0.5}, {1 / (2 * im), -gamma / (4 * im)}};  // of Re λ, Im λ in k, γ
  const Matrix expected = gradient * information.matrix.inverse() * gradient.transpose();
  const auto covariances = pole_covariances(a, information);
  ASSERT_EQ(covariances.size(), 2u);
  const double tolerance = 100 * epsilon * condition(information.matrix) * expected.norm();
  EXPECT_LE((covariances[1] - expected).norm(), tolerance);  // Im λ > 0 comes second
  const Eigen::DiagonalMatrix<double, 2> mirror(1, -1);
  EXPECT_LE((covariances[0] - mirror * expected * mirror).norm(), tolerance);
}

TEST(PoleCovariances, CarryTheInformationByTheDerivativesOfThePoles) {
  const Matrix a = two_oscillations();
  const Vector noise{{0.1, 0.2, 0.05, 0.1}};
  const Dataset data = clean(a, Vector{{1, 0.5, -1, 0.3}}, 0.1, 80);
  const auto information = full_information(a, data, noise);
  const auto covariances = pole_covariances(a, information);
  const Matrix inverse = information.matrix.inverse();
  // Differences of the poles with every entry of A: h² = 1e-10 and ε/h = 2e-11, relative.
  constexpr double h = 1e-5;
  Matrix re(4, 16), im(4, 16);
  for (Index q = 0; q < 16; ++q) {
    const Matrix e = h * information.directions.middleRows(4 * q, 4);
    const ComplexVector slope = (eigenvalues(a + e) - eigenvalues(a - e)) / (2 * h);
    re.col(q) = slope.real();
    im.col(q) = slope.imag();
  }
  for (Index k = 0; k < 4; ++k) {
    Matrix gradient(2, 16);
    gradient << re.row(k), im.row(k);
    const Matrix expected = gradient * inverse * gradient.transpose();
    EXPECT_LE((covariances[static_cast<std::size_t>(k)] - expected).norm(), 1e-7 * expected.norm());
  }
}

TEST(PoleCovariances, OfModesAreThoseOfTheInformationMatrix) {
  const Matrix a = two_oscillations();
  const Vector noise{{0.1, 0.2, 0.05, 0.1}};
  const Matrix starts{{1, 0.2, -1}, {0.5, 1, 0}, {-1, 0.4, 2}, {0.3, -2, 1}};
  for (const Index runs : {1, 3}) {
    SCOPED_TRACE(runs);
    const Matrix x0 = starts.leftCols(runs);
    const Dataset data = clean(a, x0, 0.1, 80);
    const auto information = full_information(a, data, noise);
    const auto exact = pole_covariances(a, information);
    const auto modal = pole_covariances_of_modes(a, x0, data, noise);
    ASSERT_EQ(modal.size(), exact.size());
    const double rounding = 100 * epsilon * condition(information.matrix);
    for (std::size_t k = 0; k < exact.size(); ++k)
      EXPECT_LE((modal[k] - exact[k]).norm(), rounding * exact[k].norm());
  }
}

TEST(PoleCovariances, AModeThatIsNotExcitedIsNotIdentifiable) {
  const Matrix a = two_oscillations();
  const auto system = eigensystem(a);
  const Vector slow_only = system.right.col(0).real();  // ±1 rad alone
  const Dataset data = clean(a, slow_only, 0.1, 80);
  const Vector noise = Vector::Constant(4, 0.01);
  for (const auto& covariances : {pole_covariances(a, full_information(a, data, noise)),
                                  pole_covariances_of_modes(a, slow_only, data, noise)}) {
    auto modes = find_modes(a);
    set_errors(modes, covariances, 7.9, 1);
    for (std::size_t k = 0; k < 4; ++k) {
      ASSERT_TRUE(modes[k].identifiable.has_value());
      EXPECT_EQ(*modes[k].identifiable, k < 2) << k;
      EXPECT_EQ(modes[k].reason.empty(), k < 2) << modes[k].reason;
    }
  }
}

TEST(PoleCovariances, AChannelThatStaysAtZeroSaysNothing) {
  const Matrix a = Vector{{-1, -0.5}}.asDiagonal();
  const Dataset data = clean(a, Vector{{0, 1}}, 0.1, 50);
  auto modes = find_modes(a);
  set_errors(modes, pole_covariances(a, full_information(a, data, Vector::Constant(2, 0.01))), 4.9,
             1);
  EXPECT_FALSE(*modes[0].identifiable);
  EXPECT_EQ(modes[0].reason, "not observable in these data");
  EXPECT_TRUE(*modes[1].identifiable);
}

TEST(Errors, FollowTheChainRule) {
  auto modes = find_modes(Matrix{{0, 1}, {-4, -0.6}}, {}, "ms");
  const Eigen::Matrix2d c{{0.01, 0.004}, {0.004, 0.03}};
  set_errors(modes, {c, c}, 10, 2);
  // Central differences: h² = 1e-10 and ε/h = 2e-11, relative.
  constexpr double h = 1e-5;
  for (const Mode& mode : modes) {
    const auto error = [&](const std::function<double(Complex)>& value) {
      const Complex i(0, 1);
      const Eigen::Vector2d g{(value(mode.pole + h) - value(mode.pole - h)) / (2 * h),
                              (value(mode.pole + i * h) - value(mode.pole - i * h)) / (2 * h)};
      return 2 * std::sqrt(g.dot(c * g));
    };
    const double tolerance = 1e-9;
    EXPECT_NEAR(mode.se->re, 0.2, 4 * epsilon);
    EXPECT_NEAR(mode.se->im, 2 * std::sqrt(0.03), 4 * epsilon);
    const auto size = [](Complex p) { return std::abs(p); };
    EXPECT_NEAR(mode.se->natural_frequency, error(size), tolerance);
    EXPECT_NEAR(mode.se->frequency_hz, error(size) * 1000 / (2 * std::numbers::pi),
                1000 * tolerance);
    EXPECT_NEAR(mode.se->damping_ratio, error([](Complex p) { return -p.real() / std::abs(p); }),
                tolerance);
    EXPECT_NEAR(mode.se->time_constant, error([](Complex p) { return -1 / p.real(); }),
                100 * tolerance);  // 1/Re² = 11, and its derivatives
  }
}

TEST(Errors, HalfOfThePoleOrOfATurnIsTheLimit) {
  const auto identifiable = [](double pole, double duration, double se) {
    auto modes = find_modes(Matrix::Constant(1, 1, pole));
    set_errors(modes, {Eigen::Vector2d(se * se, 0).asDiagonal().toDenseMatrix()}, duration, 1);
    EXPECT_EQ(modes[0].reason.empty(), *modes[0].identifiable);
    return *modes[0].identifiable;
  };
  EXPECT_TRUE(identifiable(-2, 100, 0.99));
  EXPECT_FALSE(identifiable(-2, 100, 1.01));
  const double turn = 2 * std::numbers::pi / 100;  // larger than the pole
  EXPECT_TRUE(identifiable(-0.01, 100, 0.49 * turn));
  EXPECT_FALSE(identifiable(-0.01, 100, 0.51 * turn));
  EXPECT_TRUE(identifiable(0, 100, 0.49 * turn));
}

TEST(CorrelationFactor, IsThatOfAFirstOrderProcess) {
  EXPECT_NEAR(correlation_factor(0.5, 1e4), std::sqrt(3), 4 * epsilon);
  EXPECT_NEAR(correlation_factor(0.8, 1e4), 3, 8 * epsilon);
  // Within 3/√pairs, or 0.1, it is chance; so is what lies below zero.
  EXPECT_EQ(correlation_factor(0.09, 1e9), 1);
  EXPECT_EQ(correlation_factor(0.29, 100), 1);
  EXPECT_GT(correlation_factor(0.31, 100), 1);
  EXPECT_EQ(correlation_factor(-0.9, 1e9), 1);
  EXPECT_EQ(correlation_factor(0.9, 0), 1);
  EXPECT_EQ(correlation_factor(std::nan(""), 100), 1);
  EXPECT_TRUE(std::isfinite(correlation_factor(1, 100)));
}

TEST(IntervalFactor, IsStudentsQuantile) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(interval_factor(0.95, infinity), 1.959963984540054, 8 * epsilon);
  EXPECT_NEAR(interval_factor(0.5, infinity), 0.674489750196082, 8 * epsilon);
  EXPECT_NEAR(interval_factor(0.99, infinity), 2.575829303548901, 32 * epsilon);  // ε/density
  // The first term left out is (3z⁷ + 19z⁵ + 17z³ − 15z)/384ν³: 2.6/ν³ at 95%, 12.2/ν³ at 99%;
  // twice that for all that follow.
  for (const auto& [nu, quantile] : {std::pair{5.0, 2.570582}, {10.0, 2.228139}, {30.0, 2.042272}})
    EXPECT_NEAR(interval_factor(0.95, nu), quantile, 2 * 2.6 / (nu * nu * nu) + 1e-6);
  EXPECT_NEAR(interval_factor(0.99, 10), 3.169273, 2 * 12.2 / 1000 + 1e-6);
}

}  // namespace
}  // namespace lgn
