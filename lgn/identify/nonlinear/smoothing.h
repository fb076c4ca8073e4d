#pragma once

#include "lgn/data/dataset.h"

namespace lgn {

/// Samples with less noise, for functions of them that are not linear: the mean of x² is not the square of the mean.
struct SmoothedData {
  Dataset data;  ///< at the same times, gaps filled; with rates, those of all channels follow these
  Vector noise;  ///< σ of each channel, by what was taken away
};

/// Each sample by the cubic polynomial of least squares through its neighbours, present ones, in time. Their number is the one,
/// of a few between 7 and 99, for which samples are best predicted by their neighbours without themselves (cross-validation).
/// Where that takes less than 3e-4 of a channel's deviation away, its samples stay as they are. With `rates` the slopes of these polynomials
/// are there too, in channels of their own. O(K · neighbours).
SmoothedData smooth(const Dataset& data, bool rates = false);

/// Samples of all runs, a column each.
Matrix all_states(const Dataset& data);

}  // namespace lgn
