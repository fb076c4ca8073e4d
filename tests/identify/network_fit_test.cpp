#include "lgn/identify/wiring/network_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "experiments/identification/data.h"
#include "experiments/networks/truth.h"
#include "lgn/core/error.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify.h"
#include "tests/identify/network_fixture.h"

namespace lgn::testing {
namespace {

using studies::compare_wiring;
using studies::equal_ladder;

TEST(NetworkFit, OneShortRunIsTooLittleAndSaysSo) {
  // Twelve samples hold fewer than the twenty windows without which nothing is decided.
  const System system = equal_ladder(4, false).system;
  const Dataset data = sample_runs(system, {.runs = 1, .end = 1.2, .noise = 0.01});
  try {
    fit_with(data, {});
    FAIL() << "a network was found in twelve samples";
  } catch (const NotIdentified& error) {
    EXPECT_NE(error.problem().find("12 samples in 1 run"), std::string::npos) << error.what();
    EXPECT_NE(error.problem().find("28 pairs"), std::string::npos) << error.what();
    EXPECT_NE(error.help().find("more runs"), std::string::npos) << error.what();
  }
}

Dataset ten_channels(const std::function<Matrix(Random&)>& states) {
  Random random(64);
  std::vector<std::string> channels;
  for (int c = 1; c <= 10; ++c) channels.push_back("x" + std::to_string(c));
  std::vector<Trajectory> runs;
  for (int r = 1; r <= 3; ++r)
    runs.emplace_back(std::to_string(r), studies::even_times(0.1, 300), states(random));
  return Dataset(std::move(channels), std::move(runs));
}

TEST(NetworkFit, NothingCouplesInWhiteNoise) {
  const Dataset noise = ten_channels([](Random& random) { return random.normals(10, 300); });
  for (const char* structure : {"network", "auto"}) {
    SCOPED_TRACE(structure);
    try {
      const Model model = identify(noise, {.structure = structure});
      EXPECT_TRUE(elements_of(model, ElementType::coupling).empty());
      EXPECT_FALSE(model.warnings.empty());
    } catch (const NotIdentified& error) {
      EXPECT_FALSE(error.help().empty());
    }
  }
}

TEST(NetworkFit, NothingCouplesInChannelsThatRest) {
  const Dataset rest = ten_channels([](Random& random) {
    const Vector level = random.normals(10);
    return Matrix(level.replicate(1, 300) + 0.001 * random.normals(10, 300));
  });
  for (const char* structure : {"network", "auto"}) {
    SCOPED_TRACE(structure);
    const Model model = identify(rest, {.structure = structure});
    EXPECT_TRUE(elements_of(model, ElementType::coupling).empty());
    // A = 0 leaves the noise, 0.1% of levels of order one; a level near zero makes it more of less.
    EXPECT_LE(model.fit.nrmse_train, 0.002);
  }
}

/// The same data with channels in another order: new channel c is old channel order[c].
Dataset reordered(const Dataset& data, const std::vector<Index>& order) {
  std::vector<std::string> channels;
  for (const Index c : order) channels.push_back(data.channels()[static_cast<std::size_t>(c)]);
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs())
    runs.emplace_back(run.label(), run.times(), run.states()(order, Eigen::all));
  return Dataset(std::move(channels), std::move(runs));
}

TEST(NetworkFit, TheOrderOfPositionsAndVelocitiesDoesNotMatter) {
  const NetworkSystem truth = network_system({.topology = Topology::chain, .size = 5, .spread = 3});
  const Dataset blocks = sample(truth.system);
  const Dataset interleaved = reordered(blocks, {0, 5, 1, 6, 2, 7, 3, 8, 4, 9});
  const Model one = identify(blocks, {.structure = "mechanical"});
  const Model other = identify(interleaved, {.structure = "network"});
  EXPECT_EQ(other.structure, "mechanical");
  EXPECT_TRUE(compare_wiring(one, truth).exact());
  ASSERT_TRUE(one.network && other.network);
  ASSERT_EQ(one.network->elements.size(), other.network->elements.size());
  for (std::size_t e = 0; e < one.network->elements.size(); ++e) {
    const auto &a = one.network->elements[e], &b = other.network->elements[e];
    EXPECT_EQ(a.type, b.type);
    EXPECT_EQ(a.from, b.from);
    EXPECT_EQ(a.to, b.to);
    // Sums in another order, and a search that ends when steps are small beside the noise.
    EXPECT_NEAR(a.value, b.value, 0.01 * a.se);
  }
}

/// 1% noise at 300 random times, in each of three runs.
Dataset at_random_times(const System& system, Random& random) {
  std::vector<Vector> times;
  for (int r = 0; r < 3; ++r) times.push_back(studies::uneven_times(30, 300, random));
  const Dataset exact = studies::exact_runs(system, times, random);
  return studies::with_noise(exact, 0.01 * studies::deviation(exact), random);
}

/// Wiring and all of L = C = 1.
void expect_equal_ladder(const Model& model, const NetworkSystem& truth) {
  const auto wiring = compare_wiring(model, truth);
  EXPECT_EQ(wiring.missing, 0);
  EXPECT_EQ(wiring.extra, 0);
  const auto storages = elements_of(model, ElementType::storage);
  EXPECT_EQ(storages.size(), truth.system.channels.size());
  // 1% noise in 700 samples of a channel or more, whose errors average.
  for (const auto& e : storages) EXPECT_NEAR(e.value, 1, std::min(0.01, 5 * e.se));
}

TEST(NetworkFit, MissingCellsDoNotHideALadder) {
  const NetworkSystem truth = equal_ladder(4, true);
  Random random(61);
  const Dataset data = studies::with_gaps(sample(truth.system), 0.2, random);
  expect_equal_ladder(identify(data, {.structure = "network"}), truth);
}

TEST(NetworkFit, UnevenTimesDoNotHideALadder) {
  const NetworkSystem truth = equal_ladder(4, true);
  for (const std::uint64_t seed : {61u, 62u, 63u, 64u, 65u}) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Dataset data = at_random_times(truth.system, random);
    expect_equal_ladder(identify(data, {.structure = "network"}), truth);
  }
}

TEST(NetworkFit, MissingCellsAtUnevenTimesDoNotHideALadder) {
  const NetworkSystem truth = equal_ladder(4, true);
  Random random(61);
  const Dataset data = studies::with_gaps(at_random_times(truth.system, random), 0.2, random);
  expect_equal_ladder(identify(data, {.structure = "network"}), truth);
}

TEST(NetworkFit, OutliersDoNotHideALadderFromHuber) {
  const NetworkSystem truth = equal_ladder(4, true);
  Random random(62);
  std::vector<Trajectory> runs;
  const Dataset clean = sample(truth.system);
  for (const auto& run : clean.runs()) {
    Matrix states = run.states();
    for (double& x : states.reshaped())
      if (random.uniform() < 0.02) x = (random.uniform() < 0.5 ? -20 : 20) * random.uniform();
    runs.emplace_back(run.label(), run.times(), std::move(states));
  }
  const Model model = identify(Dataset(clean.channels(), std::move(runs)),
                               {.structure = "network", .loss = Loss::huber});
  expect_equal_ladder(model, truth);
}

TEST(NetworkFit, WhatLosesNothingIsConservative) {
  const NetworkSystem truth = network_system({.topology = Topology::ring, .size = 10, .loss = 0});
  const Model model = identify(sample(truth.system), {.structure = "network"});
  EXPECT_TRUE(compare_wiring(model, truth).exact());
  EXPECT_TRUE(elements_of(model, ElementType::loss).empty());
  EXPECT_TRUE(model.guarantee.conservative);
  for (const Mode& mode : model.modes) EXPECT_EQ(mode.pole.real(), 0);
}

/// Rooms with heat capacities, and walls between some of them that let heat through. None gets out.
NetworkSystem house() {
  constexpr Index rooms = 8;
  NetworkSystem truth;
  truth.wiring = {{0, 1}, {0, 4}, {1, 2}, {1, 5}, {2, 3}, {3, 7}, {4, 5}, {5, 6}, {6, 7}};
  Matrix a = Matrix::Zero(rooms, rooms);
  double conductance = 0.5;
  for (const auto& [i, j] : truth.wiring) {
    a(i, j) = a(j, i) = conductance;
    a(i, i) -= conductance;
    a(j, j) -= conductance;
    conductance *= 1.1;
  }
  Vector capacity(rooms);
  for (Index i = 0; i < rooms; ++i) {
    capacity[i] = 1 + 0.2 * static_cast<double>(i);
    truth.system.channels.push_back("T" + std::to_string(i + 1));
  }
  truth.system.a = capacity.cwiseInverse().asDiagonal() * a;
  truth.system.structure = "network";
  return truth;
}

TEST(NetworkFit, RoomsThatExchangeHeatAreFound) {
  const NetworkSystem truth = house();
  const Dataset data =
      sample_runs(truth.system, {.runs = 4, .end = 15, .step = 0.05, .noise = 0.002});
  const Model model = identify(data, {.structure = "network"});
  const auto wiring = compare_wiring(model, truth);
  EXPECT_EQ(wiring.missing, 0);
  EXPECT_EQ(wiring.extra, 0);
  EXPECT_TRUE(elements_of(model, ElementType::coupling).empty());
  EXPECT_TRUE(elements_of(model, ElementType::loss).empty());
  EXPECT_EQ(elements_of(model, ElementType::exchange).size(), truth.wiring.size());
  const auto capacities = elements_of(model, ElementType::storage);
  ASSERT_EQ(capacities.size(), 8u);
  EXPECT_TRUE(model.network->relative);
  for (std::size_t i = 1; i < capacities.size(); ++i) {
    const double value = 1 + 0.2 * static_cast<double>(i);  // room 1 has 1
    EXPECT_NEAR(capacities[i].value, value, 5 * capacities[i].se);
  }
}

TEST(NetworkFit, EveryElementHasAnErrorAndEvidence) {
  for (const bool named : {false, true}) {
    const Model model = identify(sample(equal_ladder(4, named).system), {.structure = "network"});
    ASSERT_TRUE(model.network);
    for (const auto& e : model.network->elements) {
      const bool storage = e.type == ElementType::storage;
      const bool known = named && e.type == ElementType::coupling;
      EXPECT_TRUE(std::isfinite(e.value));
      EXPECT_TRUE(std::isfinite(e.se));
      EXPECT_EQ(e.se == 0, known);
      EXPECT_EQ(std::isfinite(e.evidence), !storage);
      // What is in a network is worth its place: at least 2 log(values · nodes) by network_revision.h.
      if (storage) continue;
      EXPECT_GT(e.evidence, 2 * std::log(3 * 300 * 8 * 8)) << static_cast<int>(e.type);
    }
  }
}

TEST(NetworkFit, RepeatsToTheLastBit) {
  const Dataset data = sample(equal_ladder(4, true).system);
  const Model one = identify(data, {.structure = "network"});
  const Model other = identify(data, {.structure = "network"});
  EXPECT_EQ(one.a, other.a);
  ASSERT_TRUE(one.network && other.network);
  ASSERT_EQ(one.network->elements.size(), other.network->elements.size());
  for (std::size_t e = 0; e < one.network->elements.size(); ++e) {
    EXPECT_EQ(one.network->elements[e].value, other.network->elements[e].value);
    EXPECT_EQ(one.network->elements[e].se, other.network->elements[e].se);
  }
}

std::string verdict_on(const Model& model, const std::string& structure) {
  for (const auto& candidate : model.candidates)
    if (candidate.structure == structure) return candidate.verdict;
  return {};
}

TEST(NetworkFit, AutoTakesANetworkOfEightChannels) {
  const NetworkSystem truth = equal_ladder(4, false);
  const Model model = identify(sample(truth.system));
  EXPECT_EQ(model.structure, "network");
  EXPECT_EQ(verdict_on(model, "network"), "chosen");
  EXPECT_EQ(verdict_on(model, "metric"), "not tried: a simpler one explains the data");
  EXPECT_TRUE(compare_wiring(model, truth).exact());
  EXPECT_TRUE(model.network);
}

TEST(NetworkFit, AutoLooksForNoneInSixChannels) {
  const Model model = identify(sample(equal_ladder(3, false).system));
  EXPECT_EQ(verdict_on(model, "network"), "");
  EXPECT_FALSE(model.network);
}

TEST(NetworkFit, AutoSaysThatADenseSystemIsNotSparse) {
  Random random(63);
  const System system = random_dissipative(10, random);
  const Model model = identify(sample(system));
  EXPECT_EQ(verdict_on(model, "network").substr(0, 10), "not sparse");
  EXPECT_EQ(model.structure, "sd");
  EXPECT_FALSE(model.network);
}

/// A pinned beam of equal pieces: K is the square of a chain's, with bands 6, −4 and 1.
System beam(Index masses) {
  Matrix chain = Matrix::Zero(masses, masses);
  chain.diagonal().setConstant(2);
  chain.diagonal(1).setConstant(-1);
  chain.diagonal(-1).setConstant(-1);
  System system{"mechanical", {}, Matrix::Zero(2 * masses, 2 * masses), {}, {}, false};
  system.a.topRightCorner(masses, masses).setIdentity();
  system.a.bottomLeftCorner(masses, masses) = -chain * chain;
  system.a.bottomRightCorner(masses, masses).diagonal().setConstant(-0.05);
  for (const char* letter : {"q", "v"})
    for (Index i = 1; i <= masses; ++i) system.channels.push_back(letter + std::to_string(i));
  return system;
}

TEST(NetworkFit, ABeamIsFoundThoughPartsOfItPush) {
  const System truth = beam(8);
  const Model model = identify(sample(truth), {.structure = "mechanical"});
  EXPECT_EQ(model.structure, "mechanical");
  const auto springs = elements_of(model, ElementType::spring);
  std::size_t pairs = 0;
  for (const auto& e : springs) {
    if (e.to == Network::ground) continue;
    ++pairs;
    // k_ij = −K_ij: 4 beside the diagonal, −1 beyond it; of 13 errors none should reach 5 σ.
    EXPECT_NEAR(e.value, e.to == e.from + 1 ? 4 : -1, 5 * e.se) << e.from << " " << e.to;
    EXPECT_LT(e.se, 0.02);
  }
  EXPECT_EQ(pairs, 13u);
  // The same where one of the pairs that push is asked for.
  const Model asked = identify(
      sample(truth), {.structure = "mechanical", .network = {.rules = {.required = {{0, 2}}}}});
  EXPECT_EQ(asked.network->elements.size(), model.network->elements.size());
  // K is positive definite, so that the energy is one.
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(*model.energy).eigenvalues().minCoeff(), 0);
}

}  // namespace
}  // namespace lgn::testing
