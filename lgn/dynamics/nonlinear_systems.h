#pragma once

#include <string>
#include <vector>

#include "lgn/dynamics/nonlinear_structures.h"

namespace lgn {

/// A nonlinear law with known constants, for examples and comparisons with the truth.
struct KnownLaw {
  NonlinearRecipe recipe;
  Vector theta;
  std::vector<std::string> channels;
  double start_size = 1;  ///< of random initial states, beside those of linear systems
};

/// duffing (q̈ = −ω²q − βq³ − γq̇), pendulum (q̈ = −ω² sin q − γq̇), saturating-rlc (a coil whose inductance falls with its current
/// as 1/(1 + βi²), 1/C = ω²), rigid-body (moments of inertia 1, 2, 3 with friction), lorenz (σ = 10, ρ = 28, β = 8/3),
/// duffing-chain (`masses` between walls, springs ω²e + βe³) or van-der-pol (q̈ = −ω²q + γ(1 − q²)q̇, which gains energy).
/// Throws Error for another name, and constants below zero.
KnownLaw known_law(const std::string& name, double omega, double gamma, double beta, Index masses);

/// The same law with an input that acts on the states as this column says.
KnownLaw with_input(KnownLaw law, const Vector& gain);

/// Names that known_law knows.
const std::vector<std::string>& known_law_names();

}  // namespace lgn
