// What identification must reach, on the data of the paper's experiments 3, 4 and A.2.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "experiments/identification/conditions.h"
#include "experiments/identification/data.h"
#include "experiments/identification/dormand_prince.h"
#include "experiments/identification/noise.h"
#include "experiments/identification/poles.h"
#include "experiments/identification/recovery.h"
#include "lgn/flow/propagate.h"

namespace lgn::studies {
namespace {

TEST(DormandPrince, ErrsByItsTolerance) {
  const System system = uniform_ladder(10);
  Random random(51);
  const Vector start = training_start(20, random), times = even_times(0.1, 300);
  const Matrix exact = propagate(system.a, start, times);
  const auto error = [&](const Tolerances& tolerances) {
    return (dormand_prince(system.a, start, times, tolerances) - exact).norm() / exact.norm();
  };
  // One step errs by up to 1e-8, about two hundred of them add up at random, and the waves carry the
  // error along: within a factor of ten of the tolerance on either side.
  const double published = error({}), finer = error({1e-10, 1e-12});
  EXPECT_LE(published, 1e-7);
  EXPECT_GE(published, 1e-9);
  // A hundredth of the tolerance needs steps 100^(1/5) times shorter: the fifth order leaves a
  // hundredth of the error, and the estimate that controls it is not exact to a factor of three.
  EXPECT_LE(finer, published / 30);
  EXPECT_GE(finer, published / 300);
}

TEST(ExpectedModulus, IsTheMeanOfNormalErrors) {
  // One part only: √(2/π) of a half-normal; equal parts: √(π/2) of a Rayleigh distribution.
  EXPECT_NEAR(expected_modulus(Eigen::Matrix2d{{4, 0}, {0, 0}}),
              2 * std::sqrt(2 / std::numbers::pi), 1e-15);
  EXPECT_NEAR(expected_modulus(Eigen::Matrix2d{{4, 0}, {0, 4}}),
              2 * std::sqrt(std::numbers::pi / 2), 1e-15);
  EXPECT_EQ(expected_modulus(Eigen::Matrix2d::Zero()), 0);
  const Eigen::Matrix2d root{{1, 0.3}, {-0.2, 0.5}};
  Random random(52);
  constexpr Index draws = 100000;
  const Vector sizes = (root * random.normals(2, draws)).colwise().norm();
  // Four standard errors of the mean.
  const double spread = std::sqrt((sizes.array() - sizes.mean()).square().mean() / draws);
  EXPECT_NEAR(expected_modulus(root * root.transpose()), sizes.mean(), 4 * spread);
}

/// The limits for exact structure on data with an error of 1e-8.
void expect_recovered(const Recovery& found) {
  EXPECT_LE(found.data_error, 1e-7);
  EXPECT_LE(found.generator_error, 1e-6);
  EXPECT_LE(found.pole_error, 1e-7);
  EXPECT_EQ(found.unstable, 0);
  EXPECT_LE(found.test_nrmse, 1e-5);
  EXPECT_TRUE(found.converged);
}

TEST(Experiment3, RecoversLaddersSlow) {
  for (const Index sections : {10, 20}) {
    SCOPED_TRACE(sections);
    expect_recovered(study_recovery(uniform_ladder(sections)));
  }
}

TEST(Experiment3, RecoversTheLadderOf100StatesSlow) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    expect_recovered(study_recovery(uniform_ladder(50), {.seed = seed}));
  }
}

TEST(Experiment3, RecoversTheLadderOf200StatesFromSixRunsSlow) {
  // Measured ‖A−A*‖/‖A*‖ from 3, 4, 5 and 6 runs: 0.62, 0.43, 1.2e-4 and 6.7e-8.
  expect_recovered(study_recovery(uniform_ladder(100), {.runs = 6}));
}

TEST(Experiment3, RecoversRandomSystemsSlow) {
  for (const Index states : {20, 40}) {
    SCOPED_TRACE(states);
    Random random(53);
    expect_recovered(study_recovery(random_dissipative(states, random)));
  }
}

TEST(ExperimentA2, RecoversStiffLadders) {
  for (const Vector& resistances : {Vector{{0.5, 0.5, 0.5}}, Vector{{0.01, 0.1, 1.0}}}) {
    SCOPED_TRACE(resistances.transpose());
    EXPECT_LE(study_stiff({.resistances = resistances}).relative_error.maxCoeff(), 1e-9);
  }
}

TEST(Experiment4, ReachesTheBoundSlow) {
  for (const double noise : {0.01, 0.05, 0.1}) {
    SCOPED_TRACE(noise);
    const NoiseStudy study = study_noise({.noise = noise});
    EXPECT_LE(study.error, 1.1 * study.bound);
    EXPECT_EQ(study.not_converged, 0);
  }
}

TEST(Experiment4, ReachesTheBoundAtUnevenTimesSlow) {
  const NoiseStudy study = study_noise({.uneven = true});
  EXPECT_LE(study.error, 1.15 * study.bound);
  EXPECT_EQ(study.not_converged, 0);
}

TEST(Experiment4, ReachesTheBoundWithGapsSlow) {
  const NoiseStudy study = study_noise({.missing = 0.3});
  EXPECT_LE(study.error, 1.15 * study.bound);
  EXPECT_EQ(study.not_converged, 0);
}

TEST(Experiment4, IntervalsCoverTheTruthSlow) {
  const auto coverage = study_coverage();
  ASSERT_EQ(coverage.size(), 3u);
  // 1,000 repeats at 95% vary by √(0.95·0.05/1000) = 0.7%: the limits are three of those.
  for (const ModeCoverage& mode : coverage) {
    SCOPED_TRACE(mode.pole);
    EXPECT_GE(mode.frequency, 0.93);
    EXPECT_LE(mode.frequency, 0.97);
    EXPECT_GE(mode.damping, 0.93);
    EXPECT_LE(mode.damping, 0.97);
  }
}

TEST(Conditions, IntervalsCoverTheTruthSlow) {
  // 100 data sets of one to four modes at 95% vary by 2.2% or less; the page has 200 of each.
  for (const ConditionCoverage& found : study_conditions(100)) {
    SCOPED_TRACE(found.condition);
    for (const double covered : {found.frequency, found.damping}) {
      EXPECT_GE(covered, 0.88);
      EXPECT_LE(covered, 0.99);
    }
  }
}

NoiseOptions coarse(double step, const std::string& structure) {
  return {.noise = 0.01, .samples = 100, .step = step, .seeds = 10, .structure = structure};
}

TEST(CoarseSampling, DoesNotSpoilPolesBelowNyquist) {
  // The Cramér–Rao bound of such data is 4.9e-5: ten seeds scatter around it by a few percent.
  NoiseOptions options = coarse(1.5, "sd");
  options.seeds = 100;
  const NoiseStudy study = study_noise(options);
  EXPECT_LE(study.error, 1.1 * study.bound);
  EXPECT_LE(study.error, 5e-5);
}

TEST(CoarseSampling, SaysWhenAFrequencyHasAliases) {
  // The fastest pole turns by 1.8·2 = 3.6 rad between samples, more than half a turn.
  for (const char* structure : {"sd", "auto"}) {
    SCOPED_TRACE(structure);
    const NoiseStudy study = study_noise(coarse(2, structure));
    EXPECT_EQ(study.aliasing, 10);
    EXPECT_EQ(study.fastest_open, 10);
  }
}

}  // namespace
}  // namespace lgn::studies
