// What must be reached where the generator varies in time; docs/varying.md has the same studies with more seeds.

#include <gtest/gtest.h>

#include "experiments/varying/choice.h"
#include "experiments/varying/constants.h"
#include "experiments/varying/drift.h"
#include "experiments/varying/features.h"
#include "experiments/varying/kept.h"
#include "experiments/varying/modulation.h"
#include "experiments/varying/orders.h"

namespace lgn::studies {
namespace {

void expect_orders(const std::vector<SchemeOrder>& schemes) {
  for (const SchemeOrder& scheme : schemes)
    EXPECT_NEAR(scheme.order, scheme.nominal, 0.2) << scheme.name;
}

TEST(MagnusMethods, HaveTheirOrders) {
  expect_orders(study_orders_on_oscillator());
  expect_orders(study_orders_on_random_system());
}

TEST(MagnusMethods, GainWithTheirOrderAtTheStepOfThePaper) {
  for (const SchemeOrder& scheme : study_orders_on_oscillator()) {
    const double limit = scheme.nominal == 6 ? 1e4 : scheme.nominal == 4 ? 100 : 0;
    EXPECT_GE(scheme.gain, limit) << scheme.name;
    // The printed formula is no better than the midpoint rule that it starts from.
    EXPECT_TRUE(scheme.name != "printed" || scheme.gain < 1);
  }
}

TEST(MagnusMethods, KeepTheNormForAHundredThousandSteps) {
  for (const KeptNorm& kept : study_norms()) EXPECT_LE(kept.largest, 1e-11) << kept.method;
}

TEST(PlannedSteps, LetNoEnergyGrow) {
  for (const double tolerance : {1e-2, 1e-11})
    for (const char* method : {"4", "6"}) {
      SCOPED_TRACE(method);
      const Contraction found =
          study_contraction({.method = method, .tolerance = tolerance, .systems = 200});
      EXPECT_EQ(found.increases, 0);
      // Not because nothing could have: the plain method would have.
      EXPECT_GT(found.single, 0);
      EXPECT_GT(found.changed, 0);
    }
}

// Error of each number, and the NRMSE of the test.
constexpr double clean_limit = 1e-6;

void expect_modulation(const ModulationOptions& options) {
  SCOPED_TRACE(options.structure + (options.integrated ? ", integrated" : ", exact"));
  const Modulation found = study_modulation(options);
  EXPECT_EQ(found.structure, "ltv-sd");
  EXPECT_TRUE(found.as_it_is());
  EXPECT_LE(found.frequency.error(), clean_limit);
  EXPECT_LE(found.mean.error(), clean_limit);
  EXPECT_LE(found.amplitude.error(), clean_limit);
  EXPECT_LE(found.test_nrmse, clean_limit);
}

TEST(Modulation, IsFoundWithoutBeingToldItsFrequency) {
  expect_modulation({});
  expect_modulation({.integrated = true});
}

TEST(Modulation, IsFoundWithoutBeingToldThatThereIsOne) {
  expect_modulation({.structure = "auto"});
  expect_modulation({.structure = "auto", .integrated = true});
}

TEST(Modulation, IsFoundUnderNoiseWithHonestErrorsSlow) {
  const ModulationNoise found = study_modulation_noise({.noise = 0.01, .seeds = 6});
  for (const double pull : found.median_pulls) EXPECT_LE(pull, 3);
  // 0.3% of normal pulls are beyond 3: two of these 18 in one case of 800.
  EXPECT_LE(found.beyond, 1);
  EXPECT_LE(found.median_nrmse, 5e-3);
}

TEST(PaperModel, HasTheErrorOfThePaper) {
  // The paper's 0.037, and the width that the project asks for.
  for (const char* method : {"2", "printed"})
    EXPECT_NEAR(study_features({.method = method, .seeds = 3}).median(), 0.037, 0.01) << method;
}

void expect_constants(const char* method) {
  SCOPED_TRACE(method);
  EXPECT_LE(study_constants({.method = method}).largest(), clean_limit);
  EXPECT_LE(study_constants({.step = 0.2, .method = method}).largest(), clean_limit);
  EXPECT_LE(study_constants({.uneven = true, .method = method}).largest(), clean_limit);
}

TEST(KnownLaw, HasItsConstantsFound) {
  expect_constants("4");
  expect_constants("6");
}

TEST(KnownLaw, HasItsConstantsFoundByTheMidpointRuleSlow) { expect_constants("2"); }

TEST(KnownLaw, IsBiasedByASingleStepOfLowOrder) {
  // Order 2 with h = 0.1 leaves 2e-4 in a, and four times that with h = 0.2; order 6 hardly anything.
  const double biased = study_constants({.method = "2", .single = true}).largest();
  EXPECT_GT(biased, 100 * clean_limit);
  const double coarser = study_constants({.step = 0.2, .method = "2", .single = true}).largest();
  EXPECT_NEAR(coarser / biased, 4, 0.4);
  EXPECT_LE(study_constants({.method = "6", .single = true}).largest(), clean_limit);
}

TEST(DriftingSpring, IsFoundSlow) {
  // The share of one seed scatters with the level of a few courses; 0.8 is for the mean.
  constexpr int seeds = 4;
  double coverage = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const DriftStudy found = study_drift({.seed = seed});
    EXPECT_EQ(found.missing, 0);
    EXPECT_EQ(found.extra, 0);
    coverage += found.coverage / seeds;
  }
  EXPECT_GE(coverage, 0.8);
}

TEST(ConstantSystems, AreNotTakenForVarying) {
  for (const FalseAlarms& found : study_false_alarms({.seeds = 3}))
    EXPECT_EQ(found.alarms, 0) << found.system << " at noise " << found.noise;
}

TEST(WeakModulation, IsNoticedUnderNoiseSlow) {
  for (const double modulation : {0.5, 0.1}) {
    const Detection found = study_detection({.modulation = modulation, .seeds = 2});
    EXPECT_EQ(found.found, 2) << modulation;
  }
}

}  // namespace
}  // namespace lgn::studies
