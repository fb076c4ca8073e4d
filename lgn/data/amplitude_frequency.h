#pragma once

#include <optional>
#include <string>

#include "lgn/data/dataset.h"

namespace lgn {

/// How the frequency of a channel's swings changes with their amplitude, as that of a pendulum does.
struct AmplitudeFrequency {
  std::string channel;
  double small = 0,
         large = 0;  ///< frequency of the smallest and of the largest swings, per unit of time
};

/// The channel whose half-swings, from one passage through its rest to the next, follow their amplitudes most plainly:
/// by a per cent at least over the record, nearly all of their variation, and better than they follow time. Nothing where there is none, or fewer than eight
/// swings in a run. `rest` (empty: zero) is what channels show at rest. O(samples).
std::optional<AmplitudeFrequency> find_amplitude_frequency(const Dataset& data,
                                                           const Vector& rest = {});

}  // namespace lgn
