#pragma once

#include <cstdint>
#include <string>

#include "lgn/dynamics/systems.h"

namespace lgn::studies {

/// Experiment 3: exact structure, data from an adaptive integrator.
struct RecoveryOptions {
  Index runs = 3;
  double end = 30, step = 0.1;
  double test_end = 100;  ///< of the prediction from e₁ + ½e₂
  std::string structure = "sd";
  std::uint64_t seed = 1;
};

/// How far the model is from the system.
struct Recovery {
  double data_error = 0;       ///< of the integrator, RMS over RMS
  double generator_error = 0;  ///< ‖A − A*‖/‖A*‖
  double pole_error = 0;       ///< mean |Δλ|
  double decay_error = 0;      ///< mean difference of sorted real parts, the paper's measure
  Index unstable = 0;          ///< poles with Re λ > 0
  double test_nrmse = 0;
  bool converged = false;
};
Recovery study_recovery(const System& system, const RecoveryOptions& options = {});

/// A.2: exact runs of a ladder with these resistances.
struct StiffOptions {
  Vector resistances = Vector{{0.01, 0.1, 1.0}};
  Index runs = 5;
  double end = 50, step = 0.1;
  std::uint64_t seed = 1;
};

/// Each pole of the ladder, and the relative error of the one found.
struct StiffPoles {
  ComplexVector truth;
  Vector relative_error;
};
StiffPoles study_stiff(const StiffOptions& options = {});

}  // namespace lgn::studies
