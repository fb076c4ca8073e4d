// What the search for networks must reach; docs/networks.md has the same studies with more seeds.

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/networks/clean.h"
#include "experiments/networks/dense.h"
#include "experiments/networks/elements.h"
#include "experiments/networks/ladder.h"
#include "experiments/networks/topologies.h"

namespace lgn::studies {
namespace {

/// The wiring is found, poles are nearly as good as if it had been known, and predictions hold.
void expect_found(const LadderOptions& options, double nrmse_limit) {
  SCOPED_TRACE(options.noise);
  const LadderStudy found = study_ladder(options);
  EXPECT_EQ(found.wiring.missing, 0);
  EXPECT_EQ(found.wiring.extra, 0);
  EXPECT_EQ(found.lawful, options.named ? options.seeds : 0);
  EXPECT_EQ(found.not_converged, 0);
  // E|Δλ| ≤ √trace: the first is the stricter limit. 1.3 leaves room for one seed's scatter.
  EXPECT_LE(found.error, 1.3 * found.bound);
  EXPECT_LE(found.bound, found.deviation);
  EXPECT_LE(found.worst_nrmse, nrmse_limit);
}

// The limits of the test NRMSE are 3e-3 at 1% and 3e-2 at 10%: 0.3 of the noise. The error of
// a prediction is proportional to the noise, so that the same holds at 0.1% and at 5%.
constexpr double nrmse_of_noise = 0.3;

TEST(LadderOf100States, IsFoundUnderNoiseSlow) {
  for (const double noise : {0.001, 0.01, 0.05, 0.1})
    expect_found({.noise = noise, .seeds = 1}, nrmse_of_noise * noise);
}

TEST(LadderOf100States, IsFoundByItsLawsUnderNoiseSlow) {
  for (const double noise : {0.01, 0.1})
    expect_found({.noise = noise, .named = true, .seeds = 1}, nrmse_of_noise * noise);
}

TEST(LadderOf100States, IsFoundToNineDigitsInIntegratedDataSlow) {
  const Clean found = study_clean();
  EXPECT_TRUE(found.wiring.exact());
  EXPECT_LE(found.error, 1e-9);
}

TEST(LadderOf100States, IsExactOnExactDataSlow) {
  const Clean found = study_clean({.integrated = false});
  EXPECT_TRUE(found.wiring.exact());
  EXPECT_LE(found.error, 1e-12);
}

TEST(UnequalLadder, EveryElementIsFoundSlow) {
  const ElementsOptions defaults;
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
    SCOPED_TRACE(seed);
    const Elements found = study_elements({.seed = seed});
    EXPECT_TRUE(found.wiring.exact());
    EXPECT_EQ(found.values, 3 * defaults.sections);
    // Of 300 normal errors one lies beyond 4 in one case of fifty.
    EXPECT_LE(found.worst, 4);
    EXPECT_LE(found.median, 0.01);
  }
}

void expect_wired(const NetworkRecipe& recipe, int seeds) {
  SCOPED_TRACE(recipe.spread);
  const TopologyStudy found = study_topology({.recipe = recipe, .seeds = seeds});
  EXPECT_EQ(found.wiring.missing, 0);
  EXPECT_EQ(found.wiring.extra, 0);
}

TEST(Topologies, ARingSlow) {
  expect_wired({.topology = Topology::ring, .size = 40}, 5);
  expect_wired({.topology = Topology::ring, .size = 40, .spread = 10}, 5);
}

TEST(Topologies, ATreeSlow) {
  expect_wired({.topology = Topology::tree, .size = 40}, 5);
  expect_wired({.topology = Topology::tree, .size = 40, .spread = 10}, 5);
}

TEST(Topologies, AGridSlow) {
  expect_wired({.topology = Topology::grid, .size = 6}, 1);
  expect_wired({.topology = Topology::grid, .size = 6, .spread = 10}, 1);
}

TEST(Topologies, AChain) {
  expect_wired({.topology = Topology::chain, .size = 10}, 5);
  expect_wired({.topology = Topology::chain, .size = 10, .spread = 10}, 5);
}

TEST(DenseSystem, IsNoNetworkSlow) {
  const Dense found = study_dense();
  EXPECT_EQ(found.verdict.substr(0, 10), "not sparse");
  EXPECT_EQ(found.structure, "sd");
  EXPECT_EQ(found.instead, "sd");
  EXPECT_TRUE(found.warns);
}

}  // namespace
}  // namespace lgn::studies
