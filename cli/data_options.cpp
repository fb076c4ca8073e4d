#include "cli/data_options.h"

#include <fmt/format.h>

#include "lgn/core/error.h"
#include "lgn/identify.h"

namespace lgn::cli {

void DataOptions::add_to(Command& command) {
  command
      .arguments("DATA", files,
                 "CSV, NPY, NPZ, MAT or HDF5 files, each one or more runs; - is standard input")
      .group("Data")
      .option("--time", csv.time, "NAME", "Time column or array (default: t or time)")
      .option("--channels", csv.channels, "A,B,..", "Channels to use (default: all)")
      .option("--inputs", csv.inputs, "A,B,..|none",
              "Inputs (default: columns u, u1, u2, …; the array u)")
      .flag("--decimal-comma", csv.decimal_comma, "Numbers are written 0,5")
      .group("Options");
}

void DataOptions::check(const Dataset& data) const {
  try {
    check_data(data);
  } catch (const Error& error) {
    throw Error(error.problem(), error.help(), {fmt::format("{}", fmt::join(files, ", ")), 0, 0});
  }
}

Dataset DataOptions::read_for(const std::vector<std::string>& channels) const {
  CsvOptions options = csv;
  if (options.channels.empty()) {
    options.channels = channels;
    options.channels_from = "the model";
  }
  Dataset data = read_data(files, options);
  if (data.channels().size() != channels.size())
    throw Error(
        fmt::format("--channels names {} channel{}, the model has {}", data.channels().size(),
                    data.channels().size() == 1 ? "" : "s", channels.size()),
        "name the columns that hold the model's channels, in its order");
  if (const std::string input = data.active_input(); !input.empty())
    throw Error(
        fmt::format("\"{}\" is an input that is not zero, and the model has no inputs", input),
        "cut the data where the input ends");
  return data;
}

}  // namespace lgn::cli
