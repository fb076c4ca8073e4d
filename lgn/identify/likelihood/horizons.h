#pragma once

#include <vector>

#include "lgn/data/dataset.h"

namespace lgn {

/// Lengths of windows, in samples, over which to fit one after the other: about one radian of the
/// signals, then four times longer each, and last the longest run.
///
/// A long trajectory has many local minima, because a wrong frequency that is off by whole turns
/// looks right again; windows of a radian have one, and each horizon starts from the last one's
/// result.
std::vector<Index> horizons(const Dataset& data);

}  // namespace lgn
