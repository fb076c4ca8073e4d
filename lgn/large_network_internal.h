#pragma once

#include "lgn/data/dataset.h"
#include "lgn/identify/fit_options.h"
#include "lgn/model/model.h"

namespace lgn {

/// The model of a network of hundreds to 10⁵ states on a topology that is known (engine.h): weak form, then maximum likelihood by
/// Gauss–Newton steps and conjugate gradients (sparse_fit.h). Offsets are estimated where the options say `estimate`, and zero or
/// as given otherwise. The same whatever the number of threads. Throws NotIdentified where the data are too few.
Model identify_large_network(const Dataset& data, const FitOptions& options);

}  // namespace lgn
