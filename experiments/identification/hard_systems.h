#pragma once

#include "lgn/dynamics/systems.h"

namespace lgn::studies {

/// A system that is hard to identify, and how it is observed: at 0, step, 2 step, … < end.
struct HardSystem {
  std::string name;
  System system;
  double end = 0, step = 0;
};

/// A heated rod with cold ends: u̇ = u_xx/π² at 100 inner points. All poles are real, from −1, which
/// decays by e⁻⁴ within a run, to −4,100, which no sample shows.
HardSystem heated_rod();

/// A shear building of 24 floors of equal mass on storeys of equal stiffness: 0.5 to 16 Hz, damped by 1%
/// of critical at 1 Hz, half of it in proportion to mass, half to stiffness. Displacements in
/// millimetres, velocities in metres per second.
HardSystem shear_building();

/// Advection and diffusion between two sinks: u̇ = −u_x + u_xx/20 at 60 inner points of (0, 1), central
/// differences. Symmetric in the variables u e^(−10x) alone, so that poles have conditions up to e^10.
HardSystem advection_diffusion();

}  // namespace lgn::studies
