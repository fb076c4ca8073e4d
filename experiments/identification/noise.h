#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn::studies {

/// Experiment 4: the ladder of three sections, R = 0.1, under noise, with unknown starts.
struct NoiseOptions {
  double noise = 0.05;  ///< σ relative to the standard deviation of the clean data
  Index runs = 5, samples = 300;
  double step = 0.1;
  bool uneven = false;  ///< random times over samples·step instead of a grid
  double missing = 0;   ///< fraction of values
  int seeds = 50;       ///< data sets, each from starts of its own
  std::string structure = "sd";
};

/// Means over the data sets.
struct NoiseStudy {
  double error = 0;      ///< mean |Δλ|/|λ| over modes
  double bound = 0;      ///< what the Cramér–Rao bound predicts for it
  double worst = 0;      ///< the largest error of one data set
  int aliasing = 0;      ///< models that warn of it
  int fastest_open = 0;  ///< models whose fastest pair is marked as not determined
  int not_converged = 0;
};
NoiseStudy study_noise(const NoiseOptions& options = {});

/// How often intervals hold the truth.
struct CoverageOptions {
  double noise = 0.05;
  Index runs = 5, samples = 300;
  double step = 0.1;
  int repeats = 1000;
  std::uint64_t seed = 1;  ///< of the starts, the same in all repeats, and of the noise
};

/// Of one oscillation.
struct ModeCoverage {
  Complex pole;                       ///< the true one, Im λ > 0
  double frequency = 0, damping = 0;  ///< fractions of repeats whose interval holds the truth
};
std::vector<ModeCoverage> study_coverage(const CoverageOptions& options = {});

}  // namespace lgn::studies
