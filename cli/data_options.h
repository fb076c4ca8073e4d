#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "lgn/data/data_file.h"

namespace lgn::cli {

/// The data files of a command, and how to read them.
struct DataOptions {
  std::vector<std::string> files;
  CsvOptions csv;

  /// Adds the argument DATA… and the options --time, --inputs, --channels, --decimal-comma.
  void add_to(Command& command);
  Dataset read() const { return read_data(files, csv); }
  /// check_data (identify.h), whose Error then names the files.
  void check(const Dataset& data) const;
  /// The model's channels of these files, in the model's order; --channels gives other names for
  /// them.
  Dataset read_for(const std::vector<std::string>& channels) const;
};

}  // namespace lgn::cli
