#pragma once

#include <cstdint>
#include <string>

#include "experiments/identification/hard_systems.h"

namespace lgn::studies {

/// Systems of which data show a part: what the model claims must be true.
struct HonestyOptions {
  Index runs = 3;
  double noise = 0;  ///< relative to each channel, or to all where they share a unit
  std::uint64_t seed = 1;
};

/// What was claimed of the modes, and what of it holds.
struct Honesty {
  std::string structure;  ///< that auto chose
  Index modes = 0, identifiable = 0;
  Index unexplained = 0;  ///< modes that are not determined, without a reason
  Index unexamined = 0;   ///< modes without a verdict
  /// Identifiable modes that are farther than 5 standard errors and 1e-6 |λ| from every true pole.
  Index wrong = 0;
  double worst = 0;  ///< the largest |Δλ| of an identifiable mode, in units of that allowance
  double nrmse = 0;
  bool converged = false;
};
Honesty study_honesty(const HardSystem& observed, const HonestyOptions& options = {});

/// An oscillator in position and velocity, sampled by a camera: steps of 33 or 34 ms at random.
struct JitterOptions {
  double omega = 2.494, damping_ratio = 0.0027;
  double noise = 0.01;
  Index samples = 900;
  int seeds = 10;
};

/// Over the seeds.
struct Jitter {
  int metric = 0;     ///< models for which auto chose metric
  int converged = 0;  ///< models
  double worst = 0;   ///< the largest |ΔRe λ| or |ΔIm λ|, in its standard errors
};
Jitter study_jitter(const JitterOptions& options = {});

}  // namespace lgn::studies
