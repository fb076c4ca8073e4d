#pragma once

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// How what a sample shows beyond its prediction moves the state, on a grid of times (theory, Eq. 70):
///     x̂_(k+1) = Φ x̂_k + … + K e_k,   e_k = y_k − (C x̂_k + D u_k + ȳ),
/// with e white and of this covariance. Noise that is not white, and forces nobody measured, are described so; without K
/// noise is white and of the samples alone.
struct Innovation {
  Matrix k;           ///< K, states × channels; empty: none
  Matrix covariance;  ///< E e eᵀ, channels × channels
  double step = 0;    ///< of the grid

  bool active() const { return k.size() > 0; }
};

}  // namespace lgn
