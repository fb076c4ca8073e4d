// What identification must say, and must not say, on data with faults and of systems that they show in part.

#include <gtest/gtest.h>

#include "experiments/identification/honesty.h"
#include "experiments/identification/outliers.h"

namespace lgn::studies {
namespace {

TEST(Outliers, SpikesDoNotCarryHuberAwaySlow) {
  const OutlierStudy study = study_outliers({.fault = OutlierOptions::Fault::spikes});
  EXPECT_LE(study.huber, 2 * study.clean_squares);
}

TEST(Outliers, AStuckSensorDoesNotCarryHuberAwaySlow) {
  const OutlierStudy study = study_outliers({.fault = OutlierOptions::Fault::stuck});
  EXPECT_LE(study.huber, 2 * study.clean_squares);
}

TEST(Oscillator, AtTimesOfACameraSlow) {
  const JitterOptions options;
  const Jitter study = study_jitter(options);
  EXPECT_EQ(study.metric, options.seeds);
  EXPECT_EQ(study.converged, options.seeds);
  // Of 20 normal errors the largest lies beyond 3.5 in one case of a hundred.
  EXPECT_LE(study.worst, 3.5);
}

/// What is claimed is true, and what is not claimed has a reason.
void expect_honest(const Honesty& found) {
  EXPECT_EQ(found.wrong, 0) << found.worst;
  EXPECT_EQ(found.unexplained, 0);
  EXPECT_EQ(found.unexamined, 0);
  EXPECT_NE(found.structure, "skew");
  EXPECT_NE(found.structure, "sd");
}

void expect_honest_rod(double noise) {
  const Honesty found = study_honesty(heated_rod(), {.noise = noise});
  expect_honest(found);
  EXPECT_GE(found.identifiable, 10);
}

TEST(HardSystems, AHeatedRodSlow) { expect_honest_rod(0); }

TEST(HardSystems, AHeatedRodWithNoiseSlow) { expect_honest_rod(1e-6); }

TEST(HardSystems, AShearBuildingSlow) {
  for (const double noise : {0.0, 1e-6}) {
    SCOPED_TRACE(noise);
    expect_honest(study_honesty(shear_building(), {.noise = noise}));
  }
}

TEST(HardSystems, AdvectionAndDiffusionSlow) {
  for (const double noise : {0.0, 1e-6}) {
    SCOPED_TRACE(noise);
    expect_honest(study_honesty(advection_diffusion(), {.noise = noise}));
  }
}

}  // namespace
}  // namespace lgn::studies
