#pragma once

#include "lgn/data/dataset.h"
#include "lgn/identify/fit_options.h"
#include "lgn/identify/sparse/sparse_network.h"
#include "lgn/model/model.h"

namespace lgn {

/// The model of a network of hundreds to 10⁵ states (engine.h), on a topology that is known or found (sparse_network.h): weak form, then maximum likelihood by
/// Gauss–Newton steps and conjugate gradients (sparse_fit.h). Offsets are estimated where the options say `estimate`, and zero or
/// as given otherwise. The same whatever the number of threads. Throws NotIdentified where the data are too few.
Model identify_large_network(const Dataset& data, const FitOptions& options);

/// What a model says about data, in place of the samples.
struct LargeData {
  std::vector<std::string> channels;
  Index runs = 0, samples = 0;
  double step = 0;
  double longest = 0;  ///< duration of a run
  double power = 0;    ///< Σ y² of what was fitted
  Vector offset = {};  ///< what was taken from the channels before; empty: nothing
};
/// The model that such a fit is.
Model large_model(const SparseFit& fit, const LargeData& data, const FitOptions& options);

}  // namespace lgn
