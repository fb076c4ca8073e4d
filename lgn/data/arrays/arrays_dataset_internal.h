#pragma once

// One file of arrays among several data files; not installed.

#include <string>
#include <vector>

#include "lgn/data/arrays/array_file.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn::array_internal {

/// The names that data are read from, see `dataset_of`.
bool is_data_name(const std::string& name, const ReadOptions& options);

/// Whether the usual names are not all there, so that the others are worth a look.
bool needs_other_names(const ArrayFile& arrays, const ReadOptions& options);

/// Adds the runs of one file; settles the layout if it is empty.
void append_runs(const ArrayFile& arrays, const ReadOptions& options,
                 const csv_internal::FilePlace& place);

/// The times of a file with one run.
Vector times_of(const ArrayFile& arrays, const ReadOptions& options);

}  // namespace lgn::array_internal
