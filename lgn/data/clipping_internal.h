#pragma once

// Sensors whose range ends beneath their noise; private to the inspection of data and its tests.

#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn::inspection_internal {

/// Samples of a channel, run by run, that stand at an end of its range with noise of this size on top; 0 where that is not plain.
///
/// A motion that is cut off comes to the end as fast as it moves, stays there for longer than it could have turned in, scattered by
/// noise alone, and leaves as fast, at least three times. A smooth motion slows down first, a square wave has no samples on its way,
/// and one that settles comes slower the nearer it is. Linear in the number of values.
Index clipped_under_noise(const std::vector<Vector>& runs, double noise);

}  // namespace lgn::inspection_internal
