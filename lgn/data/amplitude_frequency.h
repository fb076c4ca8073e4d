#pragma once

#include <optional>
#include <string>

#include "lgn/data/dataset.h"

namespace lgn {

/// How the frequency of a channel's swings changes with their amplitude, as that of a pendulum does.
struct AmplitudeFrequency {
  std::string channel;
  double small = 0;               ///< frequency of the smallest swings, per unit of time
  double large = 0;               ///< and of the largest
  bool rather_than_time = false;  ///< amplitude explains it much better than time does
};

/// The channel whose half-swings, from one passage through its rest to the next, follow their amplitudes most plainly:
/// by a per cent at least over the record, and most of their variation. Nothing where there is none, or fewer than eight
/// swings in all. `rest` (empty: zero) is what channels show at rest. O(samples).
std::optional<AmplitudeFrequency> find_amplitude_frequency(const Dataset& data,
                                                           const Vector& rest = {});

}  // namespace lgn
