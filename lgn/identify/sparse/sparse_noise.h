#pragma once

#include "lgn/core/partition.h"
#include "lgn/data/dataset.h"
#include "lgn/identify/sparse/sparse_problem.h"

namespace lgn {

/// Root mean square of each channel; that of all values, in the whole partition, where a channel is zero throughout.
Vector amplitudes_in(const Dataset& data, const Partition& partition);

/// σ of each channel by what a cubic through two neighbours on each side leaves of a sample: motion that samples resolve
/// leaves little, noise all of it.
Vector noise_by_interpolation(const Dataset& data, const Vector& amplitudes,
                              const Partition& partition);

/// σ of each channel by the residuals of a fit with so many unknowns in the whole.
Vector noise_by_residuals(const SparseProblem::Misfit& misfit, Index unknowns,
                          const Vector& amplitudes, const Partition& partition);

}  // namespace lgn
