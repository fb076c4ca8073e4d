#include "lgn/identify/likelihood/problem.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/dynamics/affine.h"
#include "lgn/dynamics/observed.h"
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

struct Samples {
  Dataset data;
  Vector noise{{0.5, 1, 4}};
  Matrix a, directions;
  std::vector<Matrix> factors;

  AffineStructure structure() const { return AffineStructure(a, directions); }

  explicit Samples(bool gaps = true) : data(random_runs(gaps)) {
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

  BruteForce(const Samples& s, const std::vector<Matrix>& factors,
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

const Vector origin = Vector::Zero(parameters);

void expect_brute_force(const Samples& s, Problem problem, const std::vector<Matrix>& factors,
                        const std::optional<Matrix>& known) {
  problem.weigh(s.noise, factors);
  const BruteForce exact(s, factors, known);
  const double tolerance = exact.tolerance();
  const auto profile = problem.profile(origin);
  EXPECT_NEAR(problem.power(), exact.power, 100 * epsilon * exact.power);
  EXPECT_NEAR(profile->cost, exact.cost, tolerance * exact.power);
  EXPECT_LE((profile->initial_states - exact.starts).norm(), tolerance * exact.starts.norm());

  const auto [information, gradient, overlap] = problem.linearise(*profile);
  const double size = exact.energy.sum();
  EXPECT_LE((gradient - exact.gradient).norm(), tolerance * std::sqrt(size * exact.power));
  EXPECT_LE((information - exact.information).norm(), tolerance * size);
  EXPECT_TRUE(information == information.transpose());
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(information);
  EXPECT_GE(eigen.eigenvalues()[0], -tolerance * size);

  const Problem::Curvature curvature(problem, profile);
  Matrix moment = Matrix::Zero(n, n);
  for (Index r = 0; r < problem.runs(); ++r) {
    const auto& run = s.data.runs()[static_cast<std::size_t>(r)];
    const Matrix x = propagate(s.a, profile->initial_states.col(r), run.times());
    moment += x * x.transpose();
  }
  EXPECT_LE((curvature.second_moment() - moment).norm(), tolerance * moment.norm());
  for (Index q = 0; q < parameters; ++q) {
    EXPECT_NEAR(curvature.gradient()[q], gradient[q], tolerance * std::sqrt(size * exact.power));
    const Vector product = curvature.product(Vector::Unit(parameters, q));
    for (Index p = 0; p < parameters; ++p)
      EXPECT_NEAR(product[p], information(p, q), tolerance * size);
    EXPECT_NEAR(curvature.diagonal()[q], exact.energy[q], tolerance * size);
  }
}

TEST(Problem, IsBruteForceWithFittedInitialStates) {
  for (const bool gaps : {false, true}) {
    SCOPED_TRACE(gaps);
    const Samples s(gaps);
    const AffineStructure structure = s.structure();
    expect_brute_force(s, Problem(s.data, structure, s.noise), {}, {});
  }
}

TEST(Problem, IsBruteForceWithKnownInitialStates) {
  const Samples s;
  const Matrix known = Random(23).normals(n, 4);
  const AffineStructure structure = s.structure();
  const Problem problem(s.data, structure, s.noise, {.initial_states = known});
  EXPECT_EQ(problem.unknown_initial_states(), 0);
  expect_brute_force(s, problem, {}, known);
  expect_brute_force(s, problem, s.factors, known);
}

TEST(Problem, IsBruteForceWithAWeightForEverySample) {
  for (const bool gaps : {false, true}) {
    SCOPED_TRACE(gaps);
    const Samples s(gaps);
    const AffineStructure structure = s.structure();
    expect_brute_force(s, Problem(s.data, structure, Vector::Ones(n)), s.factors, {});
  }
}

TEST(Problem, GradientIsHalfThatOfTheProfile) {
  const Samples s;
  const Matrix known = Random(23).normals(n, 4);
  for (const auto& starts : {std::optional<Matrix>{}, std::optional(known)}) {
    SCOPED_TRACE(starts ? "known" : "fitted");
    const AffineStructure structure = s.structure();
    const Problem problem(s.data, structure, s.noise, {.initial_states = starts});
    const auto moved = [&](const Vector& x) { return problem.profile(x)->cost / 2; };
    const auto normal = problem.linearise(*problem.profile(origin));
    // As in loss_gradient_test: truncation (h T)⁴ = 1e-12 · 3⁴, rounding ε/h = 2e-13 of a cost that
    // is a few times its gradient.
    const GradientCheck check = check_gradient(moved, Vector::Zero(parameters), normal.gradient);
    EXPECT_LE(check.error, 1e-7) << check.index << ": " << check.analytic << " " << check.numeric;
  }
}

TEST(Problem, AFactorOfZeroIsAGap) {
  const Samples whole(false);
  std::vector<Trajectory> runs;
  std::vector<Matrix> factors;
  for (std::size_t r = 0; r < whole.data.runs().size(); ++r) {
    const auto& run = whole.data.runs()[r];
    const Matrix keep = (whole.factors[r].array() > 0.3).cast<double>();
    factors.push_back(keep);
    runs.emplace_back(run.label(), run.times(),
                      (keep.array() > 0).select(run.states(), std::nan("")));
  }
  const AffineStructure structure = whole.structure();
  Problem weighed(whole.data, structure, whole.noise);
  weighed.weigh(whole.noise, factors);
  const Problem masked(Dataset({"a", "b", "c"}, runs), structure, whole.noise);
  EXPECT_EQ(weighed.profile(origin)->cost, masked.profile(origin)->cost);
  EXPECT_EQ(weighed.power(), masked.power());
}

TEST(Problem, CountsAndLeavesResiduals) {
  const Samples s;
  const AffineStructure structure = s.structure();
  const Problem problem(s.data, structure, s.noise);
  EXPECT_EQ(problem.values(), s.data.present());
  EXPECT_EQ(problem.unknown_initial_states(), 4 * n);
  EXPECT_EQ(problem.degrees_of_freedom(),
            static_cast<double>(s.data.present() - 4 * n - parameters));
  const auto profile = problem.profile(origin);
  const auto residuals = problem.residuals(*profile);
  double cost = 0;
  for (Index r = 0; r < 4; ++r) {
    const auto& run = s.data.runs()[static_cast<std::size_t>(r)];
    const Matrix& residual = residuals[static_cast<std::size_t>(r)];
    const Matrix predicted = propagate(s.a, profile->initial_states.col(r), run.times());
    for (Index k = 0; k < run.samples(); ++k)
      for (Index c = 0; c < n; ++c) {
        const bool missing = Trajectory::missing(run.states()(c, k));
        EXPECT_EQ(problem.presence(r)(c, k), missing ? 0 : 1);
        const double expected = missing ? 0 : run.states()(c, k) - predicted(c, k);
        // x̂ went through 30 products of 3 × 3 matrices.
        EXPECT_NEAR(residual(c, k), expected, 100 * epsilon * predicted.norm());
      }
    cost += (s.noise.cwiseInverse().asDiagonal() * residual).squaredNorm();
  }
  EXPECT_NEAR(profile->cost, cost, 100 * epsilon * cost);
}

TEST(Problem, ARunThatLeavesItsStartOpenCostsNothing) {
  // Two values for three unknowns: every A fits them, and nothing is learned.
  const double gap = std::nan("");
  const Matrix states{{1, gap}, {gap, 2}, {gap, gap}};
  std::vector<Trajectory> runs{Trajectory("", Vector{{0, 0.1}}, states)};
  runs.push_back(random_runs().runs()[0]);
  const Samples s;
  const AffineStructure structure = s.structure();
  const Problem both(Dataset({"a", "b", "c"}, runs), structure, s.noise);
  const Problem one(Dataset({"a", "b", "c"}, {runs[1]}), structure, s.noise);
  const auto profile = both.profile(origin), alone = one.profile(origin);
  // The start is held by 1e-15 of its information: so much is left of what is small beside the rest.
  EXPECT_NEAR(profile->cost, alone->cost, 1e-14 * one.power());
  EXPECT_TRUE(profile->initial_states.allFinite());
  const auto f = both.linearise(*profile), g = one.linearise(*alone);
  EXPECT_LE((f.information - g.information).norm(), 1e-14 * g.information.norm());
}

TEST(Problem, RefusesNoiseThatMakesNoSense) {
  const Samples s;
  const AffineStructure structure = s.structure();
  EXPECT_THROW(Problem(s.data, structure, Vector::Ones(2)), Error);
  EXPECT_THROW(Problem(s.data, structure, Vector{{1, 0, 1}}), Error);
}

TEST(Problem, SeesStatesThroughAnObservation) {
  // Three channels are a known mixture of three states: ℓ is that of the mixed generator M A M⁻¹ on the channels.
  const Samples s;
  const Matrix m = Matrix{{2, 1, 0}, {0, 1, 0.5}, {0.3, 0, 1}};
  Matrix turned(parameters * n, n);
  for (Index q = 0; q < parameters; ++q)
    turned.middleRows(q * n, n) = m * s.directions.middleRows(q * n, n) * m.inverse();
  const AffineStructure inner = s.structure(), outer(m * s.a * m.inverse(), turned);
  const ObservedStructure through(std::make_shared<AffineStructure>(inner), Observation(m));
  const Problem seen(s.data, through, s.noise);
  const Problem direct(s.data, outer, s.noise);
  const auto a = seen.profile(origin), b = direct.profile(origin);
  // Both eliminate three unknowns by normal equations: 100 ε cond(M)² of the power.
  const double tolerance = 1e4 * epsilon * seen.power();
  EXPECT_NEAR(a->cost, b->cost, tolerance);
  EXPECT_LE((m * a->initial_states - b->initial_states).norm(), tolerance);
  const auto f = seen.linearise(*a), g = direct.linearise(*b);
  EXPECT_LE((f.information - g.information).norm(), 1e4 * epsilon * g.information.norm());
  EXPECT_LE((f.gradient - g.gradient).norm(),
            1e4 * epsilon * std::sqrt(g.information.norm() * seen.power()));
  const Problem::Curvature curvature(seen, a);
  EXPECT_LE((curvature.gradient() - f.gradient).norm(),
            1e4 * epsilon * std::sqrt(g.information.norm() * seen.power()));
  for (Index q = 0; q < parameters; ++q)
    EXPECT_LE((curvature.product(Vector::Unit(parameters, q)) - f.information.col(q)).norm(),
              1e4 * epsilon * g.information.norm());
}

}  // namespace
}  // namespace lgn::testing
