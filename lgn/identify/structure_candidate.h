#pragma once

#include <limits>
#include <string>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// One structure that was considered, and what became of it.
struct StructureCandidate {
  std::string structure;
  Index states = 0;      ///< where they are hidden; 0: one per channel
  Index parameters = 0;  ///< what A may vary by; 0 for a network that was not found
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  double nrmse = none;      ///< on the part that was fitted
  double held_out = none;   ///< on the part that was not
  double criterion = none;  ///< Bayesian information criterion; smaller is better
  bool stable = true;
  bool chosen = false;
  std::string verdict;  ///< in words
};

}  // namespace lgn
