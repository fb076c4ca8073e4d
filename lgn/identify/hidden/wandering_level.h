#pragma once

#include "lgn/data/dataset.h"

namespace lgn {

/// What a record is that has no modes: each channel shows a level that wanders, y = μ + e, μ(t + h) = μ(t) + w, with e and w white
/// and the variance of w in proportion to h. With w = 0 it is a constant in white noise, with e = 0 a random walk.
struct WanderingLevel {
  double criterion;  ///< as order_criterion() has it, levels and variances of w being the unknowns
  bool
      explains;  ///< whether it leaves noise alone of every channel: predictions of the next sample err at random
};

/// The likeliest such levels, by the Kalman filter of each channel: O(values), some thirty times.
WanderingLevel wandering_level(const Dataset& data);

}  // namespace lgn
