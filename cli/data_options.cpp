#include "cli/data_options.h"

namespace lgn::cli {

void DataOptions::add_to(Command& command) {
  command.arguments("DATA", files, "CSV files, each one or more runs; - is standard input")
      .group("Data")
      .option("--time", csv.time, "NAME", "Time column (default: t or time)")
      .option("--channels", csv.channels, "A,B,..", "Channels to use (default: all)")
      .option("--inputs", csv.inputs, "A,B,..|none", "Input columns (default: u, u1, u2, …)")
      .flag("--decimal-comma", csv.decimal_comma, "Numbers are written 0,5")
      .group("Options");
}

Dataset DataOptions::read_for(const std::vector<std::string>& channels) const {
  CsvOptions options = csv;
  if (options.channels.empty()) options.channels = channels;
  return read_csv(files, options);
}

}  // namespace lgn::cli
