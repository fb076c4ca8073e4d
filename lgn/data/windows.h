#pragma once

#include "lgn/data/dataset.h"

namespace lgn {

/// Every run cut into windows of `samples` samples, each a run of its own; the last one takes a
/// remainder that is too short to stand alone. Windows without any value are left out.
Dataset cut_windows(const Dataset& data, Index samples);

/// Windows of `samples` samples, each a run of its own, spread evenly over every run from its beginning to its end, that
/// together hold about `most`; every run keeps one at least, and all that it has where that is no more than a window.
Dataset spread_windows(const Dataset& data, Index samples, Index most);

/// Every run split in time: the first 1 − fraction of its samples, and the rest. A part keeps at
/// least two samples; throws Error when a run is too short for that or the fraction is not in (0,
/// 1).
struct Split {
  Dataset train, holdout;
};
Split split_in_time(const Dataset& data, double fraction);
/// How many samples of a run its first part has.
Index fitted_samples(Index samples, double fraction);

/// The first so many samples of each run, or all that it has.
Dataset first_samples(const Dataset& data, Index samples);

/// The samples of each run from one time to another, both included; runs of which fewer than two are left drop out. Throws
/// Error where all do.
Dataset between_times(const Dataset& data, double from, double to);

/// Every `stride`-th sample of each run, from the first on, two of each at least.
Dataset every_so_many(const Dataset& data, Index stride);

/// The same runs with times t ↦ t·factor.
Dataset rescale_time(const Dataset& data, double factor);

}  // namespace lgn
