#include "lgn/dynamics/network_systems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "lgn/core/error.h"
#include "lgn/dynamics/network_pattern.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;
using Pairs = std::vector<ChannelPair>;

const std::map<std::string, Topology> topologies = {
    {"ladder", Topology::ladder}, {"chain", Topology::chain}, {"ring", Topology::ring},
    {"grid", Topology::grid},     {"tree", Topology::tree},   {"rlc-grid", Topology::rlc_grid}};

const Matrix& parameter(const System& system, const std::string& name) {
  const auto found = std::find_if(system.parameters.begin(), system.parameters.end(),
                                  [&](const NamedValue& value) { return value.name == name; });
  if (found == system.parameters.end()) throw Error("no parameter " + name);
  return found->value;
}

bool is_mechanical(const NetworkRecipe& recipe) {
  return recipe.topology == Topology::chain || recipe.topology == Topology::grid;
}

/// Networks of every topology, sizes small and odd, with and without spread and losses.
std::vector<NetworkRecipe> recipes() {
  std::vector<NetworkRecipe> all;
  for (const auto& [name, topology] : topologies)
    for (const Index size : {3, 4, 7})
      for (const double spread : {1.0, 10.0, 1000.0})
        for (const double loss : {0.0, 0.1, 2.0})
          all.push_back({topology, size, 0, spread, loss, static_cast<std::uint64_t>(size)});
  all.push_back({Topology::grid, 2, 5, 10.0, 0.1, 1});
  all.push_back({Topology::grid, 1, 1, 10.0, 0.1, 1});
  all.push_back({Topology::grid, 4, 1, 10.0, 0.1, 1});
  all.push_back({Topology::ladder, 1, 0, 10.0, 0.1, 1});
  all.push_back({Topology::chain, 1, 0, 10.0, 0.1, 1});
  all.push_back({Topology::tree, 2, 0, 10.0, 0.1, 1});
  return all;
}

TEST(NetworkSystems, NeverGainEnergy) {
  for (const auto& recipe : recipes()) {
    const System system = network_system(recipe).system;
    ASSERT_TRUE(system.energy.has_value());
    EXPECT_EQ(system.a.rows(), static_cast<Index>(system.channels.size()));
    // An eigenvalue of Q^½ A Q^−½: correct to rounding units of its norm, at most ‖A‖ √cond(Q).
    const Vector q = Eigen::SelfAdjointEigenSolver<Matrix>(*system.energy).eigenvalues();
    EXPECT_GT(q[0], 0);
    EXPECT_LE(energy_growth_rate(system.a, *system.energy),
              100 * epsilon * system.a.norm() * std::sqrt(q[q.size() - 1] / q[0]));
  }
}

TEST(NetworkSystems, CoupleWhereTheirWiringSays) {
  for (const auto& recipe : recipes()) {
    const NetworkSystem network = network_system(recipe);
    const Matrix& coupling = parameter(network.system, is_mechanical(recipe) ? "K" : "S");
    Pairs pairs;
    for (Index i = 0; i < coupling.rows(); ++i)
      for (Index j = i + 1; j < coupling.cols(); ++j)
        if (coupling(i, j) != 0) pairs.emplace_back(i, j);
    EXPECT_EQ(network.wiring, pairs);
  }
}

TEST(NetworkSystems, AreMadeOfTheirParameters) {
  for (const auto& recipe : recipes()) {
    const System system = network_system(recipe).system;
    const Index n = system.a.rows();
    Matrix a = Matrix::Zero(n, n);
    if (is_mechanical(recipe)) {
      const Index half = n / 2;
      const Vector mass = parameter(system, "M");
      EXPECT_EQ(system.structure, "mechanical");
      EXPECT_FALSE(system.common_unit);
      a.topRightCorner(half, half).setIdentity();
      a.bottomLeftCorner(half, half) = -(mass.cwiseInverse().asDiagonal() * parameter(system, "K"));
      a.bottomRightCorner(half, half) =
          -(mass.cwiseInverse().asDiagonal() * parameter(system, "C"));
    } else {
      const Vector storage = parameter(system, "storage"), d = parameter(system, "d");
      EXPECT_EQ(system.structure, "network");
      const bool circuit =
          recipe.topology == Topology::ladder || recipe.topology == Topology::rlc_grid;
      EXPECT_EQ(system.common_unit, recipe.spread == 1 || !circuit);
      a = storage.cwiseInverse().asDiagonal() * (parameter(system, "S") - Matrix(d.asDiagonal()));
      EXPECT_EQ(*system.energy, Matrix(storage.asDiagonal()));
    }
    // A quotient here, a product with a reciprocal there: at most two roundings of each entry.
    EXPECT_TRUE(((system.a - a).array().abs() <= 2 * epsilon * a.array().abs()).all());
  }
}

TEST(NetworkSystems, SpreadTheirElementsAroundTheirMeans) {
  const double spread = 100, loss = 0.3;
  const System system = network_system({Topology::ladder, 300, 0, spread, loss, 1}).system;
  const Vector storage = parameter(system, "storage");
  const Vector d = parameter(system, "d")(Eigen::seqN(1, 300, 2), 0);
  for (const auto& [values, mean] : {std::pair{storage, 1.0}, {d, loss}}) {
    const Eigen::ArrayXd logs = (values / mean).array().log() / std::log(spread);
    EXPECT_LE(logs.abs().maxCoeff(), 0.5 + 4 * epsilon);
    // Uniform in ±½: the mean of N has the standard deviation 1/√(12 N), and both ends are reached
    // up to 20/N but for a chance of 2 exp(−20).
    const auto count = static_cast<double>(logs.size());
    EXPECT_LE(std::abs(logs.mean()), 5 / std::sqrt(12 * count));
    EXPECT_GE(logs.maxCoeff(), 0.5 - 20 / count);
    EXPECT_LE(logs.minCoeff(), -0.5 + 20 / count);
  }
}

TEST(NetworkSystems, OfEqualElementsAreTheFamiliarOnes) {
  const System steps = network_system({.topology = Topology::ladder, .size = 3}).system;
  const System same = ladder(Vector::Constant(3, 0.1), Vector::Ones(3), Vector::Ones(3));
  EXPECT_EQ(steps.a, same.a);
  EXPECT_EQ(steps.channels, same.channels);
  EXPECT_EQ(*steps.energy, *same.energy);
  const System row = network_system({.topology = Topology::chain, .size = 5, .loss = 0.2}).system;
  EXPECT_EQ(row.a, mass_spring(5, 1, 1, 0.2).a);
  EXPECT_EQ(*row.energy, *mass_spring(5, 1, 1, 0.2).energy);
  EXPECT_EQ(row.channels, mass_spring(5, 1, 1, 0.2).channels);
}

TEST(NetworkSystems, AGridIsARectangleOfMassesBetweenWalls) {
  const NetworkSystem network =
      network_system({.topology = Topology::grid, .size = 3, .columns = 4});
  EXPECT_EQ(network.system.channels.front(), "q1");
  EXPECT_EQ(network.system.channels.back(), "v12");
  EXPECT_EQ(network.wiring.size(), 3u * 3u + 2u * 4u);
  EXPECT_EQ(network.wiring[0], (ChannelPair{0, 1}));
  EXPECT_EQ(network.wiring[1], (ChannelPair{0, 4}));
  // What a row of K sums to is the spring to the wall: one on the rim, none inside.
  Vector walls = Vector::Ones(12);
  walls[5] = walls[6] = 0;
  EXPECT_EQ(Vector(parameter(network.system, "K").rowwise().sum()), walls);
  EXPECT_EQ(network_system({.topology = Topology::grid, .size = 6}).system.channels.size(), 72u);
}

TEST(NetworkSystems, ARingClosesAndATreeDoesNot) {
  for (const Index n : {3, 4, 9}) {
    const Pairs around = network_system({.topology = Topology::ring, .size = n}).wiring;
    Vector degree = Vector::Zero(n);
    for (const auto& [i, j] : around) {
      degree[i] += 1;
      degree[j] += 1;
    }
    EXPECT_EQ(degree, Vector::Constant(n, 2));
    // n − 1 pairs that each tie a state to an earlier one connect all, so there is no cycle.
    const Pairs branches = network_system({.topology = Topology::tree, .size = n}).wiring;
    std::vector<Index> ends;
    for (const auto& [i, j] : branches) {
      EXPECT_LT(i, j);
      ends.push_back(j);
    }
    std::sort(ends.begin(), ends.end());
    std::vector<Index> later(static_cast<std::size_t>(n - 1));
    std::iota(later.begin(), later.end(), Index{1});
    EXPECT_EQ(ends, later);
  }
}

TEST(NetworkSystems, ATreeAttachesToAnyEarlierState) {
  // State 4 of four: each of three parents has probability ⅓, its count in N draws the standard
  // deviation √(2N/9).
  const int draws = 900;
  Vector counts = Vector::Zero(3);
  for (int k = 0; k < draws; ++k) {
    const Pairs wiring =
        network_system(
            {.topology = Topology::tree, .size = 4, .seed = static_cast<std::uint64_t>(k)})
            .wiring;
    for (const auto& [i, j] : wiring)
      if (j == 3) counts[i] += 1;
  }
  EXPECT_LE((counts.array() - draws / 3.0).abs().maxCoeff(), 5 * std::sqrt(draws * 2 / 9.0));
}

TEST(NetworkSystems, RingsAndTreesLoseOnHalfOfTheirStates) {
  for (const auto topology : {Topology::ring, Topology::tree})
    for (const Index n : {3, 4, 9, 20}) {
      const NetworkRecipe recipe{topology, n, 0, 10, 0.1, 5};
      const System system = network_system(recipe).system;
      EXPECT_EQ((parameter(system, "d").array() > 0).count(), n / 2);
      NetworkRecipe other = recipe;
      other.seed = 6;
      EXPECT_EQ((parameter(network_system(other).system, "d").array() > 0).count(), n / 2);
    }
  const System two = network_system({.topology = Topology::tree, .size = 2}).system;
  EXPECT_EQ((parameter(two, "d").array() > 0).count(), 1);
}

TEST(NetworkSystems, RepeatForASeed) {
  for (const auto& [name, topology] : topologies) {
    NetworkRecipe recipe{topology, 5, 0, 10, 0.1, 3};
    const System one = network_system(recipe).system;
    EXPECT_EQ(network_system(recipe).system.a, one.a) << name;
    recipe.seed = 4;
    EXPECT_NE(network_system(recipe).system.a, one.a) << name;
  }
}

TEST(NetworkSystems, AreFoundByName) {
  for (const auto& [name, topology] : topologies) EXPECT_EQ(find_topology(name), topology);
  for (const char* name : {"", "star", "Ladder", "ladder "})
    EXPECT_THROW(find_topology(name), Error) << name;
}

TEST(NetworkSystems, RefuseRecipesThatMakeNoSense) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  for (const auto& [name, topology] : topologies) {
    for (const Index size : {0, -1})
      EXPECT_THROW(network_system({.topology = topology, .size = size}), Error) << name;
    for (const double spread : {0.0, 0.9, -2.0, 2e6, nan, inf})
      EXPECT_THROW(network_system({.topology = topology, .spread = spread}), Error) << name;
    for (const double loss : {-0.1, 2e6, nan, inf})
      EXPECT_THROW(network_system({.topology = topology, .loss = loss}), Error) << name;
    EXPECT_THROW(network_system({.topology = topology, .columns = -1}), Error) << name;
    if (topology != Topology::grid && topology != Topology::rlc_grid) {
      EXPECT_THROW(network_system({.topology = topology, .columns = 2}), Error) << name;
    }
  }
  EXPECT_THROW(network_system({.topology = Topology::ring, .size = 2}), Error);
  EXPECT_THROW(network_system({.topology = Topology::tree, .size = 1}), Error);
}

/// Entries of A on its pattern, as the sum of what the elements of the wiring say.
TEST(NetworkSystems, LargeOnesHaveNoMatrixButTheSameKindOfGenerator) {
  for (const auto& [name, topology] : topologies) {
    // Just beyond what is dense, whatever a size counts.
    const Index size = topology == Topology::grid                                    ? 45
                       : topology == Topology::rlc_grid                              ? 37
                       : topology == Topology::ladder || topology == Topology::chain ? 2001
                                                                                     : 4001;
    const NetworkSystem network = network_system({topology, size, 0, 10, 0.1, 2});
    ASSERT_NE(network.large, nullptr) << name;
    EXPECT_EQ(network.system.a.size(), 0);
    const Index n = network.dimension();
    EXPECT_EQ(static_cast<Index>(network.system.channels.size()), n);
    EXPECT_EQ(network.large->parameters(), network.theta.size());
    const NetworkPattern map(*network.large);
    const SparsePattern& at = map.pattern();
    const Vector a = map.values(network.theta);
    // The pairs that couple are those of the wiring.
    Pairs pairs;
    const bool masses = network.large->mechanical();
    for (Index i = 0; i < n; ++i)
      for (Index e = at.start[static_cast<std::size_t>(i)];
           e < at.start[static_cast<std::size_t>(i) + 1]; ++e) {
        const Index j = at.column[static_cast<std::size_t>(e)];
        if (!masses && i < j && a[e] != 0) pairs.emplace_back(i, j);
        // Rows of velocities, columns of positions.
        if (masses && i >= n / 2 && j < n / 2 && i - n / 2 < j && a[e] != 0)
          pairs.emplace_back(i - n / 2, j);
      }
    std::sort(pairs.begin(), pairs.end());
    Pairs wiring = network.wiring;
    std::sort(wiring.begin(), wiring.end());
    EXPECT_EQ(pairs, wiring) << name;
    const SpectralBox box = map.box(network.theta);
    EXPECT_GT(box.frequency, 0) << name;
    EXPECT_GE(box.decay, 0) << name;
  }
}

TEST(NetworkSystems, CurrentsOfAGridOfInductorsKeepTheCharge) {
  // What flows out of one capacitor flows into another: d/dt Σ C v = 0 in every state.
  const NetworkSystem network = network_system({Topology::rlc_grid, 5, 4, 10, 0.1, 3});
  const Vector storage = parameter(network.system, "storage");
  const Vector flow = storage.head(20).transpose() * network.system.a.topRows(20);
  EXPECT_LE(flow.cwiseAbs().maxCoeff(), 4 * epsilon);
}

}  // namespace
}  // namespace lgn
