#pragma once

// How a record moves; private to the inspection of data and its tests.

#include <vector>

#include "lgn/data/inspection.h"

namespace lgn::inspection_internal {

/// The value that a channel swings about or settles at.
struct Level {
  double value = 0;
  bool stands_out = false;  ///< from zero, beyond what noise and too few swings can make
};

/// The mean of the last halves of the runs where the channel swings about it; where it creeps, the
/// limit of the means of the last three quarters (Aitken's Δ², exact for one exponential).
Level level_of(const std::vector<Vector>& runs, double noise);

/// Judges a record by its data, best without outliers, and by what is known about its channels.
RecordKind kind_of_record(const Dataset& data, const std::vector<ChannelInspection>& channels);

}  // namespace lgn::inspection_internal
