#pragma once

#include <string>
#include <vector>

#include "lgn/dynamics/systems.h"

namespace lgn::studies {

/// Whether a generator that varies is chosen where the structure is left to the program.
struct FalseAlarmOptions {
  std::vector<double> noises = {0, 0.01, 0.05};
  int seeds = 5;  ///< 1, 2, …: of starts and noise, and of the random system
};
/// A constant system.
struct FalseAlarms {
  std::string system;
  double noise = 0;
  int data_sets = 0, alarms = 0;
  std::vector<std::string> chosen;  ///< structures, each once
};
std::vector<FalseAlarms> study_false_alarms(const FalseAlarmOptions& options = {});

/// The paper's oscillator with another modulation a.
struct DetectionOptions {
  double modulation = 0.5, noise = 0.01;
  int seeds = 10;  ///< 1, 2, …
};
struct Detection {
  int found = 0;     ///< data sets in which the generator was found to vary
  int as_it_is = 0;  ///< and in which that is d₂ alone, with one frequency
};
Detection study_detection(const DetectionOptions& options = {});

}  // namespace lgn::studies
