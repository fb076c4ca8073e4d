#pragma once

#include "lgn/data/dataset.h"

namespace lgn {

/// How many samples at the beginning of a run show a system at rest, which says nothing of its dynamics: a recorder that was
/// started before the blow. Zero unless all channels keep a value but for white noise there, for a twentieth of the run and
/// twenty samples at least, and one of them then leaves it for good: by six standard deviations and a twentieth of its largest
/// excursion, which is twenty times the noise. Linear in the number of values.
Index samples_at_rest(const Trajectory& run);

/// The same runs without those samples; `left_out` is told how many there were in all.
Dataset without_rest(const Dataset& data, Index& left_out);

}  // namespace lgn
