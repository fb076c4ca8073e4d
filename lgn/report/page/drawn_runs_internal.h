#pragma once

// What a report draws of the runs; not installed.

#include <limits>
#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/model/model.h"
#include "lgn/physics/autocorrelation.h"

namespace lgn {

/// One run beside the model: rows are channels, columns points to draw (envelope.h). Of random vibration data alone: no initial
/// state tells its course.
struct DrawnRun {
  std::string label;
  Vector times, curve_times;
  Matrix data, residual;  ///< at `times`
  Matrix curve;           ///< the model at `curve_times`
  /// From here on the run is for validation, and was not fitted.
  double validation_from = std::numeric_limits<double>::infinity();
};

/// All runs and channels that fit into a page of a few megabytes, the first ones where there are more.
struct DrawnRuns {
  std::vector<DrawnRun> runs;
  Index channels = 0;
  Autocorrelation autocorrelation;  ///< of the residuals of the fitted part, every channel
  Vector residual_power, power;     ///< mean squares of the same residuals, and of the data
  Vector validation_power;  ///< mean squares of the residuals of the validation part; empty: none
  double validation_values = 0;  ///< of how many values
  bool finite = true;            ///< whether the model stays within the range of numbers
};

DrawnRuns draw_runs(const Model& model, const Dataset& data);

}  // namespace lgn
