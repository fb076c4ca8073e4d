#pragma once

#include "lgn/data/dataset.h"

namespace lgn {

/// How much there is to learn from: singular values of all samples side by side, each channel in units
/// of its own noise, and what noise alone would reach.
///
/// Directions of state space whose singular value is not above the floor are not seen in the data;
/// what a model says about them is what its structure demands.
struct SignalContent {
  Vector
      singular_values;  ///< descending, at most one per channel; empty where no sample is complete
  double floor = 0;  ///< √K + √n of K samples, the largest of pure noise (Davidson & Szarek 2001)

  Index above_floor() const { return (singular_values.array() > floor).count(); }
};

/// `noise`: σ of each channel, positive. Samples with a missing channel are left out. O(K n²).
SignalContent find_signal_content(const Dataset& data, const Vector& noise);

}  // namespace lgn
