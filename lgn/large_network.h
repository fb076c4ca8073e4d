#pragma once

#include "lgn/data/dataset.h"
#include "lgn/identify/fit_options.h"
#include "lgn/model/large_model.h"

namespace lgn {

/// Identifies the values of a network of hundreds to 10⁵ states on a topology that is known, `options.network.rules.pattern`, from free
/// motion: weak form, then maximum likelihood by Gauss–Newton steps and conjugate gradients (identify/sparse/sparse_fit.h). Offsets
/// are estimated where the options say `estimate`, and zero or as given otherwise. Deterministic for the same data and options, whatever the
/// number of threads (unless max_seconds cuts it short).
///
/// Throws Error for data or options that cannot be used, NotIdentified where the data are too few.
LargeModel identify_large_network(const Dataset& data, const FitOptions& options);

}  // namespace lgn
