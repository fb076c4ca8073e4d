#pragma once

#include <vector>

#include "lgn/identify/likelihood/problem.h"

namespace lgn {

/// How much each sample is worth: σ of every channel, and factors that take weight from outliers.
struct NoiseEstimate {
  Vector sigma;
  std::vector<Matrix> factors = {};  ///< one matrix per run; empty: all one
  double samples = 0;                ///< that each σ is estimated from

  /// Whether the weights of another estimate are the same but for a common factor, up to what chance
  /// does to estimates from so many samples.
  bool resembles(const NoiseEstimate& other) const;
};

/// The noise of each channel from the residuals of a fit.
///
/// Root mean square of the residuals (theory, Eq. 41); with `robust` 1.4826 times their median, and
/// Huber's factors min(1, 1.345 σ/|r|) (theory, Eq. 42). A channel is never taken to be more than a
/// thousand times quieter, relative to its `size`, than the middle one: residuals at the level of
/// rounding mean nothing.
///
/// Of any residuals, one matrix per run, and where samples are present; unknowns leave this `share` of the values.
NoiseEstimate estimate_noise(const std::vector<Matrix>& residuals,
                             const std::vector<Matrix>& presence, double share, const Vector& sizes,
                             bool robust);
NoiseEstimate estimate_noise(const Problem& problem, const Problem::Profile& profile,
                             const Vector& sizes, bool robust);

}  // namespace lgn
