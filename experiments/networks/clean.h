#pragma once

#include <cstdint>

#include "experiments/networks/truth.h"

namespace lgn::studies {

/// The ladder of experiment 3: data without noise.
struct CleanOptions {
  Index sections = 50, runs = 3, samples = 300;
  double step = 0.1;
  bool integrated = true;  ///< by the paper's integrator; else exact
  bool named = false;      ///< as in LadderOptions
  std::uint64_t seed = 1;
};

/// What was found, and what the data themselves say.
struct Clean {
  WiringErrors wiring;
  double data_error = 0;  ///< RMS over RMS
  double error = 0;       ///< mean |Δλ|
  double shift = 0;       ///< mean Re Δλ
  /// δ by which the data decay faster (δ < 0) than the exact solution x*: that of the least
  /// Σ‖x − e^(δt) x*‖², to first order.
  double carried = 0;
  /// Mean |δ_k| of the same for every mode alone, w_kᴴx and w_kᴴx*, with complex δ_k.
  double carried_by_modes = 0;
  double left = 0;  ///< mean |Δλ − δ|
};
Clean study_clean(const CleanOptions& options = {});

}  // namespace lgn::studies
