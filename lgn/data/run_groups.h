#pragma once

#include <vector>

#include "lgn/data/dataset.h"

namespace lgn {

/// Runs that are sampled at the same times, to the rounding of what these were computed from.
struct RunGroup {
  Vector times;             ///< of the first of them, from zero or by the clock
  std::vector<Index> runs;  ///< their places in the data, ascending
};

/// All runs by their times: since the beginning of each, or `by_clock`.
std::vector<RunGroup> group_runs(const Dataset& data, bool by_clock);

}  // namespace lgn
