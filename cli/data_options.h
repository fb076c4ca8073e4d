#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"
#include "lgn/data/data_file.h"
#include "lgn/identify/fit_options.h"
#include "lgn/model/model.h"

namespace lgn::cli {

/// The data files of a command, and how to read them.
struct DataOptions {
  std::vector<std::string> files;
  ReadOptions reading;

  /// Adds the argument DATA…, required or not, and the options that say how to read it.
  void add_to(Command& command, bool required = true);
  /// Reads, and says in one line on standard error what was taken for granted, unless `quiet`;
  /// `understood` may be null.
  Dataset read(bool quiet, Reading* understood = nullptr) const;
  /// check_data (identify.h), whose Error then names the files.
  void check(const Dataset& data, const FitOptions& options) const;
  /// The model's channels of these files, in the model's order and its unit of time; --channels gives
  /// other names for them.
  Dataset read_for(const Model& model, bool quiet = false) const;
  /// Tells the model where it comes from: what was typed, the files with their checksum, and what was taken for granted
  /// of them.
  void tell_origin(Model& model, const Reading& reading, const std::string& checksum,
                   const std::string& command) const;
};

}  // namespace lgn::cli
