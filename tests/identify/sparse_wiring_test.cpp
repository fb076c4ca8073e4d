#include "lgn/identify/sparse/sparse_wiring.h"

#include <gtest/gtest.h>

#include <numeric>

#include "lgn/core/random.h"
#include "lgn/dynamics/network_systems.h"
#include "lgn/flow/sample_network.h"
#include "lgn/identify/sparse/sparse_network.h"
#include "lgn/identify/wiring/network_fit.h"
#include "lgn/identify/wiring/pursuit.h"

namespace lgn {
namespace {

/// What is found in samples of a network, with this noise.
SparseWiring wiring_of(const NetworkSystem& network, double noise, int threads = 1) {
  const Dataset data =
      sample_network(network, {.runs = 3, .end = 30, .step = 0.1, .noise = noise, .seed = 2});
  const auto kinds = guess_kinds(data.channels());
  const bool mechanical = network.system.structure == "mechanical";
  return find_sparse_wiring(data, network_nodes(data.channels(), kinds, mechanical), {}, threads,
                            [] {});
}

TEST(SparseWiring, IsExactUnderNoise) {
  for (const Topology topology : {Topology::rlc_grid, Topology::ladder, Topology::tree}) {
    const Index size = topology == Topology::rlc_grid ? 9
                       : topology == Topology::ladder ? 120
                                                      : 240;
    NetworkSystem network = network_system({topology, size, 0, 10, 0.1, 5});
    std::sort(network.wiring.begin(), network.wiring.end());
    for (const double noise : {0.01, 0.05}) {
      const SparseWiring found = wiring_of(network, noise);
      EXPECT_EQ(found.pairs, network.wiring) << size << ' ' << noise;
      EXPECT_TRUE(found.silent.empty());
    }
  }
}

TEST(SparseWiring, FindsTheSpringsBetweenMasses) {
  NetworkSystem network = network_system({Topology::grid, 8, 0, 3, 0.1, 5});
  std::sort(network.wiring.begin(), network.wiring.end());
  EXPECT_EQ(wiring_of(network, 0.01).pairs, network.wiring);
}

TEST(SparseWiring, DoesNotDependOnThreads) {
  const NetworkSystem network = network_system({Topology::tree, 150, 0, 10, 0.1, 6});
  EXPECT_EQ(wiring_of(network, 0.05, 1).pairs, wiring_of(network, 0.05, 3).pairs);
}

TEST(SparseWiring, SaysWhatTheExcitationDidNotReach) {
  // Half of a ladder is kicked; the other half, uncoupled with it, only shows noise.
  const NetworkSystem network = network_system({Topology::ladder, 60, 0, 3, 0.1, 5});
  const Dataset data =
      sample_network(network, {.runs = 3, .end = 30, .step = 0.1, .noise = 0.01, .seed = 2});
  Random random(3);
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs()) {
    Matrix states = run.states();
    states.bottomRows(20) = 0.01 * random.normals(20, run.samples());
    runs.emplace_back(run.label(), run.times(), std::move(states));
  }
  const SparseWiring found =
      find_sparse_wiring(data.with_runs(std::move(runs)), single_states(120), {}, 1, [] {});
  std::vector<Index> quiet(20);
  std::iota(quiet.begin(), quiet.end(), Index{100});
  EXPECT_EQ(found.silent, quiet);
  for (const auto& [i, j] : found.pairs) EXPECT_LT(j, 100) << i;
}

TEST(Pursuit, FindsStatesThatCancelByGoingBack) {
  // y is the difference of two states that move nearly alike, among others.
  Random random(1);
  constexpr Index windows = 400, states = 30;
  Matrix x = random.normals(windows, states);
  x.col(7) = x.col(3) + 0.05 * x.col(7);
  Vector y = x.col(3) - x.col(7) + 1e-3 * random.normals(windows);
  for (Index k = 0; k < states; ++k) x.col(k).normalize();
  y.normalize();
  const Matrix gram = x.transpose() * x;
  const Vector products = x.transpose() * y;
  const RowSums sums{gram, products};
  std::vector<Index> every(states);
  std::iota(every.begin(), every.end(), Index{0});
  const double price = price_of_choice(windows, states);
  EXPECT_EQ(without_idle(sums, every, {}, windows, price), (std::vector<Index>{3, 7}));
  const auto forced = without_idle(sums, every, {11}, windows, price);
  EXPECT_EQ(forced, (std::vector<Index>{3, 7, 11}));
  EXPECT_LT(sums.criterion({3, 7}, windows, price), sums.criterion({3, 7, 11}, windows, price));
}

}  // namespace
}  // namespace lgn
