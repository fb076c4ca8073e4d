#include "lgn/identify/offset.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/affine.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/propagate.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify.h"
#include "lgn/identify/likelihood/problem.h"
#include "lgn/identify/training/gradient_check.h"

namespace lgn {
namespace {

constexpr Index n = 3, parameters = 4;
const Vector at_rest{{2, -1, 0.5}}, noise{{0.5, 1, 4}}, origin = Vector::Zero(parameters);

/// A damped generator with four directions to move in, three runs in two groups, one with gaps.
struct Sampled {
  Matrix a, directions;
  Dataset data;

  /// `left`: size of what the model cannot explain.
  explicit Sampled(double left) : data(make(left)) {}
  AffineStructure structure() const { return AffineStructure(a, directions); }

 private:
  Dataset make(double left) {
    Random random(31);
    a = random.normals(n, n) - 2 * Matrix::Identity(n, n);
    directions = random.normals(parameters * n, n);
    std::vector<Trajectory> runs;
    for (int r = 0; r < 3; ++r) {
      const Vector times = (r == 2 ? 0.17 : 0.1) * Vector::LinSpaced(25, 0, 24);
      Matrix states = propagate(a, random.normals(n), times).colwise() + at_rest;
      states += left * random.normals(n, times.size());
      if (r == 1) states(0, 3) = states(2, 7) = std::nan("");
      runs.emplace_back(std::to_string(r), times, states);
    }
    return Dataset({"a", "b", "c"}, runs);
  }
};

/// As the first samples have them, or estimated.
std::vector<std::optional<Matrix>> initial_states_of(const Dataset& data) {
  return {std::nullopt, measured_initial_states(data)};
}

TEST(Offset, IsTheBestThereIs) {
  const Sampled s(0.3);
  const AffineStructure structure = s.structure();
  for (const auto& known : initial_states_of(s.data)) {
    SCOPED_TRACE(known ? "known" : "fitted");
    const Problem with(s.data, structure, noise,
                       {.initial_states = known, .estimate_offset = true});
    const auto profile = with.profile(origin);
    const auto cost_at = [&](const Vector& offset) {
      const Problem about(s.data, structure, noise, {.initial_states = known, .offset = offset});
      return about.profile(origin)->cost;
    };
    EXPECT_NEAR(cost_at(profile->offset), profile->cost, 1e-12 * profile->cost);
    // ℓ is quadratic in the offset, so differences of any size are exact.
    for (Index c = 0; c < n; ++c) {
      const double up = cost_at(profile->offset + Vector::Unit(n, c));
      const double down = cost_at(profile->offset - Vector::Unit(n, c));
      EXPECT_NEAR(up, down, 1e-10 * up);
      EXPECT_GT(up, profile->cost);
    }
    EXPECT_EQ(with.degrees_of_freedom(),
              static_cast<double>(with.values() - parameters - n - (known ? 0 : 3 * n)));
    double left = 0;
    for (const Matrix& residual : with.residuals(*profile))
      left += (noise.cwiseInverse().asDiagonal() * residual).squaredNorm();
    EXPECT_NEAR(left, profile->cost, 1e-12 * left);
  }
}

TEST(Offset, LeavesTheGradientAndCurvatureOfTheProfile) {
  // Without residuals ℓ is as curved as Gauss and Newton say.
  for (const double left : {0.3, 0.0}) {
    const Sampled s(left);
    const AffineStructure structure = s.structure();
    for (const auto& known : initial_states_of(s.data)) {
      SCOPED_TRACE(known ? "known" : "fitted");
      const Problem problem(s.data, structure, noise,
                            {.initial_states = known, .estimate_offset = true});
      const auto profile = problem.profile(origin);
      const Problem::Normal normal = problem.linearise(*profile);
      const Problem::Curvature curvature(problem, profile);
      const double size = normal.information.norm();
      EXPECT_LE((curvature.gradient() - normal.gradient).norm(),
                1e-12 * std::sqrt(size * problem.power()));
      for (Index q = 0; q < parameters; ++q)
        EXPECT_LE(
            (curvature.product(Vector::Unit(parameters, q)) - normal.information.col(q)).norm(),
            1e-12 * size);
      if (left > 0) {
        const GradientCheck check =
            check_gradient([&](const Vector& x) { return problem.profile(x)->cost / 2; },
                           Vector::Zero(parameters), normal.gradient);
        EXPECT_LE(check.error, 1e-7);
        continue;
      }
      EXPECT_LE((profile->offset - at_rest).norm(), 1e-10 * at_rest.norm());
      constexpr double h = 1e-4;
      const auto gradient = [&](const Vector& x) {
        return problem.linearise(*problem.profile(x)).gradient;
      };
      for (Index q = 0; q < parameters; ++q) {
        const Vector step = h * Vector::Unit(parameters, q);
        const Vector column = (gradient(step) - gradient(-step)) / (2 * h);
        EXPECT_LE((column - normal.information.col(q)).norm(), 1e-5 * size);
      }
    }
  }
}

TEST(Offset, OfAnIntegratorIsItsInitialState) {
  // Nothing tells where a state that does not move would rest.
  const Matrix a = Vector{{-1, 0}}.asDiagonal();
  const Vector times = 0.1 * Vector::LinSpaced(30, 0, 29);
  const Dataset data({"a", "b"}, {Trajectory("", times, propagate(a, Vector{{1, 3}}, times))});
  const AffineStructure structure(a, Matrix::Identity(2, 2));
  const Problem problem(data, structure, Vector::Ones(2), {.estimate_offset = true});
  const auto profile = problem.profile(Vector::Zero(1));
  EXPECT_NEAR(profile->offset[1], 0, 1e-12);
  EXPECT_NEAR(profile->initial_states(1, 0), 3, 1e-12);
  EXPECT_LE(profile->cost, 1e-20);
}

Dataset lifted(const Dataset& data, const Vector& offset) { return data.less(-offset); }

TEST(Offset, IsGuessedByRegression) {
  const System system = ladder(Vector::Constant(3, 0.1), Vector::Ones(3), Vector::Ones(3));
  const Dataset data = sample_runs(system, {.runs = 2, .noise = 0.01});
  const Vector offset = Vector::LinSpaced(data.dimension(), -2, 3);
  EXPECT_LE((guess_offset(lifted(data, offset)) - offset).cwiseAbs().maxCoeff(), 0.02);
}

TEST(Offset, IsFoundWithItsErrorsAndOnlyWhereThereIsOne) {
  const System system = rlc(2, 0.2);
  const Vector offset{{0.3, -5}};
  constexpr int seeds = 40;
  double squares = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(seed);
    const Dataset data =
        sample_runs(system, {.noise = 0.05, .seed = static_cast<std::uint64_t>(seed)});
    EXPECT_EQ(identify(data).offset.size(), 0);
    const Model found = identify(lifted(data, offset));
    ASSERT_EQ(found.offset.size(), 2);
    const Vector pulls = (found.offset - offset).cwiseQuotient(found.offset_errors);
    EXPECT_LE(pulls.cwiseAbs().maxCoeff(), 4.5);
    squares += pulls.squaredNorm();
    // Only the origin has moved.
    EXPECT_NEAR((found.starts.colwise() - offset - identify(data).starts).norm(), 0, 0.05);
  }
  // χ² with 80 degrees of freedom, four standard deviations either way.
  EXPECT_NEAR(squares, 2 * seeds, 4 * std::sqrt(2 * 2.0 * seeds));
}

TEST(Offset, IsAsToldOrNotAtAll) {
  const System system = rlc(2, 0.2);
  const Dataset data = sample_runs(system, {.noise = 0.01});
  const Vector offset{{0.3, -5}};
  FitOptions options;
  set_option(options, "offset", "0.3,-5");
  const Model told = identify(lifted(data, offset), options);
  EXPECT_EQ(told.offset, offset);
  EXPECT_EQ(told.offset_errors.size(), 0);
  set_option(options, "offset", "none");
  const Model plain = identify(data, options);
  EXPECT_LE((told.a - plain.a).norm(), 1e-9 * plain.a.norm());
  EXPECT_EQ(plain.offset.size(), 0);
  set_option(options, "offset", "estimate");
  EXPECT_EQ(identify(data, options).offset.size(), 2);
  set_option(options, "offset", "1,2,3");
  EXPECT_THROW(identify(data, options), Error);
  EXPECT_THROW(set_option(options, "offset", "sometimes"), Error);
}

TEST(Offset, IsLeftOutOfPredictionsAndEnergies) {
  const System system = rlc(2, 0.2);
  const Vector offset{{0.3, -5}};
  const Dataset data = lifted(sample_runs(system, {}), offset);
  const Model model = identify(data);
  ASSERT_EQ(model.offset.size(), 2);
  EXPECT_LE((model.offset - offset).norm(), 1e-9);
  EXPECT_LE((fitted_initial_states(model, data) - data.runs()[0].states().col(0)).norm(), 1e-9);
  const Matrix states = simulate(model, data.runs()[0].states().col(0), data.runs()[0].times());
  EXPECT_LE((states - data.runs()[0].states()).norm(), 1e-8);
}

TEST(Offset, OfAGeneratorThatVaries) {
  const Vector offset{{4, 1}};
  const System system = ltv_oscillator(1, 0.3, 0.5, 1);
  const Dataset data = sample_runs(system, {.runs = 2, .end = 20, .noise = 0.01});
  FitOptions options;
  options.structure = "parametric:ltv-oscillator";
  const Model found = identify(lifted(data, offset), options);
  ASSERT_EQ(found.offset.size(), 2);
  const Vector pulls = (found.offset - offset).cwiseQuotient(found.offset_errors);
  EXPECT_LE(pulls.cwiseAbs().maxCoeff(), 4);
  EXPECT_EQ(identify(data, options).offset.size(), 0);
}

TEST(Offset, OfANetworkLeavesItsElements) {
  const System system = ladder(Vector::Constant(3, 0.1), Vector::Ones(3), Vector::Ones(3));
  const Dataset data = sample_runs(system, {.runs = 2, .end = 40, .noise = 0.01});
  FitOptions options;
  options.structure = "network";
  const Vector offset = Vector::LinSpaced(6, -1, 4);
  const Model plain = identify(data, options), found = identify(lifted(data, offset), options);
  ASSERT_TRUE(plain.network && found.network);
  ASSERT_EQ(found.offset.size(), 6);
  EXPECT_EQ(found.network->elements.size(), plain.network->elements.size());
  const Vector pulls = (found.offset - offset).cwiseQuotient(found.offset_errors);
  EXPECT_LE(pulls.cwiseAbs().maxCoeff(), 4);
}

}  // namespace
}  // namespace lgn
