#pragma once

#include <string>
#include <vector>

#include "lgn/data/dataset.h"

namespace lgn {

/// A channel that says again what one before it says, noise included: y = factor · y_of + constant.
struct RepeatedChannel {
  Index channel = 0, of = 0;
  double factor = 1, constant = 0;
};

/// Channels whose samples are those of one before them, or a multiple of these with a constant beside it: a sensor that was read
/// twice, or is there in two units. A multiple is one where channels have noise of which they share all but a hundredth: motion in one
/// mode alone makes multiples, too, and noise of their own tells them apart. Linear in the number of values but where hundreds of
/// channels are alike.
std::vector<RepeatedChannel> repeated_channels(const Dataset& data);

/// "b is a, c is 2 a + 3".
std::string repetitions(const std::vector<RepeatedChannel>& repeated, const Dataset& data);

/// The same data in these channels alone; as they are where not all of them are there.
Dataset of_channels(const Dataset& data, const std::vector<std::string>& channels);

}  // namespace lgn
