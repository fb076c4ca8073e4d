#pragma once

#include "lgn/data/dataset.h"

namespace lgn {

/// Root mean square of all values that are present.
double amplitude(const Dataset& data);

/// Root mean square of each channel; that of all channels, or what is given, where a channel is zero throughout.
Vector channel_amplitudes(const Dataset& data);
Vector channel_amplitudes(const Dataset& data, double of_zeros);

/// Mean of each channel over the values that are present.
Vector channel_means(const Dataset& data);

/// How fast the signals move, in radians per unit of time: 0.72/τ, where τ is the shortest lag at
/// which samples differ by half their variance, 1 − cos 0.72 ≈ ¼ for one oscillation. Channels
/// count relative to their own size. Differences over such a lag stand clear of measurement noise,
/// which those of neighbours do not.
double typical_rate(const Dataset& data);

/// Median time between samples of a run, over all runs.
double median_step(const Dataset& data);

/// From the first sample of any run to the last.
struct TimeSpan {
  double begin = 0, end = 0;
};
TimeSpan time_span(const Dataset& data);

/// From the first sample to the last of the longest run.
double longest_duration(const Dataset& data);

}  // namespace lgn
