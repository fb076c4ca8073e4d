#pragma once

#include <string>
#include <vector>

namespace lgn::studies {

/// Coverage of 95% intervals where the data are not as the textbook wants them.
struct ConditionCoverage {
  std::string condition;
  double frequency = 0,
         damping = 0;  ///< fractions of all modes and repeats whose interval holds the truth
};

/// White noise; noise with lag-one correlation 0.7; a 2% nonlinear stiffness (truth: the linear system nearest to very
/// many runs); an offset; 10% outliers with the loss huber; a network with losses near zero, where a limit counts as an
/// interval from zero. `repeats` data sets each.
std::vector<ConditionCoverage> study_conditions(int repeats = 200);

}  // namespace lgn::studies
