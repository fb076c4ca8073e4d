#pragma once

#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn::studies {

/// A robust design of a system that was identified from noisy data, and in how many draws of its covariance the targets hold.
struct RobustCase {
  std::string name;
  double nominal;  ///< part of the draws in which the design without errors holds
  double held;     ///< the same of the robust design
  double cost;     ///< its objective over that of the design without errors
  Index count;
};

/// Ladders with noise of several sizes and seeds, ζ ≥ 0.2 at the least total of the resistors.
std::vector<RobustCase> robust_cases();

}  // namespace lgn::studies
