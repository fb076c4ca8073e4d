#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/flow/input_course.h"
#include "lgn/physics/modes.h"

namespace lgn {

/// A system as it is known before it is measured: ẋ = A x + B u, y = C x + D u.
struct PlannedSystem {
  std::vector<std::string> channels;
  Matrix a, c;
  /// Initial states of free runs, one column each; runs beyond the last begin as the first ones do. Driven runs begin at rest.
  Matrix starts;
  Drive drive = {};            ///< inactive: the system moves freely
  bool offset = false;         ///< whether a fit will estimate what channels show at rest
  ComplexVector doubted = {};  ///< poles that need not be found
  std::string time_unit = "s";
};

/// What is to be recorded: samples at 0, 1/rate, 2/rate, … for as long as `duration`.
struct PlannedRecord {
  double duration = 0, rate = 0;
  Index runs = 1;
  std::vector<Index> sensors = {};  ///< the channels that are measured; empty: all
  Vector noise = {};                ///< σ of every channel, of those that are not measured too
  std::string input = "steps";      ///< of a driven system: its excitation (excitation.h)
  double amplitude = 1;             ///< rms of each input
  std::uint64_t seed = 1;           ///< of inputs with random parts
};

/// What a fit to such a record is expected to say.
struct Expectation {
  /// With the standard errors to expect, in the order of find_modes.
  std::vector<Mode> modes;
  /// −½ log det of the covariance of all poles' parameters, shapes and all else eliminated; −∞ where one of them is not determined.
  double information = 0;
  Index values = 0, unknowns = 0;  ///< numbers that are measured, and estimated
};

/// The exact signals of the planned record in all channels, one run for each initial state that differs, with inputs where there are some.
Dataset planned_signals(const PlannedSystem& system, const PlannedRecord& record);

/// How large signals are: the rms of every channel over the runs of the planned record.
Vector planned_rms(const PlannedSystem& system, const PlannedRecord& record);

/// The inputs of a run: each of the given rms, each with random numbers of its own; chirps of several inputs one after another.
Matrix planned_inputs(const PlannedSystem& system, const PlannedRecord& record,
                      const Vector& times);

/// Standard errors of the poles from the Fisher information of the record (theory, Eq. 43), initial states, mode shapes, B, D and the offset
/// eliminated, carried to frequencies and damping ratios (theory, Eq. 45): those of a maximum likelihood fit of the modal structure, whose noise is
/// independent and normal. Nothing is simulated but the signals without noise, and no random number is drawn but for inputs.
///
/// Information of repeated runs adds, and errors are proportional to the noise, exactly. O(values p²) for p parameters: n, and n more for
/// each sensor but one. Throws Error where the rate is too slow for a mode (half of it at or below the frequency), where there are fewer values
/// than unknowns, or more than `most_planned_values`.
Expectation expect_errors(const PlannedSystem& system, const PlannedRecord& record);

/// Values of one planned record that are worked through.
inline constexpr double most_planned_values = 1e6;

/// The fastest oscillation of the system, in cycles per unit of time: a rate must exceed twice of it.
double fastest_oscillation(const PlannedSystem& system);

}  // namespace lgn
