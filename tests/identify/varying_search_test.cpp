// What the search, the bootstrap and checkpoints do for constant generators they do for those that vary, too.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "lgn/core/checkpoint.h"
#include "lgn/core/error.h"
#include "lgn/core/inverse_root.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/modulated.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/physics/bootstrap.h"

namespace lgn {
namespace {

/// The paper's oscillator with 1% of noise, and the structure that it has: ω, S1,2, d1, and d2 with a wave.
struct Oscillator {
  Dataset data = sample_runs(ltv_oscillator(1, 0.3, 0.5, 1),
                             {.end = 20, .noise = 0.01, .start = Vector{{1.0, 0.0}}});
  std::shared_ptr<const ModulatedStructure> structure =
      std::make_shared<ModulatedStructure>(find_structure("sd", 2), std::make_shared<Harmonics>(1),
                                           std::vector<std::vector<Index>>{{0}, {0}, {0, 1, 2}});
  Vector truth{{1, 1, 0, 0.3, 0, 0.15}};

  Fit fit(const FitOptions& options = {}) const {
    const Vector start{{1.05, 0.98, 0.01, 0.25, 0.01, 0.1}};
    return maximum_likelihood(data, structure, {.theta = {start}}, options);
  }
};

TEST(VaryingSearch, ConjugateGradientsFindNearlyTheSame) {
  const Oscillator oscillator;
  FitOptions large;
  large.dense_parameters = 0;
  const Fit dense = oscillator.fit(), found = oscillator.fit(large);
  EXPECT_TRUE(dense.converged);
  EXPECT_TRUE(found.converged);
  const Problem problem(oscillator.data, *oscillator.structure, dense.noise,
                        {.magnus = dense.magnus});
  const double least = problem.profile(dense.theta)->cost;
  // It ends where a step promises to lower ℓ by less than a hundredth, and may miss that by as much again.
  EXPECT_LE(problem.profile(found.theta)->cost - least, 2e-2 * least);
}

TEST(VaryingSearch, TheBootstrapAgreesWithTheInformationMatrix) {
  const Oscillator oscillator;
  Fit fit = oscillator.fit();
  fit.theta[2] = 0.05;  // away from the bound d ≥ 0
  const Index repeats = 200;
  const Matrix samples =
      bootstrap(fit, oscillator.data, fit.noise, {.repeats = repeats, .seed = 3});
  ASSERT_EQ(samples.cols(), repeats);
  // The information belongs to the model's own trajectory.
  const Dataset own(
      {"q", "p"},
      {Trajectory("1", oscillator.data.runs()[0].times(),
                  fit.propagate(fit.initial_states.col(0), oscillator.data.runs()[0].times()))});
  const Matrix covariance = covariance_of(
      information_matrix(own, *fit.structure, fit.theta, fit.noise, {.magnus = fit.magnus}));
  for (Index q = 0; q < fit.theta.size(); ++q) {
    const double spread =
        std::sqrt((samples.row(q).array() - samples.row(q).mean()).square().sum() / (repeats - 1));
    // A standard deviation of 200 repeats has a relative error of 1/√400; four of them, and a tenth for what the
    // linearisation leaves out.
    EXPECT_NEAR(spread / std::sqrt(covariance(q, q)), 1, 4.0 / 20 + 0.1) << q;
  }
}

TEST(VaryingSearch, GoesOnFromACheckpointToTheSameBits) {
  const Oscillator oscillator;
  const std::string path =
      ::testing::TempDir() + "/lgn-varying-" + std::to_string(::getpid()) + "-state";
  const auto fit = [&](Checkpoint* checkpoint, int steps) {
    FitOptions options;
    options.checkpoint = checkpoint;
    options.observe = [&](const FitProgress&) { return --steps > 0; };
    return oscillator.fit(options);
  };
  const Fit whole = fit(nullptr, 1000);
  ASSERT_GT(whole.iterations, 3);
  for (int steps = 1; steps < whole.iterations; ++steps) {
    SCOPED_TRACE(steps);
    Checkpoint kept(path, "fit");
    EXPECT_TRUE(fit(&kept, steps).stopped);
    EXPECT_TRUE(fit(&kept, 1000).theta == whole.theta);
    std::filesystem::remove(path);
  }
}

TEST(VaryingSearch, RefusesACheckpointOfOtherParameters) {
  const Oscillator oscillator;
  const std::string path =
      ::testing::TempDir() + "/lgn-other-" + std::to_string(::getpid()) + "-state";
  Checkpoint file(path, "fit");
  file.keep("fit, round 1", Vector::Zero(7), true);
  FitOptions options;
  options.checkpoint = &file;
  EXPECT_THROW(oscillator.fit(options), Error);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace lgn
