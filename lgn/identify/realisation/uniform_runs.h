#pragma once

#include <vector>

#include "lgn/data/dataset.h"

namespace lgn {

/// Runs on one uniform grid of times: a column of a run is one sample of all channels, `step` after the one before it.
struct UniformRuns {
  double step = 0;
  bool regular = true;  ///< whether the data's times stand on it
  bool exact = true;    ///< whether the samples are those of the data: nothing was interpolated
  std::vector<Matrix> runs;
};

/// Data on a uniform grid, for starts alone: what is interpolated has errors that are not noise.
///
/// Where nine of ten steps are whole multiples of the median step, to 2%, samples stay as they are and missing ones are
/// filled by cubics; the step is then the mean over those steps. Otherwise channels are interpolated linearly at the mean
/// step: cubics between samples that stand close by chance would magnify noise. A run is cut at gaps of more than eight
/// steps, and begins and ends where every channel has a value; pieces of fewer than two samples are left out.
/// O(samples).
UniformRuns uniform_runs(const Dataset& data);

}  // namespace lgn
