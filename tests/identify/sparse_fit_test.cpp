#include "lgn/identify/sparse/sparse_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/dynamics/network_pattern.h"
#include "lgn/dynamics/network_systems.h"
#include "lgn/flow/sample_network.h"
#include "lgn/identify.h"
#include "lgn/identify/sparse/engine.h"
#include "lgn/model/model_file.h"
#include "lgn/model/some_modes.h"

namespace lgn {
namespace {

const NetworkRecipe circuit{Topology::rlc_grid, 7, 0, 5, 0.2, 3};

/// Two runs of a circuit of 133 states, the second shorter, with missing cells.
Dataset circuit_data(const NetworkSystem& network, double noise) {
  const Dataset data =
      sample_network(network, {.runs = 2, .end = 12, .step = 0.1, .noise = noise, .seed = 2});
  Random random(4);
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs()) {
    const Index samples = run.samples() - (runs.empty() ? 0 : 30);
    Matrix states = run.states().leftCols(samples);
    for (Index k = 0; k < states.size(); ++k)
      if (random.uniform() < 0.02) states.data()[k] = std::numeric_limits<double>::quiet_NaN();
    runs.emplace_back(run.label(), run.times().head(samples), std::move(states));
  }
  return Dataset(data.channels(), std::move(runs));
}

FitOptions options_for(const NetworkSystem& network) {
  FitOptions options;
  options.structure = "network";
  options.network.rules.pattern = network.wiring;
  options.network.kinds = guess_kinds(network.system.channels);
  return options;
}

Vector parameter(const NetworkSystem& network, const std::string& name) {
  for (const auto& named : network.system.parameters)
    if (named.name == name) return named.value.col(0);
  throw Error("no parameter " + name);
}

TEST(SparseProblem, GradientIsTheSlopeOfTheMisfit) {
  const NetworkSystem network = network_system(circuit);
  const Dataset data = circuit_data(network, 0.01);
  FitOptions options = options_for(network);
  const SparseStart start = start_on_topology(data, false, options.network, 1.6);
  WorkerThreads threads(1);
  const SparseProblem problem(
      data, std::make_shared<OrderedPattern>(std::make_shared<NetworkPattern>(*start.structure)),
      true, threads);
  const Vector noise = Vector::Constant(data.dimension(), 0.01);
  Random random(5);
  Vector here = problem.start(start.theta);
  // Away from bounds, where elements are smooth.
  here.head(start.theta.size()) = here.head(start.theta.size()).cwiseAbs().array() + 0.05;
  here.tail(data.dimension()).setConstant(0.01);
  const auto misfit = problem.misfit(here, noise);
  EXPECT_NEAR(misfit.value, problem.value(here, noise), 1e-12 * misfit.value);
  const Vector along = random.normals(here.size());
  const double h = 1e-4;
  const double slope =
      (8 * (problem.value(here + h * along, noise) - problem.value(here - h * along, noise)) -
       (problem.value(here + 2 * h * along, noise) - problem.value(here - 2 * h * along, noise))) /
      (12 * h);
  // Differences of fourth order: h⁴ of the slope, and rounding of the values by h.
  EXPECT_NEAR(misfit.gradient.dot(along), slope, 1e-8 * std::abs(slope) + 1e-13 * misfit.value / h);
}

TEST(SparseFit, ReachesTheMinimumThatTheDataAllow) {
  const NetworkSystem network = network_system(circuit);
  const Dataset data = circuit_data(network, 0.01);
  const FitOptions options = options_for(network);
  const SparseFit fit = fit_on_topology(data, false, options);
  EXPECT_TRUE(fit.converged);
  EXPECT_FALSE(fit.stopped);
  // The truth in the structure that was found.
  const NetworkStructure& structure = *fit.structure;
  const Vector storage = parameter(network, "storage"), d = parameter(network, "d");
  Vector theta = Vector::Zero(structure.parameters());
  for (std::size_t e = 0; e < structure.elements().size(); ++e)
    if (const Index k = structure.parameter_of_element(e); k != NetworkStructure::fixed)
      theta[k] = d[structure.elements()[e].from];
  for (Index i = 0; i < storage.size(); ++i)
    theta[structure.parameter_of_storage(static_cast<std::size_t>(i))] = std::log(storage[i]);
  WorkerThreads threads(1);
  const SparseProblem problem(
      data, std::make_shared<OrderedPattern>(std::make_shared<NetworkPattern>(structure)), false,
      threads);
  const Dataset clean =
      sample_network(network, {.runs = 2, .end = 12, .step = 0.1, .noise = 0, .seed = 2});
  Vector truth(problem.unknowns()), found(problem.unknowns());
  truth << theta, clean.runs()[0].states().col(0), clean.runs()[1].states().col(0);
  found << fit.theta, fit.initial_states.reshaped();
  // Twice the fall of the misfit below that of the truth is χ² of as many degrees of freedom as there are unknowns, less
  // what is at a bound; σ is estimated, with 190 samples in each channel, to 5%.
  const double fall = 2 * (problem.value(truth, fit.noise) - problem.value(found, fit.noise));
  const auto unknowns = static_cast<double>(problem.unknowns());
  EXPECT_GT(fall, unknowns * (1 - 5 * std::sqrt(2 / unknowns)));
  EXPECT_LT(fall, unknowns * (1.1 + 5 * std::sqrt(2 / unknowns)));
  // Errors of log m are as large as was said: probes are good to a third of each.
  double sum = 0;
  for (Index i = 0; i < storage.size(); ++i) {
    const Index k = structure.parameter_of_storage(static_cast<std::size_t>(i));
    ASSERT_GT(fit.theta_errors[k], 0);
    sum += std::pow((fit.theta[k] - theta[k]) / fit.theta_errors[k], 2);
  }
  const double ratio = std::sqrt(sum / static_cast<double>(storage.size()));
  EXPECT_GT(ratio, 0.67);
  EXPECT_LT(ratio, 1.5);
}

TEST(SparseFit, OfExactDataIsExact) {
  const NetworkSystem network = network_system({Topology::tree, 60, 0, 3, 0.2, 5});
  FitOptions options = options_for(network);
  options.errors = Errors::never;
  const SparseFit fit =
      fit_on_topology(sample_network(network, {.runs = 2, .end = 8, .step = 0.1}), false, options);
  const Matrix a = fit.structure->generator(fit.theta);
  // A minimum to a hundredth of what a noise of 1e-10 of the signal would explain.
  EXPECT_LE((a - network.system.a).norm(), 1e-6 * network.system.a.norm());
}

TEST(SparseFit, TheModelIsTheSameInItsFile) {
  const NetworkSystem network = network_system(circuit);
  const Dataset data = circuit_data(network, 0.01);
  FitOptions options = options_for(network);
  options.errors = Errors::never;
  options.engine = Engine::sparse;
  const Model model = identify(data, options);
  EXPECT_EQ(model.dimension(), data.dimension());
  const std::string text = model_to_json(model);
  const Model again = model_from_json(text, "model");
  // log and exp of storages round.
  EXPECT_LE((again.sparse->theta - model.sparse->theta).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_EQ(again.starts, model.starts);
  EXPECT_EQ(again.sparse->structure->elements(), model.sparse->structure->elements());
  const Vector times = Vector::LinSpaced(5, 0, 1), x0 = model.starts.col(0);
  EXPECT_LE((again.propagate(x0, times) - model.propagate(x0, times)).norm(), 1e-12 * x0.norm());
  // The most likely initial states of its own data are its own.
  EXPECT_LE((fitted_initial_states(model, data) - model.starts).norm(),
            0.02 * model.fit.noise_sigma * std::sqrt(2.0 * 133.0));
  std::string wrong = text;
  wrong.replace(wrong.find("\"values\": [") == std::string::npos ? wrong.find("\"values\":[") + 10
                                                                 : wrong.find("\"values\": [") + 11,
                0, "9e9,");
  EXPECT_THROW(model_from_json(wrong, "model"), Error);
}

TEST(SparseFit, ErrorsOfPolesAreThoseOfTheInformation) {
  const NetworkSystem network = network_system({Topology::tree, 12, 0, 3, 0.2, 5});
  const Dataset data =
      sample_network(network, {.runs = 2, .end = 12, .step = 0.1, .noise = 0.01, .seed = 2});
  const SparseFit fit = fit_on_topology(data, false, options_for(network));
  WorkerThreads threads(1);
  const SparseProblem problem(
      data, std::make_shared<OrderedPattern>(std::make_shared<NetworkPattern>(*fit.structure)),
      false, threads);
  Vector at_end(problem.unknowns());
  at_end << fit.theta, fit.initial_states.reshaped();
  const SparseProblem::Curvature curvature(problem, at_end, fit.noise);
  Matrix information(at_end.size(), at_end.size());
  for (Index k = 0; k < at_end.size(); ++k)
    information.col(k) = curvature.product(Vector::Unit(at_end.size(), k));
  const Vector bounds = fit.structure->lower_bounds();
  // What is at its bound is not free.
  for (Index k = 0; k < bounds.size(); ++k)
    if (std::isnan(fit.theta_errors[k])) {
      information.row(k).setZero();
      information.col(k).setZero();
      information(k, k) = 1;
    }
  ASSERT_GE(fit.poles.system.values.size(), 3);
  for (Index q = 0; q < 3; ++q) {
    const Complex pole = fit.poles.system.values[q];
    const auto near = [&](const Vector& theta) {
      const ComplexVector all = eigenvalues(fit.structure->generator(theta));
      Index best = 0;
      (all.array() - pole).abs().minCoeff(&best);
      return all[best];
    };
    Matrix g = Matrix::Zero(at_end.size(), 2);
    const double h = 1e-6;
    for (Index k = 0; k < fit.theta.size(); ++k) {
      if (std::isnan(fit.theta_errors[k])) continue;
      Vector up = fit.theta, down = fit.theta;
      up[k] += h;
      down[k] -= h;
      const Complex slope = (near(up) - near(down)) / (2 * h);
      g.row(k) << slope.real(), slope.imag();
    }
    const Matrix direct = g.transpose() * solve_definite(information, g);
    // Conjugate gradients end at a residual of 0.02, of which the quadratic form keeps the square; products are in single
    // precision.
    const auto& covariance = fit.poles.covariances[static_cast<std::size_t>(q)];
    for (const Index part : {0, 1})
      EXPECT_NEAR(covariance(part, part), direct(part, part), 0.02 * direct.trace()) << q;
  }
}

TEST(SomeModes, AreTheSlowestOrThoseNearAFrequency) {
  const NetworkSystem network = network_system(circuit);
  const Dataset data = circuit_data(network, 0.01);
  FitOptions options = options_for(network);
  options.engine = Engine::sparse;
  options.errors = Errors::never;
  const Model sparse = identify(data, options);
  Model dense = sparse;
  dense.sparse.reset();
  dense.a = sparse.sparse->structure->generator(sparse.sparse->theta);
  dense.modes = find_modes(dense.a, dense.guarantee);
  for (const std::string& near : {"0", "0.3Hz"}) {
    const double omega = angular_frequency(dense, near);
    const auto one = some_modes(sparse, 6, omega), other = some_modes(dense, 6, omega);
    ASSERT_EQ(one.size(), other.size()) << near;
    for (std::size_t k = 0; k < one.size(); ++k)
      // Poles move with rounding by ε‖A‖ times their condition, which is some hundreds.
      EXPECT_LE(std::abs(one[k].pole - other[k].pole), 1e-10 * norm1(dense.a)) << near << k;
  }
  EXPECT_DOUBLE_EQ(angular_frequency(dense, "2"), angular_frequency(dense, "0.002kHz"));
  EXPECT_THROW(angular_frequency(dense, "often"), Error);
  EXPECT_THROW(some_modes(dense, 0), Error);
}

TEST(Engine, IsSparseWhereATopologyIsKnownAndStatesAreMany) {
  const NetworkSystem network = network_system(circuit);
  const Dataset data = sample_network(network, {.end = 1});
  FitOptions options = options_for(network);
  EXPECT_FALSE(uses_sparse_engine(data, options));
  set_option(options, "engine", "dense");
  EXPECT_FALSE(uses_sparse_engine(data, options));
  set_option(options, "engine", "petsc");
  EXPECT_THROW(uses_sparse_engine(data, options), Error);
  set_option(options, "engine", "sparse");
  EXPECT_TRUE(uses_sparse_engine(data, options));
  options.structure = "sd";
  EXPECT_THROW(uses_sparse_engine(data, options), Error);
  options.structure = "network";
  options.loss = Loss::huber;
  EXPECT_THROW(uses_sparse_engine(data, options), Error);
  options.loss = Loss::squares;
  options.network.rules.pattern.clear();
  EXPECT_TRUE(uses_sparse_engine(data, options));
  options.structure = "auto";
  EXPECT_THROW(uses_sparse_engine(data, options), Error);
  EXPECT_THROW(set_option(options, "engine", "cloud"), Error);
}

}  // namespace
}  // namespace lgn
