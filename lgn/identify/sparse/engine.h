#pragma once

#include <string>

#include "lgn/data/dataset.h"
#include "lgn/identify/fit_options.h"

namespace lgn {

/// What carries a fit: dense matrices, or products with a sparse generator. automatic: sparse for networks of a known topology
/// with more than a few hundred states, else dense. petsc: on several machines, where the program was built for that.
enum class Engine { automatic, dense, sparse, petsc };

/// auto, dense, sparse or petsc. Throws Error for another word.
Engine find_engine(const std::string& word);

/// Whether such a fit is one on a sparse generator. Throws Error where that was asked for and the options or the data do
/// not allow it: it takes free motion, a network and its topology, and maximum likelihood by squares.
bool uses_sparse_engine(Engine engine, const Dataset& data, const FitOptions& options);

}  // namespace lgn
