#pragma once

#include "lgn/data/dataset.h"
#include "lgn/identify/fit_options.h"

namespace lgn {

/// Whether such a fit is one on a sparse generator. Throws Error where that was asked for and the options or the data do
/// not allow it: it takes free motion, a network (by `auto` only with its topology), and maximum likelihood by squares.
bool uses_sparse_engine(const Dataset& data, const FitOptions& options);

}  // namespace lgn
