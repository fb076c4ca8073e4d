#pragma once

#include <memory>
#include <string>

#include "lgn/data/arrays/hdf5_slices.h"
#include "lgn/data/dataset.h"
#include "petsc/ranks.h"

namespace lgn::petsc {

/// The samples of these states of the whole, which differ from rank to rank, as the channels of a Dataset in this order. Each rank reads
/// consecutive channels of the file, which is quick, and sends them to whose they are. Memory: three times a rank's part of one run
/// beside the result.
Dataset read_own_states(const Ranks& ranks, const Hdf5Slices& file,
                        const std::vector<Index>& states);

}  // namespace lgn::petsc
