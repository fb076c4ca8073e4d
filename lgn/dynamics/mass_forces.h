#pragma once

#include <string>
#include <vector>

#include "lgn/dynamics/nonlinear_structures.h"

namespace lgn {

/// One power of a spring, or of a damper, between masses i and j (−1: the ground): it pulls mass i back by θ e^power, e = q_i − q_j
/// or its rate; a pendulum by θ sin q_i.
struct MassForce {
  enum class Kind { spring, damper, pendulum };
  Kind kind;
  Index i, j, power;
  std::string name;
  double lower;     ///< of θ
  Index parameter;  ///< its place in θ
};
/// All those of nonlinear_mechanical_structure, in the order of its parameters.
std::vector<MassForce> mass_forces(Index masses, const MechanicalTerms& terms);

}  // namespace lgn
