#pragma once

#include <optional>

#include "lgn/data/dataset.h"

namespace lgn {

/// The few directions in which many channels really move: x ≈ diag(sizes) U z with z of r < n
/// states, U orthonormal.
///
/// A heated rod measured at two hundred places moves in twenty directions; what a generator does in
/// the others leaves no trace, and fitting it would only fit noise.
struct Reduction {
  Matrix basis;  ///< U, n × r
  Vector sizes;  ///< amplitude of each channel

  /// z of every sample.
  Dataset reduced(const Dataset& data) const;
  /// The generator of x whose part in these directions is the given one of z; every other direction
  /// decays at the rate of the fastest of them, since nothing is seen there.
  Matrix lifted(const Matrix& generator) const;
};

/// The directions whose singular value is above the floor of the data: that of the rounding, or of
/// the noise where the smallest singular values lie on a plateau. Nothing where all n directions
/// show, or samples are missing. O(K n²) for K samples.
std::optional<Reduction> find_reduction(const Dataset& data);

}  // namespace lgn
