#include "lgn/identify/driven/innovation_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/modal.h"
#include "lgn/flow/excitation.h"
#include "lgn/flow/exponential.h"
#include "lgn/flow/forced_response.h"
#include "lgn/identify.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/model/model_file.h"

namespace lgn::testing {
namespace {

constexpr double step = 0.2;

/// Two modes in two channels.
ModalSystem system_of_two() {
  ModalSystem system{std::make_shared<ModalStructure>(4, 2, std::vector<Index>{0, 1}), {}};
  system.theta.resize(system.structure->parameters());
  system.theta << 1.0, 0.15, 2.3, 0.3, 0.6, 0.2, -0.5, 0.1;
  return system;
}

/// A fit of that system with K, inputs, offset and feedthrough, all at random.
Fit some_fit(Random& random, double gain, Index runs) {
  const ModalSystem system = system_of_two();
  Fit fit;
  fit.structure = system.structure;
  fit.theta = system.theta + 0.02 * random.normals(system.theta.size());
  fit.method = "mle";
  fit.initial_states = random.normals(4, runs);
  fit.offset = random.normals(2);
  fit.drive = {{Hold::foh, 0.07}, random.normals(4, 1), random.normals(2, 1)};
  fit.innovation = {gain * random.normals(4, 2), Matrix::Identity(2, 2), step};
  return fit;
}

Dataset some_data(Random& random, Index runs, Index samples, double missing = 0) {
  std::vector<Trajectory> all;
  for (Index r = 0; r < runs; ++r) {
    const Vector times = Vector::LinSpaced(samples, 0, step * static_cast<double>(samples - 1));
    Matrix y = random.normals(2, samples);
    for (double& value : y.reshaped())
      if (random.uniform() < missing) value = std::nan("");
    all.emplace_back(std::to_string(r), times, y, random.normals(1, samples));
  }
  return Dataset({"a", "b"}, all, {"u"});
}

/// One channel of two modes under steps, with forces on the states of this size that nobody measured, and white noise.
Dataset shaken(std::uint64_t seed, Index samples, double force, double noise) {
  Random random(seed);
  const ModalSystem system{std::make_shared<ModalStructure>(4, 1, std::vector<Index>{0, 0}),
                           (Vector(4) << 1.0, 0.15, 2.3, 0.3).finished()};
  const Matrix a = system.structure->generator(system.theta);
  const Vector times = Vector::LinSpaced(samples, 0, step * static_cast<double>(samples - 1));
  const Matrix u = excitation("steps", times, random).transpose();
  Matrix x = forced_states(a, Vector::Zero(4), (Vector(4) << 0, 1, 0, 0.7).finished(),
                           input_course(times, u, {}));
  const Matrix phi = exponential(step * a);
  Vector extra = Vector::Zero(4);
  for (Index k = 0; k < samples; ++k) {
    x.col(k) += extra;
    extra = phi * extra + force * random.normals(4);
  }
  const Matrix y = (system.structure->observation(system.theta).matrix() * x +
                    noise * random.normals(1, samples))
                       .array() +
                   0.4;
  return Dataset({"y"}, {Trajectory("1", times, y, u)}, {"u"});
}

FitOptions four_states(NoiseModel noise) {
  FitOptions options;
  options.states = States::given;
  options.state_count = 4;
  options.hold = InputHold::zoh;
  options.feedthrough = Feedthrough::no;
  options.noise_model = noise;
  return options;
}

TEST(PredictionErrors, WithoutGainAreTheResidualsOfASimulation) {
  Random random(1);
  const Dataset data = some_data(random, 2, 60, 0.03);
  Fit fit = some_fit(random, 0, 2);
  fit.innovation = {};
  const PredictionErrors problem(data, fit, step);
  const auto errors = problem.errors(problem.unknowns_of(fit));
  for (Index r = 0; r < 2; ++r) {
    const Trajectory& run = data.runs()[static_cast<std::size_t>(r)];
    const Matrix simulated =
        run.states() - fit.propagate(fit.initial_states.col(r), run.times(), run.inputs());
    const Matrix& found = errors[static_cast<std::size_t>(r)];
    EXPECT_TRUE((found.array().isNaN() == simulated.array().isNaN()).all());
    const Matrix apart = found.array().isNaN().select(0.0, found - simulated);
    // Sums of a few hundred products of numbers of order one.
    EXPECT_LE(apart.norm(), 1e-11);
  }
  // The likelihood of white noise, whose weights are those of the channels.
  const Matrix weight = Vector(Vector::Ones(2)).asDiagonal();
  const ProblemOptions how{.inputs = fit.drive.timing};
  Fit complete = fit;
  const Dataset whole = some_data(random, 1, 60);
  complete.initial_states = fit.initial_states.leftCols(1);
  const PredictionErrors all(whole, complete, step);
  double squares = 0;
  for (const Matrix& e : all.errors(all.unknowns_of(complete))) squares += e.squaredNorm();
  EXPECT_NEAR(all.cost(all.unknowns_of(complete), weight), squares, 1e-12 * squares);
}

TEST(PredictionErrors, LinearPartIsTheBestOfTheOutputErrorLikelihood) {
  Random random(2);
  const Dataset data = some_data(random, 1, 80);
  Fit fit = some_fit(random, 0, 1);
  fit.innovation = {};
  const PredictionErrors problem(data, fit, step);
  const Vector best = problem.with_best_linear(problem.unknowns_of(fit), Matrix::Identity(2, 2));
  const Problem white(data, *fit.structure, Vector::Ones(2),
                      {.estimate_offset = true, .inputs = fit.drive.timing, .feedthrough = true});
  // Both solve the same least squares, one by its normal equations.
  const double expected = white.profile(fit.theta)->cost;
  EXPECT_NEAR(problem.cost(best, Matrix::Identity(2, 2)), expected, 1e-9 * expected);
}

TEST(PredictionErrors, DerivativesAreThoseOfCentralDifferences) {
  Random random(3);
  for (const double missing : {0.0, 0.05}) {
    const Dataset data = some_data(random, 2, 40, missing);
    Fit fit = some_fit(random, 0.05, 2);
    // A small multiple of Cᵀ corrects every mode towards the sample.
    fit.innovation.k = 0.1 * fit.structure->observation(fit.theta).matrix().transpose() +
                       0.01 * random.normals(4, 2);
    const PredictionErrors problem(data, fit, step);
    const Vector psi = problem.unknowns_of(fit);
    ASSERT_TRUE(problem.stable(psi));
    const Matrix weight = (Matrix(2, 2) << 1.3, 0, -0.4, 0.8).finished();
    const auto normal = problem.linearise(psi, weight);
    const double cost = problem.cost(psi, weight);
    for (Index q = 0; q < psi.size(); ++q) {
      // The error of a central difference: h² and ε/h of what is differenced.
      const double h = 1e-5 * std::max(1.0, std::abs(psi[q]));
      Vector up = psi, down = psi;
      up[q] += h;
      down[q] -= h;
      const double slope = (problem.cost(up, weight) - problem.cost(down, weight)) / (2 * h);
      EXPECT_NEAR(2 * normal.gradient[q], slope, 1e-7 * (cost + std::abs(slope))) << q;
    }
    EXPECT_LE((normal.information - normal.information.transpose()).norm(), 0);
    EXPECT_GE(symmetric_eigenvalues(normal.information).minCoeff(),
              -1e-12 * normal.information.norm());
  }
}

TEST(PredictionErrors, CostIsFiniteWhereThePredictorIsStableAlone) {
  Random random(4);
  const Dataset data = some_data(random, 1, 30);
  int stable = 0, unstable = 0;
  for (int k = 0; k < 200; ++k) {
    const Fit fit = some_fit(random, 0.002 * k, 1);
    const PredictionErrors problem(data, fit, step);
    const Vector psi = problem.unknowns_of(fit);
    const Matrix c = fit.structure->observation(fit.theta).matrix();
    const double radius = eigenvalues(exponential(step * fit.generator()) - fit.innovation.k * c)
                              .cwiseAbs()
                              .maxCoeff();
    EXPECT_EQ(std::isfinite(problem.cost(psi, Matrix::Identity(2, 2))), radius <= 1 - 1e-9);
    (radius < 1 ? stable : unstable) += 1;
  }
  EXPECT_GT(stable, 10);
  EXPECT_GT(unstable, 10);
}

TEST(InnovationFit, FindsPolesAndKWhereForcesAreUnknown) {
  const Dataset data = shaken(5, 1200, 0.1, 0.02);
  const Model model = identify(data, four_states(NoiseModel::innovation));
  ASSERT_TRUE(model.innovation.active());
  const Matrix predictor = exponential(step * model.a) - model.innovation.k * model.c;
  EXPECT_LT(eigenvalues(predictor).cwiseAbs().maxCoeff(), 1);
  const ModalPoles truth = modal_poles(*system_of_two().structure, system_of_two().theta);
  for (const Mode& mode : model.modes) {
    ASSERT_TRUE(mode.se);
    const double distance = (truth.poles.array() - mode.pole).abs().minCoeff();
    EXPECT_LE(distance, 4 * std::hypot(mode.se->re, mode.se->im));
  }
  ASSERT_EQ(model.k_errors.size(), 4);
  // The whitest: what is left of the next sample is noise.
  for (const auto& warning : model.warnings) EXPECT_NE(warning.code, "poor-fit");
}

TEST(InnovationFit, EndsWhereTheLikelihoodOfAllChannelsIsLargest) {
  Random random(11);
  // Two channels whose noise is correlated, so that its covariance decides how they count.
  Fit truth = some_fit(random, 0, 1);
  truth.innovation.k = 0.2 * truth.structure->observation(truth.theta).matrix().transpose();
  const Index samples = 400;
  Dataset data = some_data(random, 1, samples);
  const Trajectory& run = data.runs()[0];
  Matrix e = 0.05 * random.normals(2, samples);
  e.row(1) += 0.8 * e.row(0);
  const Matrix phi = exponential(step * truth.generator());
  const Matrix c = truth.structure->observation(truth.theta).matrix();
  Matrix y = truth.propagate(truth.initial_states.col(0), run.times(), run.inputs());
  Vector z = Vector::Zero(4);
  for (Index k = 0; k < samples; ++k) {
    y.col(k) += c * z + e.col(k);
    z = (phi * z + truth.innovation.k * e.col(k)).eval();
  }
  data = Dataset({"a", "b"}, {Trajectory("1", run.times(), y, run.inputs())}, {"u"});
  const auto fit = fit_innovation(data, {truth}, step, four_states(NoiseModel::innovation));
  ASSERT_TRUE(fit && fit->converged);
  const PredictionErrors problem(data, *fit, step);
  const Vector psi = problem.unknowns_of(*fit);
  const Matrix s = problem.covariance(problem.errors(psi));
  const Matrix weight = solve_lower(cholesky(s), Matrix::Identity(2, 2));
  const auto normal = problem.linearise(psi, weight);
  // No unknown would move by more than a hundredth of its standard error: 1e-4 was asked for.
  EXPECT_LE(normal.gradient.dot(solve_semidefinite(normal.information, normal.gradient)), 1e-4);
  EXPECT_GT(std::abs(s(0, 1)) / std::sqrt(s(0, 0) * s(1, 1)), 0.4);
}

TEST(InnovationFit, IsChosenWhereResidualsAskForIt) {
  const Model coloured = identify(shaken(6, 800, 0.1, 0.02), four_states(NoiseModel::automatic));
  EXPECT_TRUE(coloured.innovation.active());
  const Model white = identify(shaken(6, 800, 0, 0.1), four_states(NoiseModel::automatic));
  EXPECT_FALSE(white.innovation.active());
  const Model told = identify(shaken(6, 800, 0.1, 0.02), four_states(NoiseModel::output));
  EXPECT_FALSE(told.innovation.active());
}

TEST(InnovationFit, FindsOrderHoldAndFeedthroughWhereForcesAreUnknown) {
  for (const std::uint64_t seed : {3U, 4U}) {
    const Model model = identify(shaken(seed, 600, 0.1, 0.02), FitOptions{});
    EXPECT_TRUE(model.innovation.active());
    EXPECT_EQ(model.dimension(), 4);
    EXPECT_EQ(model.drive.timing.hold, Hold::zoh);
    EXPECT_EQ(model.drive.d.size(), 0);
  }
}

TEST(InnovationFit, GivesNoGainToModesThatNoiseDoesNotMove) {
  const Dataset still = shaken(9, 600, 0, 0.01);
  const Trajectory& run = still.runs().front();
  Random random(10);
  Matrix y = run.states();
  double slow = 0;
  for (Index k = 0; k < y.cols(); ++k) {
    slow = 0.9 * slow + 0.1 * random.normal();
    y(0, k) += slow;
  }
  const Dataset data({"y"}, {Trajectory("1", run.times(), y, run.inputs())}, {"u"});
  FitOptions options = four_states(NoiseModel::innovation);
  options.state_count = 5;
  const Model model = identify(data, options);
  // The noise has a state of its own, with a gain; both modes have none, and nothing is uncertain about that.
  EXPECT_EQ((model.innovation.k.array() == 0).count(), 4);
  EXPECT_EQ((model.k_errors.array() == 0).count(), 4);
  EXPECT_GT(model.k_errors.maxCoeff(), 0);
}

TEST(InnovationFit, SurvivesItsFile) {
  const Model model = identify(shaken(7, 300, 0.1, 0.02), four_states(NoiseModel::innovation));
  const Model read = model_from_json(model_to_json(model), "model");
  EXPECT_EQ(read.innovation.k, model.innovation.k);
  EXPECT_EQ(read.innovation.covariance, model.innovation.covariance);
  EXPECT_EQ(read.innovation.step, model.innovation.step);
  EXPECT_EQ(read.k_errors, model.k_errors);
  Model wild = model;
  wild.innovation.k *= -1e3;
  EXPECT_THROW(model_from_json(model_to_json(wild), "model"), Error);
}

TEST(InnovationFit, RefusesWhatItCannotBe) {
  const Dataset data = shaken(8, 100, 0.1, 0.02);
  const Trajectory& run = data.runs().front();
  Vector uneven = run.times();
  uneven[50] += 0.05;
  const Dataset moved(data.channels(), {Trajectory("1", uneven, run.states(), run.inputs())},
                      data.inputs());
  EXPECT_THROW(identify(moved, four_states(NoiseModel::innovation)), Error);
  FitOptions robust = four_states(NoiseModel::innovation);
  robust.loss = Loss::huber;
  EXPECT_THROW(identify(data, robust), Error);
  const Dataset free({"y"}, {Trajectory("1", run.times(), run.states())});
  EXPECT_THROW(identify(free, four_states(NoiseModel::innovation)), Error);
}

}  // namespace
}  // namespace lgn::testing
