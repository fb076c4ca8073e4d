#pragma once

#include <cstdint>
#include <optional>

#include "lgn/data/dataset.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/input_course.h"

namespace lgn {

/// How to observe a known system.
struct SamplingOptions {
  Index runs = 1;
  double end = 30;  ///< samples at 0, step, 2 step, … < end
  double step = 0.1;
  /// Standard deviation of the noise, relative to that of the clean signal: of all channels
  /// together where they share a unit, else of each.
  double noise = 0;
  std::uint64_t seed = 1;
  /// The start of every run; by default that of the system, where it has one, else each is random, normal directions
  /// scaled to ½‖x₀‖² ≈ 1.
  std::optional<Vector> start = {};
  /// An input "u" that drives the system (excitation.h), and how it goes on between samples; empty: free motion.
  std::string input = {};
  Hold hold = Hold::zoh;
};

/// Exact trajectories of the system, with noise. Throws Error for options that make no sense.
Dataset sample_runs(const System& system, const SamplingOptions& options = {});

}  // namespace lgn
