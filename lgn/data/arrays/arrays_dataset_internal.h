#pragma once

// One file of arrays among several data files; not installed.

#include <string>
#include <vector>

#include "lgn/data/arrays/array_file.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn::array_internal {

/// The names that data are read from, see `dataset_of`.
bool is_data_name(const std::string& name, const CsvOptions& options);

/// Where runs of one file go, and what they are called there.
struct FilePlace {
  std::string file;    ///< for messages about other files
  std::string label;   ///< of the one run of a file without labels
  std::string prefix;  ///< before labels in the file
};

/// Adds the runs of one file; settles `layout` if it is empty.
void append_runs(const ArrayFile& arrays, const CsvOptions& options, const FilePlace& place,
                 csv_internal::Layout& layout, std::vector<Trajectory>& runs);

/// The times of a file with one run.
Vector times_of(const ArrayFile& arrays, const CsvOptions& options);

}  // namespace lgn::array_internal
