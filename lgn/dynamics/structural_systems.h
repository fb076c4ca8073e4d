#pragma once

#include "lgn/core/random.h"
#include "lgn/dynamics/systems.h"

namespace lgn {

/// Structures of many states, M q̈ + C q̇ + K q = 0 with q and q̇ measured, states q first: n = 2 × degrees of freedom. Every mode has
/// the same damping ratio, C = M Φ diag(2 ζ ω) Φᵀ M for mass-normalised mode shapes Φ, and stiffnesses are scaled so that the
/// fastest natural frequency is `highest` (Hz). The energy is ½ qᵀKq + ½ q̇ᵀMq̇. An input is a force on the first degree
/// of freedom. O(n³). Both throw Error for a number of states that they cannot have, and for constants that are not positive.

/// A mast: a space frame of bars between pin joints of equal mass, three to a storey, fixed at its foot. Each joint moves in three
/// directions and is tied to the joints of its storey and to the three below by bars whose stiffness differs by up to ±30% at
/// random, so that no two modes are alike. `states` is a multiple of 6, from 6 to 1,000; channels x1, y1, z1 … and vx1 ….
System truss(Index states, double highest, double damping_ratio, Random& random);

/// A cantilever after Euler and Bernoulli: finite elements of unit length with cubic deflection, EI and ρA the same in all. Its
/// nodes have a deflection and a rotation; `states` is a multiple of 4, from 4 to 1,000; channels w1, r1 … and vw1, vr1 ….
/// Natural frequencies grow with the square of their number: a record that resolves the fastest sees little of the slowest.
System beam(Index states, double highest, double damping_ratio);

}  // namespace lgn
