#pragma once

#include <string>
#include <vector>

namespace lgn::studies {

/// Two modes under an input, with noise that is not white: what is found with each model of the noise.
struct ColouredRecovery {
  std::string noise;
  bool innovation = false;            ///< an innovations form was asked for, else white noise
  double error = 0;                   ///< mean |Δλ|/|λ|
  double frequency = 0, damping = 0;  ///< coverage of 95% intervals
  double next = 0;  ///< standard deviation of what is left: of the next sample, or of a simulation
  double seconds = 0;  ///< of a fit
};
/// Forces on the states, and coloured noise of the channel; `repeats` data sets each.
std::vector<ColouredRecovery> study_coloured(int repeats = 200);

/// How often `auto` takes an innovations form: of such data, and of data with white noise.
struct ColouredChoice {
  int coloured = 0, white = 0, tried = 0;
};
ColouredChoice study_choice(int repeats = 20);

}  // namespace lgn::studies
