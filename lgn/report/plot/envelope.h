#pragma once

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// A long signal for drawing: at most `most` points that keep every extreme.
///
/// Up to `most` samples stay as they are. More are cut into most/2 parts of equal numbers of samples; of each, the
/// least and the largest value stay, in their order, so that all signals with the same times share the
/// times of their envelopes. Missing samples (NaN) count only where a part has no other.
Vector envelope(const Vector& values, Index most);

/// Where the points of `envelope` stand: each part's pair at one and three quarters of it.
Vector envelope_times(const Vector& times, Index most);

}  // namespace lgn
