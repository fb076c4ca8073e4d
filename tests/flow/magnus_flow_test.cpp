#include "lgn/flow/magnus_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "experiments/varying/runge_kutta.h"
#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/modulated.h"
#include "lgn/dynamics/varying_law.h"
#include "lgn/flow/propagate.h"
#include "tests/core/machine_epsilon.h"
#include "tests/flow/paper_oscillator.h"

namespace lgn {
namespace {

using testing::epsilon;

std::shared_ptr<const TimeBasis> harmonics() { return std::make_shared<Harmonics>(2, 0.3); }

Vector uneven_times() { return Vector{{0.2, 0.5, 0.6, 1.3, 1.5}}; }

/// One way to go: a structure of n states, θ, and a grid.
struct Way {
  std::shared_ptr<const Structure> structure;
  Vector theta;
  MagnusGrid grid;
};

/// Steps of several methods, lengths and counts, the shared nodes of Simpson's rule among them.
MagnusGrid mixed_grid() {
  MagnusGrid grid{uneven_times(), {}, {0}};
  grid.add(0.5, find_magnus_scheme("4-simpson"), 2);
  grid.add(0.6, find_magnus_scheme("4-simpson"), 1);
  grid.add(1.3, find_magnus_scheme("6"), 3);
  grid.add(1.5, find_magnus_scheme("4-commutator-free"), 1);
  return grid;
}

Way make_way(const std::string& kind, const std::string& method, Index n) {
  Random random(40 + static_cast<unsigned>(n));
  const bool mixed = method == "mixed";
  const Index substeps = kind == "Substeps" ? 3 : 1;
  // Strong where nothing can grow, so that e³⁰ does not drown everything, and little modulated, so
  // that commutators do not: one rotation, or one damping, with ‖Ω‖ ≈ 30 in the longest step, 0.7.
  const bool strong = kind == "Strong";
  const auto structure = std::make_shared<ModulatedStructure>(find_structure(!strong ? "full"
                                                                             : n > 1 ? "skew"
                                                                                     : "sd",
                                                                             n),
                                                              harmonics());
  Vector theta = (strong ? 0.05 : 0.5) * random.normals(structure->parameters());
  if (strong) theta[structure->place(0, 0)] = 30 / 0.7;
  theta.head(2) << 1.1, 2.7;
  return {structure, theta,
          mixed ? mixed_grid() : even_grid(uneven_times(), find_magnus_scheme(method), substeps)};
}

using Parameter = std::tuple<std::string, std::string, Index>;

class MagnusFlowOf : public ::testing::TestWithParam<Parameter> {
 protected:
  const Way way = std::apply(make_way, GetParam());
  const MagnusPlan nodes{*way.structure, way.grid};
  const MagnusFlow flow{nodes, way.theta};
  const Index n = way.structure->dimension(), samples = way.grid.times.size(),
              p = way.structure->parameters();
  Random random{12};
  const Matrix starts = random.normals(n, 3);

  Matrix states_at(const Vector& theta) const { return MagnusFlow(nodes, theta).states(starts); }
  /// Σ‖Ω‖ with what the commutators may add, at most as much again.
  double path() const {
    const Matrix a = nodes.sampled().course(way.theta)->generators();
    return 2 * 1.3 * a.cwiseAbs().colwise().sum().maxCoeff();
  }
  /// Products of length n, 20 terms per piece of the series, and one piece per unit of path at least.
  double rounding() const {
    const double pieces = static_cast<double>(way.grid.steps.size()) + path();
    return 4 * static_cast<double>(n) * pieces * epsilon;
  }
};

TEST_P(MagnusFlowOf, StatesAreTheMapsTimesTheStarts) {
  ASSERT_EQ(flow.samples(), samples);
  const Matrix states = flow.states(starts), maps = flow.maps();
  ASSERT_EQ(states.rows(), samples * n);
  EXPECT_TRUE(states.topRows(n) == starts);
  EXPECT_LE((states - maps * starts).norm(), rounding() * maps.norm() * starts.norm());
}

TEST_P(MagnusFlowOf, OneStartAtATimeIsTheSame) {
  const Matrix states = flow.states(starts), derivatives = flow.jacobian(starts);
  const Matrix pull = random.normals(states.rows(), states.cols());
  const auto together = flow.adjoint(states, pull);
  Vector theta = Vector::Zero(p);
  for (Index r = 0; r < starts.cols(); ++r) {
    const Matrix alone = flow.states(starts.col(r));
    EXPECT_LE((alone - states.col(r)).norm(), rounding() * flow.maps().norm() * starts.norm());
    const auto pulled = flow.adjoint(alone, pull.col(r));
    theta += pulled.theta;
    EXPECT_LE((pulled.x0 - together.x0.col(r)).norm(),
              rounding() * flow.maps().norm() * pull.norm());
    EXPECT_LE((flow.jacobian(starts.col(r)) - derivatives.middleRows(r * p, p)).norm(),
              rounding() * derivatives.norm());
  }
  EXPECT_LE((theta - together.theta).norm(),
            rounding() * static_cast<double>(samples) * derivatives.norm() * pull.norm());
}

TEST_P(MagnusFlowOf, DerivativesAreCentralDifferences) {
  const Matrix found = flow.jacobian(starts);
  ASSERT_EQ(found.rows(), p * starts.cols());
  ASSERT_EQ(found.cols(), samples * n);
  // Extrapolated differences: h⁴/480 of the fifth derivative, which is d⁵ for a flow exp(θE) with
  // derivative d, and perhaps ten times that for functions of other kinds; rounding of the states
  // over h. With h = 1e-3/(1 + d) that is 1e-12/48 and 2000 roundings, of (1 + d) states.
  const double size = flow.states(starts).norm(), d = found.rowwise().norm().maxCoeff() / size;
  const double h = 1e-3 / (1 + d);
  const double allowed = (1e-12 / 48 + 2000 * rounding()) * (1 + d) * size;
  for (Index q = 0; q < p; ++q) {
    const auto central = [&](double step) -> Matrix {
      const Vector move = step * Vector::Unit(p, q);
      return (states_at(way.theta + move) - states_at(way.theta - move)) / (2 * step);
    };
    const Matrix numeric = (4 * central(h / 2) - central(h)) / 3;
    Matrix rows(starts.cols(), samples * n);  // as they stand in the result
    for (Index r = 0; r < starts.cols(); ++r)
      rows.row(r) = numeric.col(r).reshaped(n, samples).transpose().reshaped().transpose();
    for (Index r = 0; r < starts.cols(); ++r)
      EXPECT_LE((found.row(r * p + q) - rows.row(r)).norm(), allowed) << q << " " << r;
  }
}

TEST_P(MagnusFlowOf, AdjointIsTheTransposeOfTheDerivative) {
  const Matrix states = flow.states(starts), derivatives = flow.jacobian(starts);
  const Matrix pull = random.normals(states.rows(), states.cols());
  const auto [theta, by_start] = flow.adjoint(states, pull);
  Vector expected = Vector::Zero(p);
  for (Index r = 0; r < starts.cols(); ++r)
    expected +=
        derivatives.middleRows(r * p, p) * pull.col(r).reshaped(n, samples).transpose().reshaped();
  // Sums over samples, starts and states of terms with that rounding each.
  EXPECT_LE((theta - expected).norm(),
            rounding() * static_cast<double>(samples) * derivatives.norm() * pull.norm());
  const Matrix maps = flow.maps();
  EXPECT_LE((by_start - maps.transpose() * pull).norm(), rounding() * maps.norm() * pull.norm());
}

TEST_P(MagnusFlowOf, TangentIsTheJacobianTimesTheChange) {
  const Matrix derivatives = flow.jacobian(starts);
  const Vector delta = random.normals(p);
  const Matrix moved = flow.tangent(delta, starts);
  for (Index r = 0; r < starts.cols(); ++r) {
    const Vector expected = derivatives.middleRows(r * p, p).transpose() * delta;
    EXPECT_LE((moved.col(r).reshaped(n, samples).transpose().reshaped() - expected).norm(),
              rounding() * static_cast<double>(samples) * derivatives.norm() * delta.norm());
  }
  const Matrix pull = random.normals(samples * n, starts.cols());
  EXPECT_LE((flow.adjoint_x0(pull) - flow.maps().transpose() * pull).norm(),
            rounding() * flow.maps().norm() * pull.norm());
}

std::vector<Parameter> parameters() {
  std::vector<Parameter> all;
  for (const Index n : {1, 2, 3, 5}) {
    for (const MagnusScheme& scheme : magnus_schemes())
      for (const char* kind : {"Uneven", "Substeps", "Strong"})
        all.emplace_back(kind, scheme.name, n);
    all.emplace_back("Uneven", "mixed", n);
    all.emplace_back("Strong", "mixed", n);
  }
  return all;
}

std::string test_name(const ::testing::TestParamInfo<Parameter>& test) {
  const auto& [kind, method, n] = test.param;
  std::string name = kind + "_" + method + "_" + std::to_string(n);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Every, MagnusFlowOf, ::testing::ValuesIn(parameters()), test_name);

TEST(MagnusFlow, ExponentsOfNormThirtyAreCutIntoPieces) {
  const Way way = make_way("Strong", "2", 5);
  const Matrix a = way.structure->generator(way.theta, 0.95);  // the middle of the longest step
  EXPECT_NEAR(0.7 * norm1(a), 30, 3);
}

TEST(MagnusFlow, OfAConstantGeneratorIsItsExponential) {
  for (const Index n : {1, 2, 3, 5}) {
    Random random(50);
    const auto base = find_structure("full", n);
    const ModulatedStructure constant(
        base, harmonics(), std::vector<std::vector<Index>>(static_cast<std::size_t>(n * n), {0}));
    Vector theta(constant.parameters());
    theta << 1, 2, random.normals(n * n);
    const Matrix a = base->generator(theta.tail(n * n));
    const Vector x0 = random.normals(n), times = uneven_times();
    const Matrix expected = propagate(a, x0, times);
    // Four steps, each a series or an exponential that is good to n ε (1 + ‖A‖ h) of e^(‖A‖ h).
    const double path = 1.3 * norm1(a);
    const double allowed = 4 * 4 * static_cast<double>(n) * epsilon * (4 + path) * std::exp(path);
    for (const MagnusScheme& scheme : magnus_schemes()) {
      const MagnusPlan nodes(constant, even_grid(times, scheme));
      const Matrix states = MagnusFlow(nodes, theta).states(x0);
      EXPECT_LE((states - expected.reshaped()).norm(), allowed * x0.norm()) << scheme.name << n;
    }
    EXPECT_LE((propagate(constant, theta, x0, times) - expected).norm(), allowed * x0.norm());
  }
}

TEST(VaryingPropagate, MeetsItsTolerance) {
  const VaryingParametric law(ltv_oscillator_law());
  const Vector theta = law.constants().parameters(Vector{{1, 0.3, 0.5, 1}}), x0{{1, 0}};
  const Vector even = Vector::LinSpaced(21, 0, 10);
  const Vector uneven{{0, 0.01, 0.3, 2.3, 2.35, 5, 9.9, 10}};
  for (const Vector& times : {even, uneven}) {
    const Matrix exact = studies::runge_kutta(testing::paper_oscillator, x0, times);
    const auto intervals = static_cast<double>(times.size() - 1);
    for (const double tolerance : {1e-6, 1e-9, 1e-12})
      for (const char* method : {"4", "6"}) {
        const Matrix found =
            propagate(law, theta, x0, times, {.method = method, .tolerance = tolerance});
        // Each interval may add that much of its map, ‖Φ‖ ≤ √2 in this norm, and the energy ½‖x‖²
        // never grows; the rest is rounding of up to 512 steps of 20 terms each.
        EXPECT_LE((found - exact).colwise().norm().maxCoeff(),
                  intervals * std::sqrt(2) * tolerance + 512 * epsilon)
            << method << " " << tolerance << " " << intervals;
      }
  }
}

TEST(VaryingPropagate, TakesAllStepsThatItMayBeforeItMissesItsTolerance) {
  // d₁ = max(sin t, 0) has a corner in each of these intervals, where every method is of second order
  // only. The error of the coarser of two maps is their difference, or 4/3 of it at that order.
  const ModulatedStructure sd(find_structure("sd", 2), std::make_shared<Harmonics>(1));
  const Vector theta{{1, /* s */ 1, 0, 0, /* d1 */ 0, 0, 1, /* d2 */ 0.3, 0, 0}};
  const auto a = [&](double t) { return sd.generator(theta, t); };
  for (const int corner : {1, 2, 3})
    for (const char* method : {"4", "6"})
      for (const double tolerance : {1e-6, 1e-9}) {
        const Vector times{{3.0 * corner, 3.0 * corner + 1}};
        const Vector parts{{times[0], corner * std::numbers::pi, times[1]}};
        Matrix exact(2, 2);
        for (Index i = 0; i < 2; ++i)
          exact.col(i) = studies::runge_kutta(a, Vector::Unit(2, i), parts).col(2);
        const MagnusOptions options{.method = method, .tolerance = tolerance};
        const MagnusPlan nodes(sd, plan_grid(sd, theta, times, options));
        const Matrix map = MagnusFlow(nodes, theta).maps().bottomRows(2);
        const auto steps = static_cast<Index>(nodes.grid()->steps.size());
        const double error = (map - exact).norm() / exact.norm();
        EXPECT_TRUE(steps >= options.most_substeps || error <= 4 * tolerance / 3)
            << error << " with " << steps << " steps of " << method << " from " << times[0]
            << ", tolerance " << tolerance;
      }
}

TEST(VaryingPropagate, RefusesAnUnknownMethod) {
  const VaryingParametric law(ltv_oscillator_law());
  EXPECT_THROW(propagate(law, Vector::Ones(4), Vector::Ones(2), uneven_times(), {.method = "5"}),
               Error);
}

TEST(VaryingPropagate, RefusesAGeneratorThatIsNotFinite) {
  const VaryingParametric law(ltv_oscillator_law());
  const Vector theta{{1, std::nan(""), 0, 1}};
  EXPECT_THROW(propagate(law, theta, Vector::Ones(2), uneven_times()), Error);
}

}  // namespace
}  // namespace lgn
