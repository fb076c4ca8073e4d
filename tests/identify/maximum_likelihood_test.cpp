#include "lgn/identify/maximum_likelihood.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "lgn/core/error.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify/estimate.h"
#include "lgn/identify/likelihood.h"
#include "lgn/identify/trajectory_loss.h"
#include "tests/dynamics/structure_laws.h"

namespace lgn::testing {
namespace {

/// What the samples say about θ: F, half the gradient, and ℓ at a point.
struct At {
  Matrix information;
  Vector gradient;
  double cost;
  At(const Dataset& data, const Structure& structure, const Vector& theta, const Vector& noise) {
    const Likelihood likelihood(data, noise);
    const Matrix a = structure.generator(theta);
    const auto profile = likelihood.profile(a);
    const auto normal = likelihood.normal(a, parameter_directions(structure, theta), profile);
    information = normal.information, gradient = normal.gradient, cost = profile.cost;
  }
  double distance(const Vector& change) const { return change.dot(information * change); }
};

/// (θ̂ − θ)ᵀF(θ̂ − θ) is χ² with p degrees of freedom: p + 5 √(2p) + 8 is exceeded once in 10,000 for
/// p up to 40.
double chi_square_bound(Index p) {
  return static_cast<double>(p) + 5 * std::sqrt(2.0 * static_cast<double>(p)) + 8;
}

class ExactDataOf : public ::testing::TestWithParam<std::string> {};

TEST_P(ExactDataOf, GiveTheGeneratorBack) {
  Random random(61);
  const auto structure = find_structure(GetParam(), 4);
  Vector theta = interior(*structure, random) / 2;
  const Matrix a = structure->generator(theta);
  const System system{"", {"a", "b", "c", "d"}, a, {}, {}, true};
  const Dataset data = sample_runs(system, {.runs = 2, .end = 8, .seed = 62});
  const Estimate found = estimate(data, structure);
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.method, "mle");
  EXPECT_TRUE(found.generator == structure->generator(found.theta));
  // The search ends when ℓ is 1e-24 of the signal's power: then |δA_q| ≤ 1e-12 √(power (F⁻¹)_qq) in
  // every entry; ten times that where rounding ends it first.
  const FullStructure full(4);
  const Vector ones = Vector::Ones(4);
  const At at(data, full, full.project(a), ones);
  const double power = Likelihood(data, ones).power();
  const Vector reach = at.information.inverse().diagonal().cwiseSqrt() * 1e-11 * std::sqrt(power);
  const Vector error = (found.generator - a).reshaped().cwiseAbs();
  EXPECT_TRUE((error.array() <= reach.array()).all()) << error.cwiseQuotient(reach).maxCoeff();
}

INSTANTIATE_TEST_SUITE_P(Every, ExactDataOf,
                         ::testing::Values("skew", "sd", "psd", "full", "scaled-sd", "metric"),
                         [](const auto& test) {
                           return test.param == "scaled-sd" ? "ScaledSd" : test.param;
                         });

/// A ladder of two sections with 5% of noise.
struct Ladder {
  System system = ladder(Vector{{0.2, 0.3}}, Vector::Ones(2), Vector::Ones(2));
  std::shared_ptr<const Structure> structure = find_structure("sd", 4);
  Vector theta = structure->project(system.a);
  Dataset data;
  explicit Ladder(double noise = 0.05)
      : data(sample_runs(system, {.runs = 2, .end = 20, .noise = noise, .seed = 63})) {}
};

TEST(MaximumLikelihood, EndsWhereTheLikelihoodIsGreatest) {
  const Ladder ladder;
  const Estimate found = estimate(ladder.data, ladder.structure);
  EXPECT_TRUE(found.converged);
  // All channels have the same noise, so that equal weights stand.
  const At at(ladder.data, *ladder.structure, found.theta, Vector::Ones(4));
  const Vector lower = ladder.structure->lower_bounds();
  Vector gradient = at.gradient;
  Index on_bound = 0;
  for (Index q = 0; q < gradient.size(); ++q) {
    EXPECT_GE(found.theta[q], lower[q]);
    if (found.theta[q] > lower[q]) continue;
    EXPECT_GE(gradient[q], 0) << q;  // held there
    gradient[q] = 0;
    ++on_bound;
  }
  EXPECT_GT(on_bound, 0);  // two channels have no losses, and half of such fits end at zero exactly
  // Converged: gᵀF⁻¹g ≤ (1e-4)² ℓ/freedom in the unknowns that are free. Dropping the others from F
  // only makes F⁻¹ smaller.
  const double variance = at.cost / static_cast<double>(ladder.data.present() - 10 - 8);
  EXPECT_LE(gradient.dot(at.information.inverse() * gradient), 1e-8 * variance);
}

TEST(MaximumLikelihood, IsAsGoodAsTheInformationSays) {
  const Ladder ladder;
  const FullStructure full(4);
  const auto found = maximum_likelihood(ladder.data, full, {0.9 * ladder.system.a});
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.freedom, static_cast<double>(ladder.data.present() - 16 - 8));
  const Vector truth = full.project(ladder.system.a);
  const At at(ladder.data, full, truth, found.noise);
  EXPECT_LE(at.distance(found.theta - truth), chi_square_bound(16));
}

TEST(MaximumLikelihood, ALostPhaseIsFoundAgainThroughHorizons) {
  // 60 turns at 1 rad; the candidate is off by 15 of them.
  const SkewStructure skew(2);
  const System system = oscillator(1);  // [0 1; −1 0]
  const Dataset data = sample_runs(system, {.end = 380, .step = 0.2, .noise = 0.05, .seed = 64});
  LikelihoodOptions options;
  bool horizons = false;
  options.observe = [&](const FitProgress& progress) {
    return horizons = horizons || progress.task.find("horizon") != std::string::npos;
  };
  const auto found = maximum_likelihood(data, skew, {1.25 * system.a}, options);
  EXPECT_TRUE(found.converged);  // which it would not be had the observer seen no horizon
  const At at(data, skew, Vector{{1}}, found.noise);
  EXPECT_LE(at.distance(found.theta - Vector{{1}}), chi_square_bound(1));
}

TEST(MaximumLikelihood, HuberIsNotCarriedAwayByOutliers) {
  const Ladder ladder;
  Random random(65);
  const double sigma = 0.05 * 0.5;  // roughly: the noise of `sample_runs` is relative
  std::vector<Trajectory> runs;
  for (const auto& run : ladder.data.runs()) {
    Matrix states = run.states();
    for (double& value : states.reshaped())
      if (random.uniform() < 0.05) value += random.normal() > 0 ? 100 * sigma : -100 * sigma;
    runs.emplace_back(run.label(), run.times(), states);
  }
  const Dataset data(ladder.data.channels(), runs);
  EstimateOptions options;
  const Estimate squares = estimate(data, ladder.structure, options);
  options.likelihood.loss = Loss::huber;
  const Estimate huber = estimate(data, ladder.structure, options);
  EXPECT_TRUE(huber.converged);
  const auto clean = maximum_likelihood(ladder.data, *ladder.structure, {ladder.system.a});
  const At at(ladder.data, *ladder.structure, ladder.theta, clean.noise);
  // Huber's estimate has E ψ²/(E ψ')² = 1.26 times the variance with 5% far away: ψ² is (0.95 ·
  // 0.71 + 0.05 · 1.345²), ψ' 0.95 · 0.82. Squares have (1 + 0.05 · 100²) = 501 times.
  EXPECT_LE(at.distance(huber.theta - ladder.theta), 1.26 * chi_square_bound(10));
  EXPECT_GT(at.distance(squares.theta - ladder.theta), 1.26 * chi_square_bound(10));
}

TEST(MaximumLikelihood, KnownStartsAreTheFirstSamples) {
  const Ladder ladder(0);
  LikelihoodOptions options;
  options.estimate_starts = false;
  const auto found =
      maximum_likelihood(ladder.data, *ladder.structure, {0.99 * ladder.system.a}, options);
  EXPECT_TRUE(found.converged);
  EXPECT_TRUE(found.starts == measured_starts(ladder.data));
  EXPECT_EQ(found.freedom, static_cast<double>(ladder.data.present() - 10));
  EXPECT_LE((found.generator - ladder.system.a).norm(), 1e-11);  // ℓ is 1e-24 of the power
}

TEST(MaximumLikelihood, StopsWhenTheObserverSaysSo) {
  const Ladder ladder;
  LikelihoodOptions options;
  options.observe = [](const FitProgress& progress) { return progress.step < 2; };
  const auto found =
      maximum_likelihood(ladder.data, *ladder.structure, {0.9 * ladder.system.a}, options);
  EXPECT_TRUE(found.stopped);
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.iterations, 2);
  EXPECT_EQ(found.starts.cols(), 2);
}

/// Stops a fit after every possible number of steps and goes on: from what the checkpoint kept last,
/// and from its file, which may be older.
void expect_same_bits_when_resumed(double candidate, const char* name) {
  const Ladder ladder;
  const auto folder = std::filesystem::path(::testing::TempDir()) /
                      ("lgn-likelihood-" + std::to_string(::getpid()) + name);
  std::filesystem::create_directories(folder);
  const auto fit = [&](Checkpoint* checkpoint, int steps) {
    int taken = 0;
    LikelihoodOptions options;
    options.checkpoint = checkpoint;
    options.observe = [&](const FitProgress&) { return ++taken < steps; };
    const std::vector<Matrix> start{candidate * ladder.system.a};
    return maximum_likelihood(ladder.data, *ladder.structure, start, options);
  };
  const auto whole = fit(nullptr, 1000);
  EXPECT_TRUE(whole.converged);
  ASSERT_GT(whole.iterations, 3);
  for (int steps = 1; steps <= whole.iterations; ++steps) {
    SCOPED_TRACE(name + std::to_string(steps));
    const std::string path = (folder / std::to_string(steps)).string();
    Checkpoint first(path, "fit");
    EXPECT_TRUE(fit(&first, steps).stopped);
    Checkpoint second(path, "fit");
    EXPECT_TRUE(fit(&first, 1000).theta == whole.theta);
    EXPECT_TRUE(fit(&second, 1000).theta == whole.theta);
  }
  std::filesystem::remove_all(folder);
}

TEST(MaximumLikelihood, GoesOnFromACheckpointToTheSameBits) {
  expect_same_bits_when_resumed(0.97, "near");
  expect_same_bits_when_resumed(0.8, "far");  // off by 4 rad of 20: through horizons
}

TEST(MaximumLikelihood, ConjugateGradientsFindNearlyTheSame) {
  LikelihoodOptions large;
  large.dense_parameters = 0;
  for (const double noise : {0.0, 0.05}) {
    SCOPED_TRACE(noise);
    const Ladder ladder(noise);
    const std::vector<Matrix> start{0.95 * ladder.system.a};
    const auto dense = maximum_likelihood(ladder.data, *ladder.structure, start);
    const auto found = maximum_likelihood(ladder.data, *ladder.structure, start, large);
    EXPECT_TRUE(found.converged);
    const At at(ladder.data, *ladder.structure, dense.theta, Vector::Ones(4));
    const At far(ladder.data, *ladder.structure, found.theta, Vector::Ones(4));
    // It ends where a step promises to lower ℓ by less than a hundredth, which a step that is not
    // exact may miss by as much again, or where the error is 1e-7 of the signal.
    const double power = Likelihood(ladder.data, Vector::Ones(4)).power();
    EXPECT_LE(far.cost - at.cost, 2 * 1e-2 * at.cost + 1e-14 * power);
  }
}

TEST(MaximumLikelihood, QuietChannelsCountForMore) {
  // One channel is a hundred times quieter than the others.
  const Ladder ladder(0);
  const Vector noise{{0.3, 3e-3, 0.3, 0.3}};
  Random random(66);
  std::vector<Trajectory> runs;
  for (const auto& run : ladder.data.runs())
    runs.emplace_back(run.label(), run.times(),
                      run.states() + noise.asDiagonal() * random.normals(4, run.samples()));
  const Dataset data(ladder.data.channels(), runs);
  const auto& structure = *ladder.structure;
  const auto found = maximum_likelihood(data, structure, {0.95 * ladder.system.a});
  EXPECT_TRUE(found.converged);
  // 400 samples each: a relative error of 1/√800; four of them, and what the unknowns take from
  // the quiet channel, 10 + 8 of its 400 values.
  for (Index c = 0; c < 4; ++c)
    EXPECT_NEAR(found.noise[c] / noise[c], 1, 4 / std::sqrt(800) + 18.0 / 400) << c;
  const At at(data, structure, ladder.theta, noise);
  EXPECT_LE(at.distance(found.theta - ladder.theta), chi_square_bound(10));
  // Equal weights, by a Newton step from the truth.
  const At equal(data, structure, ladder.theta, Vector::Ones(4));
  const Vector step = equal.information.ldlt().solve(equal.gradient);
  EXPECT_GT(at.distance(step), 10 * chi_square_bound(10));
}

TEST(MaximumLikelihood, SaysWhenNothingHasAFiniteTrajectory) {
  const std::vector<Matrix> growing{1e4 * Matrix::Identity(4, 4)};
  EXPECT_THROW(maximum_likelihood(Ladder().data, FullStructure(4), growing), NotIdentified);
}

}  // namespace
}  // namespace lgn::testing
