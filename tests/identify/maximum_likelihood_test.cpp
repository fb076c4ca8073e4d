#include "lgn/identify/likelihood/maximum_likelihood.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "lgn/core/error.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify/estimate.h"
#include "lgn/identify/likelihood/problem.h"
#include "tests/dynamics/structure_laws.h"

namespace lgn::testing {
namespace {

/// What the samples say about θ: F, half the gradient, and ℓ at a point.
struct At {
  Matrix information;
  Vector gradient;
  double cost;
  At(const Dataset& data, const ConstantStructure& structure, const Vector& theta,
     const Vector& noise) {
    const Problem problem(data, structure, noise);
    const auto profile = problem.profile(theta);
    const auto normal = problem.linearise(*profile);
    information = normal.information, gradient = normal.gradient, cost = profile->cost;
  }
  double distance(const Vector& change) const { return change.dot(information * change); }
};

/// (θ̂ − θ)ᵀF(θ̂ − θ) is χ² with p degrees of freedom, above this bound once in 10,000.
double chi_square_bound(Index p) {
  return static_cast<double>(p) + 5 * std::sqrt(2.0 * static_cast<double>(p)) + 8;
}

TEST(MaximumLikelihood, ExactDataGiveTheGeneratorBack) {
  for (const char* name : {"skew", "sd", "psd", "full", "scaled-sd", "metric"}) {
    SCOPED_TRACE(name);
    Random random(61);
    const auto structure = find_structure(name, 4);
    const Matrix a = structure->generator(interior(*structure, random) / 2);
    const System system{"", {"a", "b", "c", "d"}, a, {}, {}, true};
    const Dataset data = sample_runs(system, {.runs = 2, .end = 8, .seed = 62});
    const Fit found = estimate(data, structure);
    EXPECT_TRUE(found.converged);
    // The search ends when ℓ is 1e-24 of the signal's power: then |δA_q| ≤ 1e-12 √(power (F⁻¹)_qq)
    // in every entry; ten times that where rounding ends it first.
    const At at(data, FullStructure(4), a.reshaped(), Vector::Ones(4));
    const double power = Problem(data, *structure, Vector::Ones(4)).power();
    const Vector reach = 1e-11 * (power * at.information.inverse().diagonal()).cwiseSqrt();
    const Vector error = (found.generator() - a).reshaped().cwiseAbs();
    EXPECT_LE(error.cwiseQuotient(reach).maxCoeff(), 1);
  }
}

/// A ladder of two sections with 5% of noise.
struct Ladder {
  System system = ladder(Vector{{0.2, 0.3}}, Vector::Ones(2), Vector::Ones(2));
  std::shared_ptr<const ConstantStructure> structure = find_structure("sd", 4);
  Vector theta = structure->project(system.a);
  Dataset data;
  explicit Ladder(double noise = 0.05)
      : data(sample_runs(system, {.runs = 2, .end = 20, .noise = noise, .seed = 63})) {}

  Fit fit(double candidate, const FitOptions& options = {}) const {
    return maximum_likelihood(data, structure,
                              {.theta = {structure->project(candidate * system.a)}}, options);
  }
  At at(const Vector& parameters, const Vector& noise = Vector::Ones(4)) const {
    return At(data, *structure, parameters, noise);
  }
  /// Adds something to every sample.
  void add(const std::function<Vector()>& what) {
    std::vector<Trajectory> runs;
    for (const auto& run : data.runs()) {
      Matrix states = run.states();
      for (auto sample : states.colwise()) sample += what();
      runs.emplace_back(run.label(), run.times(), states);
    }
    data = Dataset(data.channels(), runs);
  }
};

TEST(MaximumLikelihood, EndsWhereTheLikelihoodIsGreatest) {
  const Ladder ladder;
  const Fit found = estimate(ladder.data, ladder.structure);
  EXPECT_TRUE(found.converged);
  // All channels have the same noise, so that equal weights stand.
  At at = ladder.at(found.theta);
  const Vector lower = ladder.structure->lower_bounds();
  Index on_bound = 0;
  for (Index q = 0; q < lower.size(); ++q) {
    EXPECT_GE(found.theta[q], lower[q]);
    if (found.theta[q] > lower[q]) continue;
    EXPECT_GE(at.gradient[q], 0) << q;  // held there
    at.gradient[q] = 0;
    at.information(q, q) = 1e300;  // which takes it out of F⁻¹
    ++on_bound;
  }
  EXPECT_GT(on_bound, 0);  // two channels have no losses, and half of such fits end at zero exactly
  // Converged: gᵀF⁻¹g ≤ (1e-4)² ℓ/freedom in the unknowns that are free; twice that because the
  // search may use the F of an earlier step.
  const double variance = at.cost / static_cast<double>(ladder.data.present() - 10 - 8);
  EXPECT_LE(at.gradient.dot(at.information.inverse() * at.gradient), 2e-8 * variance);
}

TEST(MaximumLikelihood, IsAsGoodAsTheInformationSays) {
  const Ladder ladder;
  const auto full = std::make_shared<const FullStructure>(4);
  const auto found =
      maximum_likelihood(ladder.data, full, {.theta = {full->project(0.9 * ladder.system.a)}});
  EXPECT_TRUE(found.converged);
  const Vector truth = full->project(ladder.system.a);
  const At at(ladder.data, *full, truth, found.noise);
  EXPECT_LE(at.distance(found.theta - truth), chi_square_bound(16));
}

TEST(MaximumLikelihood, ALostPhaseIsFoundAgainThroughHorizons) {
  // 60 turns at 1 rad; the candidate is off by 15 of them.
  const auto skew = std::make_shared<const SkewStructure>(2);
  const System system = oscillator(1);  // [0 1; −1 0]
  const Dataset data = sample_runs(system, {.end = 380, .step = 0.2, .noise = 0.05, .seed = 64});
  FitOptions options;
  bool horizons = false;
  options.observe = [&](const FitProgress& progress) {
    return horizons = horizons || progress.task.find("horizon") != std::string::npos;
  };
  const auto found =
      maximum_likelihood(data, skew, {.theta = {skew->project(1.25 * system.a)}}, options);
  EXPECT_TRUE(found.converged);  // which it would not be had the observer seen no horizon
  const At at(data, *skew, Vector{{1}}, found.noise);
  EXPECT_LE(at.distance(found.theta - Vector{{1}}), chi_square_bound(1));
}

TEST(MaximumLikelihood, HuberIsNotCarriedAwayByOutliers) {
  Ladder ladder;
  const Vector noise = ladder.fit(1).noise;
  const At at = ladder.at(ladder.theta, noise);
  Random random(65);
  ladder.add([&] {
    Vector outliers = 100 * noise;
    for (double& value : outliers)
      value *= random.uniform() > 0.05 ? 0 : random.normal() > 0 ? 1 : -1;
    return outliers;
  });
  FitOptions options;
  const Fit squares = estimate(ladder.data, ladder.structure, options);
  options.loss = Loss::huber;
  const Fit huber = estimate(ladder.data, ladder.structure, options);
  EXPECT_TRUE(huber.converged);
  // Huber's estimate has E ψ²/(E ψ')² = 1.26 times the variance with 5% far away: ψ² is (0.95 ·
  // 0.71 + 0.05 · 1.345²), ψ' 0.95 · 0.82. Squares have (1 + 0.05 · 100²) = 501 times.
  EXPECT_LE(at.distance(huber.theta - ladder.theta), 1.26 * chi_square_bound(10));
  EXPECT_GT(at.distance(squares.theta - ladder.theta), 1.26 * chi_square_bound(10));
}

TEST(MaximumLikelihood, KnownStartsAreTheFirstSamples) {
  const Ladder ladder(0);
  FitOptions options;
  options.estimate_initial_states = false;
  const auto found = ladder.fit(0.99, options);
  EXPECT_TRUE(found.converged);
  EXPECT_TRUE(found.initial_states == measured_initial_states(ladder.data));
  // The error is 1e-12 of the signal, and A no worse conditioned than ten times.
  EXPECT_LE((found.generator() - ladder.system.a).norm(), 1e-11);
}

TEST(MaximumLikelihood, StopsWhenTheObserverSaysSo) {
  const Ladder ladder;
  FitOptions options;
  options.observe = [](const FitProgress& progress) { return progress.step < 2; };
  const auto found = ladder.fit(0.9, options);
  EXPECT_TRUE(found.stopped);
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.iterations, 2);
  EXPECT_EQ(found.initial_states.cols(), 2);
}

TEST(MaximumLikelihood, GoesOnFromACheckpointToTheSameBits) {
  const Ladder ladder;
  const std::string path =
      ::testing::TempDir() + "/lgn-likelihood-" + std::to_string(::getpid()) + "-state";
  for (const double candidate : {0.97, 0.8}) {  // the second is off by 4 rad of 20: horizons
    const auto fit = [&](Checkpoint* checkpoint, int steps) {
      FitOptions options;
      options.checkpoint = checkpoint;
      options.observe = [&](const FitProgress&) { return --steps > 0; };
      return ladder.fit(candidate, options);
    };
    const auto whole = fit(nullptr, 1000);
    ASSERT_GT(whole.iterations, 3);
    for (int steps = 1; steps <= whole.iterations; ++steps) {
      SCOPED_TRACE(std::to_string(candidate) + " " + std::to_string(steps));
      Checkpoint kept(path, "fit");
      EXPECT_TRUE(fit(&kept, steps).stopped);
      Checkpoint file(path, "fit");  // which may be older than what was kept last
      EXPECT_TRUE(fit(&kept, 1000).theta == whole.theta);
      EXPECT_TRUE(fit(&file, 1000).theta == whole.theta);
      std::filesystem::remove(path);
    }
  }
}

TEST(MaximumLikelihood, ConjugateGradientsFindNearlyTheSame) {
  FitOptions large;
  large.dense_parameters = 0;
  for (const double noise : {0.0, 0.05}) {
    SCOPED_TRACE(noise);
    const Ladder ladder(noise);
    const auto dense = ladder.fit(0.95), found = ladder.fit(0.95, large);
    EXPECT_TRUE(found.converged);
    const double least = ladder.at(dense.theta).cost;
    // It ends where a step promises to lower ℓ by less than a hundredth, which a step that is not
    // exact may miss by as much again, or where the error is 1e-7 of the signal.
    const double power = Problem(ladder.data, *ladder.structure, Vector::Ones(4)).power();
    EXPECT_LE(ladder.at(found.theta).cost - least, 2 * 1e-2 * least + 1e-14 * power);
  }
}

TEST(MaximumLikelihood, QuietChannelsCountForMore) {
  // One channel is a hundred times quieter than the others.
  Ladder ladder(0);
  const Vector noise{{0.3, 3e-3, 0.3, 0.3}};
  Random random(66);
  ladder.add([&]() -> Vector { return noise.cwiseProduct(random.normals(4)); });
  const auto found = ladder.fit(0.95);
  EXPECT_TRUE(found.converged);
  // 400 samples each: a relative error of 1/√800; four of them, and what the unknowns take from
  // the quiet channel, 10 + 8 of its 400 values.
  for (Index c = 0; c < 4; ++c)
    EXPECT_NEAR(found.noise[c] / noise[c], 1, 4 / std::sqrt(800) + 18.0 / 400) << c;
  const At at = ladder.at(ladder.theta, noise);
  EXPECT_LE(at.distance(found.theta - ladder.theta), chi_square_bound(10));
  // Equal weights, by a Newton step from the truth.
  const At equal = ladder.at(ladder.theta);
  const Vector step = equal.information.ldlt().solve(equal.gradient);
  EXPECT_GT(at.distance(step), 10 * chi_square_bound(10));
}

TEST(MaximumLikelihood, SaysWhenNothingHasAFiniteTrajectory) {
  const auto full = std::make_shared<const FullStructure>(4);
  const Vector growing = full->project(1e4 * Matrix::Identity(4, 4));
  EXPECT_THROW(maximum_likelihood(Ladder().data, full, {.theta = {growing}}), NotIdentified);
}

}  // namespace
}  // namespace lgn::testing
