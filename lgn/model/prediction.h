#pragma once

#include <vector>

#include "lgn/model/model.h"
#include "lgn/physics/evaluation.h"

namespace lgn {

/// What channels were expected to show, so many samples before they did, and how far from it they should be.
struct Prediction {
  Index horizon = 1;
  std::vector<Matrix>
      outputs;  ///< of every run, channels × samples; NaN where too little was known
  std::vector<Matrix> errors;  ///< standard errors of these, noise of the sample included
};

/// Predictions of every sample from those at least `horizon` steps before it, and from the inputs up to it.
///
/// One Kalman filter does it for every model, whose noise is that of an innovations form (theory, Eq. 72): K and the covariance of
/// e as they were fitted; of random vibration, by the spectral factor of C, G and R(0) at the step of the data; else K = 0 and the
/// noise of each channel, so that predictions are a simulation whose initial state is estimated from what was seen, which they
/// come to in time. Initial states are unknown, for random vibration those of its stationary motion. A missing value
/// corrects nothing. Where the standard error is more than twice the size of a channel nothing is predicted.
///
/// With K or random vibration runs are on a grid of times, gaps included; otherwise any times will do, and a step is one from
/// sample to sample. O(n³) a sample. Throws Error for a horizon below one, for data on another grid than that of K, and for
/// more than 300 states.
Prediction predict(const Model& model, const Dataset& data, Index horizon);

/// How well samples were predicted, where they were: NRMSE and fit per run and channel, as of simulations. `rest`: from which
/// sizes count.
Evaluation evaluate(const Prediction& prediction, const Dataset& data, const Vector& rest);

/// From which sizes of data count beside a model: its rest; the means of the channels where something keeps them from it.
Vector reference_of(const Model& model, const Dataset& data);

}  // namespace lgn
