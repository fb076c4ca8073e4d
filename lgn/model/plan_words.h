#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lgn/model/model.h"
#include "lgn/physics/measurement_plan.h"

namespace lgn {

/// A measurement as people ask for it; what is empty is chosen, and the plan says how.
struct PlanOptions {
  /// Modes where there is no model: "3.2Hz,0.01" (frequency and damping ratio), or "5s" (a time constant), each followed by how large it is in
  /// every sensor, "3.2Hz,1%,1,0.5"; nothing: one sensor, all modes alike.
  std::vector<std::string> modes = {};
  std::string duration = {};  ///< of a run: "20s", "10min", or a number in the unit of time
  std::string rate = {};      ///< of samples: "200Hz", "1kHz", or a number in Hz
  std::string runs = {};      ///< how many; empty: one, or as many as the model has initial states
  /// "1%" of the rms of each channel over the planned record, or "0.01" in the channels' unit; or one for each channel, with commas.
  /// Empty: the noise of the model's own data, else 1%.
  std::string noise = {};
  std::vector<std::string> sensors = {};  ///< channels by name or number; empty: all
  std::vector<std::string> wants = {};    ///< "zeta<5%", "f<0.1%", "f2<0.01Hz", "tau<1%"
  std::string input = {};                 ///< of a driven system (excitation.h); empty: steps
  double amplitude = 1;                   ///< rms of every input
  std::uint64_t seed = 1;                 ///< of inputs with random parts
};

/// The plan for these modes, which are released from rest.
MeasurementPlan plan_for_modes(const PlanOptions& options);

/// The plan for another measurement of the system that a model describes: of free motion from the model's own initial states, or driven from rest.
/// Its structure counts as modal, which has no fewer free parameters than others: theirs do as well or better. Throws Error where A varies in time, and for random
/// vibration, whose errors follow other laws.
MeasurementPlan plan_for_model(const Model& model, const PlanOptions& options);

/// "zeta<5%" and its like. Throws Error for anything else; `time_unit` is that of "tau<1ms".
Want parse_want(const std::string& text, const std::string& time_unit = "s");

}  // namespace lgn
