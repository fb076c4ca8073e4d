#include "lgn/identify/likelihood/likelihood.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/identify/training/gradient_check.h"
#include "tests/identify/loss_fixture.h"

namespace lgn::testing {
namespace {

constexpr Index n = 3, parameters = 4;

/// Four runs in three groups: two share their times but for the origin, one of these has gaps; one
/// is uneven; one is short. The samples are random, and need not come from a system.
Dataset random_runs(bool gaps = true) {
  Random random(21);
  std::vector<Trajectory> runs;
  const Vector even = 0.1 * Vector::LinSpaced(24, 0, 23);
  const auto add = [&](const Vector& times, double missing) {
    Matrix states = random.normals(n, times.size());
    for (double& value : states.reshaped())
      if (random.uniform() < missing) value = std::nan("");
    runs.emplace_back(std::to_string(runs.size()), times, states);
  };
  add(even, 0);
  add(grid_times(TimeGrid::all_different, 30, random), gaps ? 0.2 : 0);
  add(even.array() + 1, gaps ? 0.3 : 0);
  add(0.25 * Vector::LinSpaced(5, 0, 4), 0);
  return Dataset({"a", "b", "c"}, runs);
}

struct Problem {
  Dataset data;
  Vector noise{{0.5, 1, 4}};
  Matrix a, directions;
  std::vector<Matrix> factors;

  explicit Problem(bool gaps = true) : data(random_runs(gaps)) {
    Random random(22);
    a = random.normals(n, n);
    a -= 2 * Matrix::Identity(n, n);
    directions = random.normals(parameters * n, n);
    for (const auto& run : data.runs())
      factors.push_back(random.normals(n, run.samples()).cwiseAbs().cwiseMin(1.0));
  }
};

/// The same by exponentials to every time and their derivatives, one row per present value, and
/// projection by QR.
struct BruteForce {
  double cost = 0, power = 0, condition = 1;
  Matrix starts, information = Matrix::Zero(parameters, parameters);
  Vector gradient = Vector::Zero(parameters), energy = Vector::Zero(parameters);  ///< Σ J²

  BruteForce(const Problem& s, const std::vector<Matrix>& factors,
             const std::optional<Matrix>& known)
      : starts(known ? *known : Matrix(n, 4)) {
    for (std::size_t r = 0; r < s.data.runs().size(); ++r) {
      const auto& run = s.data.runs()[r];
      const Index rows = run.samples() * n;
      Matrix maps = Matrix::Zero(rows, n), moved = Matrix::Zero(rows, parameters * n);
      Vector target = Vector::Zero(rows);
      for (Index k = 0; k < run.samples(); ++k) {
        const double t = run.times()[k] - run.times()[0];
        const Exponential flow(t * s.a);
        for (Index c = 0; c < n; ++c) {
          if (Trajectory::missing(run.states()(c, k))) continue;
          const double weight = (factors.empty() ? 1 : std::sqrt(factors[r](c, k))) / s.noise[c];
          maps.row(k * n + c) = weight * flow.value().row(c);
          target[k * n + c] = weight * run.states()(c, k);
          for (Index q = 0; q < parameters; ++q)
            moved.block(k * n + c, q * n, 1, n) =
                weight * flow.derivative(t * s.directions.middleRows(q * n, n)).row(c);
        }
      }
      auto start = starts.col(static_cast<Index>(r));
      const Vector singular = maps.jacobiSvd().singularValues();
      if (!known) {
        start = maps.colPivHouseholderQr().solve(target);
        condition = std::max(condition, singular[0] / singular[n - 1]);
      }
      const Vector residual = maps * start - target;
      Matrix jacobian(rows, parameters);
      for (Index q = 0; q < parameters; ++q) jacobian.col(q) = moved.middleCols(q * n, n) * start;
      cost += residual.squaredNorm();
      power += target.squaredNorm();
      energy += jacobian.colwise().squaredNorm().transpose();
      gradient += jacobian.transpose() * residual;
      if (!known) jacobian -= maps * maps.colPivHouseholderQr().solve(jacobian);
      information += jacobian.transpose() * jacobian;
    }
  }
  /// Starts come from normal equations, good to ε cond² with 100 for sums over 30 samples of three
  /// channels; what is left of the Jacobian cancels against that.
  double tolerance() const { return 100 * epsilon * condition * condition; }
};

void expect_brute_force(const Problem& s, Likelihood likelihood, const std::vector<Matrix>& factors,
                        const std::optional<Matrix>& known) {
  likelihood.weigh(s.noise, factors);
  const BruteForce exact(s, factors, known);
  const double tolerance = exact.tolerance();
  const auto profile = likelihood.profile(s.a);
  EXPECT_NEAR(likelihood.power(), exact.power, 100 * epsilon * exact.power);
  EXPECT_NEAR(profile.cost, exact.cost, tolerance * exact.power);
  EXPECT_LE((profile.starts - exact.starts).norm(), tolerance * exact.starts.norm());

  const auto [information, gradient] = likelihood.normal(s.a, s.directions, profile);
  const double size = exact.energy.sum();
  EXPECT_LE((gradient - exact.gradient).norm(), tolerance * std::sqrt(size * exact.power));
  EXPECT_LE((information - exact.information).norm(), tolerance * size);
  EXPECT_TRUE(information == information.transpose());
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(information);
  EXPECT_GE(eigen.eigenvalues()[0], -tolerance * size);

  const Likelihood::Curvature curvature(likelihood, s.a, profile);
  Matrix moment = Matrix::Zero(n, n);
  for (Index r = 0; r < likelihood.runs(); ++r) {
    const auto& run = s.data.runs()[static_cast<std::size_t>(r)];
    const Matrix x = propagate(s.a, profile.starts.col(r), run.times());
    moment += x * x.transpose();
  }
  EXPECT_LE((curvature.second_moment() - moment).norm(), tolerance * moment.norm());
  for (Index q = 0; q < parameters; ++q) {
    const Matrix e = s.directions.middleRows(q * n, n), product = curvature.product(e);
    EXPECT_NEAR(curvature.gradient().cwiseProduct(e).sum(), gradient[q],
                tolerance * std::sqrt(size * exact.power));
    for (Index p = 0; p < parameters; ++p)
      EXPECT_NEAR(product.cwiseProduct(s.directions.middleRows(p * n, n)).sum(), information(p, q),
                  tolerance * size);
  }
}

TEST(Likelihood, IsBruteForceWithFittedStarts) {
  for (const bool gaps : {false, true}) {
    SCOPED_TRACE(gaps);
    const Problem s(gaps);
    expect_brute_force(s, Likelihood(s.data, s.noise), {}, {});
  }
}

TEST(Likelihood, IsBruteForceWithKnownStarts) {
  const Problem s;
  const Matrix known = Random(23).normals(n, 4);
  const Likelihood likelihood(s.data, s.noise, known);
  EXPECT_EQ(likelihood.start_unknowns(), 0);
  expect_brute_force(s, likelihood, {}, known);
  expect_brute_force(s, likelihood, s.factors, known);
}

TEST(Likelihood, IsBruteForceWithAWeightForEverySample) {
  for (const bool gaps : {false, true}) {
    SCOPED_TRACE(gaps);
    const Problem s(gaps);
    expect_brute_force(s, Likelihood(s.data, Vector::Ones(n)), s.factors, {});
  }
}

TEST(Likelihood, GradientIsHalfThatOfTheProfile) {
  const Problem s;
  const Matrix known = Random(23).normals(n, 4);
  for (const auto& starts : {std::optional<Matrix>{}, std::optional(known)}) {
    SCOPED_TRACE(starts ? "known" : "fitted");
    const Likelihood likelihood(s.data, s.noise, starts);
    const auto moved = [&](const Vector& x) {
      Matrix a = s.a;
      for (Index q = 0; q < parameters; ++q) a += x[q] * s.directions.middleRows(q * n, n);
      return likelihood.profile(a).cost / 2;
    };
    const auto normal = likelihood.normal(s.a, s.directions, likelihood.profile(s.a));
    // As in loss_gradient_test: truncation (h T)⁴ = 1e-12 · 3⁴, rounding ε/h = 2e-13 of a cost that
    // is a few times its gradient.
    const GradientCheck check = check_gradient(moved, Vector::Zero(parameters), normal.gradient);
    EXPECT_LE(check.error, 1e-7) << check.index << ": " << check.analytic << " " << check.numeric;
  }
}

TEST(Likelihood, AFactorOfZeroIsAGap) {
  const Problem whole(false);
  std::vector<Trajectory> runs;
  std::vector<Matrix> factors;
  for (std::size_t r = 0; r < whole.data.runs().size(); ++r) {
    const auto& run = whole.data.runs()[r];
    const Matrix keep = (whole.factors[r].array() > 0.3).cast<double>();
    factors.push_back(keep);
    runs.emplace_back(run.label(), run.times(),
                      (keep.array() > 0).select(run.states(), std::nan("")));
  }
  Likelihood weighed(whole.data, whole.noise);
  weighed.weigh(whole.noise, factors);
  const Likelihood masked(Dataset({"a", "b", "c"}, runs), whole.noise);
  EXPECT_EQ(weighed.profile(whole.a).cost, masked.profile(whole.a).cost);
  EXPECT_EQ(weighed.power(), masked.power());
}

TEST(Likelihood, CountsAndLeavesResiduals) {
  const Problem s;
  const Likelihood likelihood(s.data, s.noise);
  EXPECT_EQ(likelihood.values(), s.data.present());
  EXPECT_EQ(likelihood.start_unknowns(), 4 * n);
  const auto profile = likelihood.profile(s.a);
  const auto residuals = likelihood.residuals(profile);
  double cost = 0;
  for (Index r = 0; r < 4; ++r) {
    const auto& run = s.data.runs()[static_cast<std::size_t>(r)];
    const Matrix& residual = residuals[static_cast<std::size_t>(r)];
    const Matrix predicted = propagate(s.a, profile.starts.col(r), run.times());
    for (Index k = 0; k < run.samples(); ++k)
      for (Index c = 0; c < n; ++c) {
        const bool missing = Trajectory::missing(run.states()(c, k));
        EXPECT_EQ(likelihood.presence(r)(c, k), missing ? 0 : 1);
        const double expected = missing ? 0 : run.states()(c, k) - predicted(c, k);
        // x̂ went through 30 products of 3 × 3 matrices.
        EXPECT_NEAR(residual(c, k), expected, 100 * epsilon * predicted.norm());
      }
    cost += (s.noise.cwiseInverse().asDiagonal() * residual).squaredNorm();
  }
  EXPECT_NEAR(profile.cost, cost, 100 * epsilon * cost);
}

TEST(Likelihood, ARunThatLeavesItsStartOpenCostsNothing) {
  // Two values for three unknowns: every A fits them, and nothing is learned.
  const double gap = std::nan("");
  const Matrix states{{1, gap}, {gap, 2}, {gap, gap}};
  std::vector<Trajectory> runs{Trajectory("", Vector{{0, 0.1}}, states)};
  runs.push_back(random_runs().runs()[0]);
  const Problem s;
  const Likelihood both(Dataset({"a", "b", "c"}, runs), s.noise);
  const Likelihood one(Dataset({"a", "b", "c"}, {runs[1]}), s.noise);
  const auto profile = both.profile(s.a), alone = one.profile(s.a);
  // The start is held by 1e-15 of its information: so much is left of what is small beside the rest.
  EXPECT_NEAR(profile.cost, alone.cost, 1e-14 * one.power());
  EXPECT_TRUE(profile.starts.allFinite());
  const auto f = both.normal(s.a, s.directions, profile), g = one.normal(s.a, s.directions, alone);
  EXPECT_LE((f.information - g.information).norm(), 1e-14 * g.information.norm());
}

TEST(Likelihood, RefusesNoiseThatMakesNoSense) {
  const Problem s;
  EXPECT_THROW(Likelihood(s.data, Vector::Ones(2)), Error);
  EXPECT_THROW(Likelihood(s.data, Vector{{1, 0, 1}}), Error);
}

}  // namespace
}  // namespace lgn::testing
