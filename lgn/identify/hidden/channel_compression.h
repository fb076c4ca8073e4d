#pragma once

#include <optional>

#include "lgn/data/dataset.h"
#include "lgn/identify/fit.h"

namespace lgn {

/// Many channels that share few motions: y = N U z + noise, N the noise of every channel, U an orthonormal basis of what they show
/// together. Few modes in many channels are of low rank, whatever their number of samples; z holds all that the data say about
/// them, in so few channels, with noise that is alike in all (singular values above that of the noise: Gavish & Donoho, IEEE
/// Trans. Inf. Theory 60:5040, 2014).
struct ChannelCompression {
  Vector noise;  ///< N: σ of every channel about that subspace
  Matrix basis;  ///< U: channels × components, orthonormal
  Dataset components;

  /// N U.
  Matrix map() const { return noise.asDiagonal() * basis; }
};

/// The compression of data about their centre; nothing where more than `most` singular values stand out of the noise, where none
/// does, where there is no noise and singular values fall without a gap, or where fewer than half of the samples are complete:
/// incomplete ones are left out. O(K l² + l³) for K samples of l
/// channels, or O(K² l + K³) where that is less.
std::optional<ChannelCompression> compress_channels(const Dataset& data, Index most);

/// The fit of hidden states to the components as one of all channels of `data`, those that were compressed.
///
/// The time courses of the states are those of the components; every channel's row of C, and its offset where one is estimated,
/// enter linearly and are the least squares of all samples that it has. Rates have the errors that the components say. Rows of C
/// have those of their channel's own residuals, and those by which rates and the reference channel move them. `with_errors`:
/// whether they are made. O(K n² + K n l) for n states.
Fit in_all_channels(const Fit& fit, const ChannelCompression& compression, const Dataset& data,
                    bool with_errors);

}  // namespace lgn
