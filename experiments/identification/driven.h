#pragma once

#include <string>
#include <vector>

namespace lgn::studies {

/// Four masses with a force on the first, of which two positions are measured, with 2% noise: what is found beside what is
/// possible.
struct DrivenRecovery {
  std::string data;
  int sets = 0;                       ///< data sets
  int right = 0, tried = 0;           ///< data sets in which `auto` found eight states, and all
  double error = 0;                   ///< mean |Δλ|/|λ| with eight states asked for
  double bound = 0;                   ///< the same of an estimator at the Cramér–Rao bound
  double frequency = 0, damping = 0;  ///< coverage of 95% intervals
};
/// Held and linear inputs at even times, `many` data sets each; at uneven times and with gaps, `some` each. Of all `orders` for `auto`.
std::vector<DrivenRecovery> study_driven(int many = 1000, int some = 200, int orders = 5);

}  // namespace lgn::studies
