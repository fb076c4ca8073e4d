#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lgn/data/edges.h"
#include "lgn/dynamics/systems.h"

namespace lgn {

/// How the nodes of an example network are wired.
///
/// ladder: the RLC ladder of systems.h, states v1, i1, v2, …; L, C and R of every section.
/// chain: masses in a row, springs between neighbours, and to a wall from both ends.
/// grid: the same on a rectangle, row by row; every mass on its rim has a spring to the wall.
/// ring: a closed chain of states, each coupled to the next.
/// tree: state k is coupled to one of the states before it, all equally likely.
/// rlc_grid ("rlc-grid"): capacitors on a rectangle, row by row, a lossy inductor between neighbours; states v1 … of the
/// capacitors, i1 … of the inductors, those to the right of a capacitor and then below it.
///
/// Masses have a damper to the ground each, and states q1 … qN, v1 … vN: M q̈ + C q̇ + K q = 0 with
/// K positive definite. Rings and trees are S − D in states x1 … xN: couplings of random sign, and
/// losses on half of the states, chosen at random, at least one.
enum class Topology { ladder, chain, ring, grid, tree, rlc_grid };

/// Networks of more states than this have no dense generator: see NetworkSystem::large.
inline constexpr Index most_dense_states = 4000;

/// The topology of that name. Throws Error for another name.
Topology find_topology(const std::string& name);

/// An example network; its element values are independent and log-uniform.
struct NetworkRecipe {
  Topology topology = Topology::ladder;
  /// Sections of a ladder, masses of a chain, states of a ring (≥ 3) or a tree (≥ 2), rows of a
  /// grid; ≥ 1.
  Index size = 4;
  /// Of a grid of masses or capacitors; 0: as many as rows.
  Index columns = 0;
  /// Largest value over smallest, in [1, 1e6]; the geometric mean of storages, springs and couplings
  /// is 1.
  double spread = 1;
  /// Geometric mean of resistances, dampers or losses, in [0, 1e6].
  double loss = 0.1;
  std::uint64_t seed = 1;
};

/// A system and its true wiring.
struct NetworkSystem {
  System system;
  /// The pairs that couple, in order. Of masses: the channels of their positions.
  std::vector<ChannelPair> wiring = {};
  /// The structure of a network too large for a dense generator, and its θ; `a`, `energy` and `parameters` of the system are
  /// then empty.
  std::shared_ptr<const NetworkStructure> large = nullptr;
  Vector theta = {};

  /// Of the state.
  Index dimension() const;
};

/// Makes the network, O(size) for large ones; the same for the same recipe. Its structure is "network" with the parameters
/// S, d and storage, or "mechanical" with K, C and M. Its states share a unit in a ring, a tree, and
/// a ladder of equal elements. Throws Error for a recipe that makes no sense.
NetworkSystem network_system(const NetworkRecipe& recipe);

}  // namespace lgn
