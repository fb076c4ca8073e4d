#pragma once

#include <string>
#include <vector>

namespace lgn::studies {

/// Towers shaken by wind: what is found in a record of all floors, and how intervals cover.
struct VibrationStudy {
  std::string wind;
  int tried = 0;
  int complete = 0;      ///< records in which every mode was found
  int invented = 0;      ///< lightly damped modes that are none of the tower's, in all records
  double frequency = 0;  ///< part of 95% intervals that hold the truth
  double damping = 0;
  double damping_bias = 0;   ///< mean of (ζ − truth)/truth
  double damping_error = 0;  ///< root mean square of it
  double seconds = 0;        ///< of a fit, processor time
};

/// Five floors, the lowest mode at 1 Hz, 1% damping, 5% noise, 10,000 samples at 20 Hz; white forces, and such as are forgotten in a third of a second.
std::vector<VibrationStudy> study_vibration(int repeats = 200);

}  // namespace lgn::studies
