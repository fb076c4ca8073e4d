#include "lgn/identify/likelihood/modal_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/median.h"
#include "lgn/core/stop.h"
#include "lgn/core/thin_qr.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/metric.h"
#include "lgn/dynamics/structural_systems.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify/estimate.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/regression/step_map_start.h"
#include "lgn/physics/assignment.h"
#include "lgn/physics/uncertainty.h"

namespace lgn {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double unbounded = -std::numeric_limits<double>::infinity();

/// Two pairs and a real pole, in coordinates that mix them.
System mixed_system() {
  Matrix a = Matrix::Zero(5, 5);
  a.block(0, 0, 2, 2) << -0.1, 1.5, -1.5, -0.1;
  a.block(2, 2, 2, 2) << -0.05, 2.7, -2.7, -0.05;
  a(4, 4) = -0.4;
  Random random(5);
  const Matrix turn = Matrix::Identity(5, 5) + 0.3 * random.normals(5, 5);
  return {"full", {"a", "b", "c", "d", "e"}, turn * a * turn.inverse(), {}, {}, false};
}

ModeGuess modes_of(const Matrix& a) {
  const Eigensystem system = eigensystem(a);
  return {system.values, system.right};
}

double mean_pole_error(const Matrix& found, const Matrix& truth) {
  return match_eigenvalues(eigenvalues(truth), eigenvalues(found)).distance.mean();
}

TEST(ThinQr, IsAFactorisationWithOrthonormalColumns) {
  Random random(2);
  const Matrix a = random.normals(70, 20);
  const auto [q, r] = thin_qr(a);
  // Reflections round each entry a few times per column.
  EXPECT_LE((q * r - a).norm(), 20 * 20 * kEpsilon * a.norm());
  EXPECT_LE((q.transpose() * q - Matrix::Identity(20, 20)).norm(), 20 * 20 * kEpsilon);
  EXPECT_TRUE(r.isUpperTriangular(0));
  EXPECT_THROW(thin_qr(Matrix::Ones(2, 3)), Error);
}

TEST(ModalProblem, IsZeroAtTheTruthAndGivesItBack) {
  const System system = mixed_system();
  const Dataset data = sample_runs(system, {.runs = 3, .end = 12, .step = 0.2});
  const ModalProblem problem(data, Vector::Ones(5), false, modes_of(system.a), unbounded);
  EXPECT_EQ(problem.modes(), 5);
  EXPECT_EQ(problem.unknowns(), 5 * 3);
  const auto profile = problem.profile(problem.start());
  // 60 samples of each run, each rounded by the exponential's few ε times the condition of the modes, below 100.
  const double rounding = 60 * 100 * kEpsilon;
  EXPECT_LE(std::sqrt(profile->cost / problem.power()), rounding);
  const auto found = problem.system(*profile);
  EXPECT_LE((found.generator - system.a).norm(), 100 * rounding * system.a.norm());
  for (Index r = 0; r < 3; ++r)
    EXPECT_LE(
        (found.initial_states.col(r) - data.runs()[static_cast<std::size_t>(r)].states().col(0))
            .norm(),
        100 * rounding * found.initial_states.norm());
}

TEST(ModalProblem, HasTheSlopesOfItsCost) {
  const System system = mixed_system();
  const Dataset data = sample_runs(system, {.runs = 3, .end = 8, .step = 0.2, .noise = 0.1});
  const Vector noise{{0.5, 1, 2, 1, 0.3}};
  for (const bool offset : {false, true}) {
    const ModalProblem problem(data, noise, offset, modes_of(0.9 * system.a), unbounded);
    const Vector x = problem.start();
    const auto [gradient, information] = problem.linearise(*problem.profile(x));
    EXPECT_LE((information - information.transpose()).norm(), 1e-12 * information.norm());
    for (Index k = 0; k < x.size(); ++k) {
      // Central differences with a step of ε^(1/3) err by ε^(2/3), 4e-11, of third derivatives, which are T³ = 512 times the
      // cost at most, and by ε/ε^(1/3) of the cost itself.
      const double h = std::cbrt(kEpsilon);
      const double slope = (problem.profile(x + h * Vector::Unit(x.size(), k))->cost -
                            problem.profile(x - h * Vector::Unit(x.size(), k))->cost) /
                           (2 * h);
      EXPECT_NEAR(2 * gradient[k], slope, 1e-7 * problem.power()) << k << offset;
    }
  }
}

// Residuals of exact data are P⊥(samples): at the truth their Jacobian is what the Gauss–Newton matrix is made of.
TEST(ModalProblem, HasTheGaussNewtonMatrixOfItsResiduals) {
  const System system = mixed_system();
  const Dataset data = sample_runs(system, {.runs = 2, .end = 8, .step = 0.2});
  const ModalProblem problem(data, Vector::Ones(5), false, modes_of(system.a), unbounded);
  const Vector x = problem.start();
  const Matrix information = problem.linearise(*problem.profile(x)).information;
  const double h = std::cbrt(kEpsilon);
  Matrix jacobian(problem.samples() * 5, x.size());
  for (Index k = 0; k < x.size(); ++k)
    jacobian.col(k) = (problem.profile(x + h * Vector::Unit(x.size(), k))->residuals -
                       problem.profile(x - h * Vector::Unit(x.size(), k))->residuals)
                          .reshaped() /
                      (2 * h);
  // Differences err by h² times third derivatives, T² = 64 times the first at most.
  EXPECT_LE((jacobian.transpose() * jacobian - information).norm(), 1e-7 * information.norm());
}

TEST(ModalSearch, FindsWhatTheLikelihoodOfAllEntriesFinds) {
  const System system = mixed_system();
  const Dataset data = sample_runs(system, {.runs = 3, .end = 20, .step = 0.2, .noise = 0.05});
  const Vector sizes = channel_amplitudes(data);
  const auto modal = modal_search(data, {modes_of(0.97 * system.a)}, sizes, false, {});
  ASSERT_TRUE(modal);
  EXPECT_TRUE(modal->converged);
  const Fit entries = maximum_likelihood(data, std::make_shared<const FullStructure>(5),
                                         {.theta = {Vector(system.a.reshaped())}});
  // Both under the noise of the second.
  const FullStructure full(5);
  const Problem problem(data, full, entries.noise);
  const double found = problem.profile(modal->theta)->cost,
               best = problem.profile(entries.theta)->cost;
  // The search may end where 1e-3 of its 15 unknowns would move by a standard error: a fall of 0.015.
  EXPECT_NEAR(found, best, 0.02);
  EXPECT_LE((modal->noise - entries.noise).cwiseAbs().maxCoeff(), 1e-2 * entries.noise.maxCoeff());
}

TEST(ModalSearch, KeepsModesFromGrowingWhereThatIsAsked) {
  // A pair without decay: noise makes every other estimate of it grow.
  Matrix a = Matrix::Zero(2, 2);
  a << 0, 1, -1, 0;
  const System system{"full", {"a", "b"}, a, {}, {}, false};
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    const Dataset data =
        sample_runs(system, {.runs = 2, .end = 20, .step = 0.2, .noise = 0.1, .seed = seed});
    const auto found = modal_search(data, {modes_of(a)}, channel_amplitudes(data), true, {});
    ASSERT_TRUE(found);
    EXPECT_LT(eigenvalues(found->generator()).real().maxCoeff(), 0);
  }
}

TEST(ModalSearch, NeedsCompleteSamplesAndFewRuns) {
  const System system = mixed_system();
  const Dataset data = sample_runs(system, {.runs = 2, .end = 8, .step = 0.2});
  EXPECT_TRUE(suits_modal_search(data, {}));
  EXPECT_FALSE(suits_modal_search(data, {.estimate_initial_states = false}));
  EXPECT_FALSE(suits_modal_search(data, {.loss = Loss::huber}));
  Matrix states = data.runs()[0].states();
  states(1, 3) = std::nan("");
  const Dataset gap = data.with_runs({Trajectory("1", data.runs()[0].times(), states)});
  EXPECT_FALSE(suits_modal_search(gap, {}));
  EXPECT_THROW(ModalProblem(gap, Vector::Ones(5), false, modes_of(system.a), unbounded), Error);
  EXPECT_FALSE(modal_search(data, {}, Vector::Ones(5), false, {}));
}

/// A mast of 48 states under 1% of noise: three runs of 300 samples.
Dataset mast(const System& system, double noise) {
  return sample_runs(system, {.runs = 3, .end = 30, .step = 0.1, .noise = noise, .seed = 4});
}

System mast_system() {
  Random random(4);
  return truss(48, 3, 0.01, random);
}

/// log(μ)/h of the map of least ‖Φ X_k − X_(k+1)‖ on a grid of h = 0.1: dynamic mode decomposition.
ComplexVector step_map_poles(const Dataset& data) {
  const Index n = data.dimension(), pairs = data.runs()[0].samples() - 1;
  Matrix now(0, n), next(0, n);
  for (const auto& run : data.runs()) {
    now.conservativeResize(now.rows() + pairs, n);
    next.conservativeResize(next.rows() + pairs, n);
    now.bottomRows(pairs) = run.states().leftCols(pairs).transpose();
    next.bottomRows(pairs) = run.states().rightCols(pairs).transpose();
  }
  return eigenvalues(solve_minimum_norm(now, next)).array().log() / 0.1;
}

TEST(ModalSearch, ReachesTheBoundForManyStates) {
  const System system = mast_system();
  const Dataset data = mast(system, 0.01);
  const Fit found = estimate(data, std::make_shared<const FullStructure>(48));
  EXPECT_TRUE(found.converged);
  // Of the eigenvalues of the least-squares step map: a tenth is asked.
  const Vector by_step_map =
      match_eigenvalues(eigenvalues(system.a), step_map_poles(data)).distance;
  EXPECT_LE(10 * mean_pole_error(found.generator(), system.a), by_step_map.mean());
  // Squared errors over the covariances that the Cramér–Rao bound predicts: χ² of 48 degrees of freedom, mean 1, standard
  // deviation √(2/48) = 0.2. Pairs count once.
  const Dataset exact = mast(system, 0);
  Matrix starts(48, 3);
  for (Index r = 0; r < 3; ++r)
    starts.col(r) = exact.runs()[static_cast<std::size_t>(r)].states().col(0);
  const PoleCovariances bound =
      pole_covariances_of_modes(system.a, starts, data, 0.01 * channel_amplitudes(exact));
  const ComplexVector truth = eigenvalues(system.a);
  const auto matched = match_eigenvalues(truth, eigenvalues(found.generator()));
  double squares = 0, expected = 0;
  for (Index k = 0; k < 48; ++k) {
    squares +=
        matched.distance[k] * matched.distance[k] / bound[static_cast<std::size_t>(k)].trace();
    expected += 1;
  }
  EXPECT_LE(squares / expected, 1 + 5 * 0.2);
}

TEST(ModalSearch, LeavesRoundingOfExactDataSlow) {
  const System system = mast_system();
  const Fit found = estimate(mast(system, 0), std::make_shared<const FullStructure>(48));
  // Times have fourteen digits; singular values of the samples span 1e3, those of the modes 1e2.
  EXPECT_LE(mean_pole_error(found.generator(), system.a), 1e-9);
}

TEST(ModalSearch, KeepsTheDigitsOfSlowModesSlow) {
  // Modes of a beam are as slow as 1/400 of the fastest, so that every energy of it is nearly singular.
  const System system = beam(80, 3, 0.01);
  const Dataset data =
      sample_runs(system, {.runs = 4, .end = 30, .step = 0.1, .noise = 0, .seed = 1});
  FitOptions options;
  options.structure = "auto";
  const Fit found = estimate(data, std::make_shared<const MetricStructure>(80), options);
  const Vector errors =
      match_eigenvalues(eigenvalues(system.a), eigenvalues(found.generator())).distance;
  const Vector by_step_map =
      match_eigenvalues(eigenvalues(system.a), step_map_poles(data)).distance;
  // Both are rounding: that of the step map with its own conditioning.
  EXPECT_LE(median({errors.begin(), errors.end()}),
            10 * median({by_step_map.begin(), by_step_map.end()}));
}

TEST(ModalSearch, ModesThatLeaveNothingNeedNotShowInAllDirections) {
  // Sixty modes in eighty channels, which have no noise to tell how many there are.
  const System system = beam(60, 3, 0.01);
  System seen = system;
  Random random(3);
  seen.c = random.normals(80, 60);
  seen.common_unit = false;
  seen.channels.clear();
  for (int k = 0; k < 80; ++k) seen.channels.push_back("y" + std::to_string(k));
  const Dataset data =
      sample_runs(seen, {.runs = 4, .end = 30, .step = 0.1, .noise = 0, .seed = 1});
  const std::optional<StepMapModes> shown = step_map_modes(data);
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->poles.size(), 60);
  EXPECT_TRUE(explained_by_modes(data, {shown->poles, shown->shapes}));
  // Without the fastest pair much is left.
  EXPECT_FALSE(explained_by_modes(data, {shown->poles.tail(58), shown->shapes.rightCols(58)}));
}

TEST(ModalSearch, EndsWhenItIsAskedTo) {
  const Dataset data = mast(mast_system(), 0.01);
  FitOptions options;
  int steps = 0;
  options.observe = [&](const FitProgress&) { return ++steps < 1; };
  const Fit found = estimate(data, std::make_shared<const FullStructure>(48), options);
  EXPECT_TRUE(found.stopped);
  EXPECT_FALSE(found.converged);
  EXPECT_TRUE(found.theta.allFinite());
}

TEST(StepMapModes, LeaveDirectionsWithoutSignalAlone) {
  // Ten channels that show six states.
  Random random(8);
  const System six = ladder(Vector::Constant(3, 0.1), Vector::Ones(3), Vector::Ones(3));
  System seen = six;
  seen.c = random.normals(10, 6);
  seen.common_unit = false;
  seen.channels.clear();
  for (int k = 0; k < 10; ++k) seen.channels.push_back("c" + std::to_string(k));
  const Dataset data =
      sample_runs(seen, {.runs = 2, .end = 30, .step = 0.1, .noise = 0.01, .seed = 3});
  const auto modes = step_map_modes(data);
  ASSERT_TRUE(modes);
  EXPECT_EQ(modes->poles.size(), 6);
  const auto found =
      modal_search(data, {{modes->poles, modes->shapes}}, channel_amplitudes(data), true, {});
  ASSERT_TRUE(found);
  // Of ten poles six are the ladder's, known to about noise/√samples · rate: 1e-3; others are not seen and fast.
  const ComplexVector poles = eigenvalues(found->generator());
  for (const Complex pole : eigenvalues(six.a))
    EXPECT_LE((poles.array() - pole).abs().minCoeff(), 5e-3);
}

}  // namespace
}  // namespace lgn
