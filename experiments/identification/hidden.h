#pragma once

#include <string>
#include <vector>

namespace lgn::studies {

/// Hidden states of the six-state ladder from some of its channels: what is found beside what is possible.
struct HiddenRecovery {
  std::string data;
  int right = 0, tried = 0;  ///< data sets in which `auto` found the number of states, and all
  double error = 0;          ///< mean |Δλ|/|λ| with six states asked for
  double bound = 0;          ///< the same of an estimator at the Cramér–Rao bound
};
/// One channel; two runs; uneven times; 30% missing; two channels; two channels and two runs. The number of states in `seeds` data sets each, errors
/// in `repeats`, whose scatter is that of their mean.
std::vector<HiddenRecovery> study_hidden_recovery(int seeds = 10, int repeats = 200);

/// Coverage of 95% intervals of frequency and damping ratio with six states asked for.
struct HiddenCoverage {
  std::string data;
  double frequency = 0, damping = 0, shapes = 0;  ///< shapes: NaN where there is one channel
};
std::vector<HiddenCoverage> study_hidden_coverage(int repeats = 1000);

/// Records that are hard, one line each: what there is, what was found, in words and numbers.
struct HardRecord {
  std::string record, truth, found;
};
std::vector<HardRecord> study_hard_records();

}  // namespace lgn::studies
