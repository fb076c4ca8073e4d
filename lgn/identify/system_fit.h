#pragma once

#include "lgn/core/error.h"
#include "lgn/identify/offset.h"

namespace lgn {

/// Fits what the options ask for: one state per channel (fit_with_offset), or as many as are asked for or the data support
/// (order.h). Where the choice is left to the data, and channels are forty at most, hidden states are looked for when one state per channel leaves more than
/// noise, and taken where the Bayesian information criterion wants them and they predict what they have not seen as well. More channels
/// that share motions of low rank have hidden states (channel_compression.h), where those explain them.
OffsetFit fit_system(const Dataset& data, const FitOptions& options);

/// Why no mode was found in data that no fit predicts.
NotIdentified no_free_motion();

}  // namespace lgn
