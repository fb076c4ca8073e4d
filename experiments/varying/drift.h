#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn::studies {

/// A chain of masses whose middle spring drifts, k(1 + a tanh(t/τ)), found as a full A(t) with splines.
struct DriftOptions {
  Index masses = 5, runs = 3;
  double stiffness = 1, damping = 0.05, drift = 0.3, tau = 15;
  double end = 30, noise = 0.01;
  std::uint64_t seed = 1;
};

/// The band is an entry's course ± 1.96 standard errors.
struct DriftStudy {
  std::vector<std::string> varying;  ///< entries that were found to vary
  Index missing = 0, extra = 0;      ///< entries that do vary and were not found, and the other way
  double largest_pull = 0, mean_pull = 0;  ///< |course − truth|/se, over true entries and times
  double coverage = 0;  ///< share of time in which the band holds the truth, mean over true entries
  double largest_error = 0;  ///< of a course
  Index parameters = 0;
  double nrmse = 0;  ///< of the fit
  double seconds = 0;
};
DriftStudy study_drift(const DriftOptions& options = {});

}  // namespace lgn::studies
