#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lgn/dynamics/network_systems.h"

namespace lgn {

/// A system for examples by its name, with the constants it is made of; each system uses its own.
struct SystemRecipe {
  /// oscillator, rlc, ladder, mass-spring, ltv-oscillator, ltv-chain, bell, tower, truss, beam, random, network, or the
  /// name of a nonlinear law (known_law_names()).
  std::string system;
  int sections = 3;                ///< of a ladder, two states each
  int masses = 3;                  ///< of mass-spring and ltv-chain
  std::optional<int> states = {};  ///< of a random system (6), a truss or a beam (120)
  double omega = 1;
  std::optional<double> gamma = {};  ///< 0.1; 0.3 for ltv-oscillator
  double mass = 1, stiffness = 1, damping = 0.05;
  double modulation = 0.5, modulation_frequency = 1;  ///< of ltv-oscillator
  double nonlinearity = 0.5;                          ///< β of nonlinear laws
  double drift = 0.3, tau = 15;                       ///< of ltv-chain
  double strike = 440;                                ///< of a bell, in Hz
  int floors = 5;                                     ///< of a tower
  double first_frequency = 1, memory = 0;             ///< of a tower, and of its wind
  double damping_ratio = 0.01;                        ///< of a tower, a truss or a beam
  double highest_frequency = 3;                       ///< of a truss or a beam, in Hz
  /// Of a ladder: one value for all sections or one per section; empty: 0.1, 1 and 1.
  std::vector<double> r = {}, l = {}, c = {};
  std::string topology = "ladder";  ///< of a network, as find_topology knows it
  std::string size = "4";           ///< of a network; "4x7" for the rows and columns of a grid
  double spread = NetworkRecipe{}.spread, loss = NetworkRecipe{}.loss;
  std::uint64_t seed = 1;  ///< of random systems and networks

  /// Whether runs start in the first unit vector unless told otherwise, instead of at random.
  bool starts_from_first_state() const;
};

/// The system of a recipe, with its wiring where it is a network. Throws Error for an unknown
/// name, a size that is no size or beyond memory, and constants that make no sense.
NetworkSystem build_system(const SystemRecipe& recipe);

}  // namespace lgn
