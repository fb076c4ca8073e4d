#pragma once

#include <string>
#include <vector>

namespace lgn::studies {

/// Four masses with a force on the first, of which two positions are measured, with 2% noise: what is found beside what is
/// possible.
struct DrivenRecovery {
  std::string data;
  int right = 0, tried = 0;           ///< data sets in which `auto` found eight states, and all
  double error = 0;                   ///< mean |Δλ|/|λ| with eight states asked for
  double bound = 0;                   ///< the same of an estimator at the Cramér–Rao bound
  double frequency = 0, damping = 0;  ///< coverage of 95% intervals
};
/// Held and linear inputs, at even and uneven times, with gaps; `seeds` data sets each, of which `orders` for `auto`.
std::vector<DrivenRecovery> study_driven(int seeds = 50, int orders = 5);

}  // namespace lgn::studies
