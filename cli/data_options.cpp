#include "cli/data_options.h"

#include <fmt/format.h>

#include "cli/program.h"
#include "lgn/core/error.h"
#include "lgn/identify.h"

namespace lgn::cli {

namespace {

Dataset read_and_say(const std::vector<std::string>& files, const ReadOptions& options, bool quiet,
                     Reading* understood) {
  Reading reading;
  Dataset data = read_data(files, options, &reading);
  if (!quiet) say(reading.line());
  if (understood != nullptr) *understood = std::move(reading);
  return data;
}

}  // namespace

void DataOptions::add_to(Command& command, bool required) {
  reading.begin = "auto";
  constexpr const char* help =
      "Text, NPY, NPZ, MAT, HDF5, WAV or FLAC files, each one or more runs;\n"
      "- is standard input";
  if (required)
    command.arguments("DATA", files, help);
  else
    command.optional_arguments("DATA", files, help);
  command.group("Data")
      .option("--time", reading.time, "COLUMN",
              "Time column or array: a name, the beginning of one, or\n"
              "a number (default: t, time and their like)")
      .option("--columns", reading.columns, "A,B,-,..",
              "Names of all columns, in place of a header; - skips one")
      .option("--channels,--outputs", reading.channels, "A,B,..",
              "Measured channels to use (default: all)")
      .option("--inputs", reading.inputs, "A,B,..|none",
              "Inputs (default: columns u, u1, u2, …; the array u)")
      .option("--dt", reading.dt, "H", "Time between samples where there is none: 0.01 or 10ms")
      .option("--rate", reading.rate, "R", "Samples per second instead: 256 or 1kHz")
      .option("--variable", reading.variable, "NAME",
              "The array to read where there are several (grp/x, s.x), or a group")
      .option("--date-order", reading.date_order, "dmy|mdy|ymd", "Of dates such as 5/6/2021")
      .option("--begin", reading.begin, "T|all",
              "Leave samples before this time out: 20 or 20ms (default: those\n"
              "before anything moves, in data without inputs)")
      .option("--end", reading.end, "T", "Leave samples after this time out")
      .option("--scale", reading.scale, "NAME=F,..",
              "Columns that are multiplied: CH2=1/10, for the volts over 10 Ω")
      .flag("--decimal-comma", reading.decimal_comma, "Numbers are written 0,5")
      .group("Options");
}

Dataset DataOptions::read(bool quiet, Reading* understood) const {
  return read_and_say(files, reading, quiet, understood);
}

void DataOptions::check(const Dataset& data, const FitOptions& options) const {
  try {
    check_data(data, options);
  } catch (const Error& error) {
    throw Error(error.problem(), error.help(), {fmt::format("{}", fmt::join(files, ", ")), 0, 0});
  }
}

Dataset DataOptions::read_for(const Model& model, bool quiet) const {
  const std::vector<std::string>& channels = model.channels;
  ReadOptions options = reading;
  options.time_unit = model.time_unit;
  if (options.channels.empty()) {
    options.channels = channels;
    options.channels_from = "the model";
  }
  if (options.inputs.empty() && !model.inputs.empty()) options.inputs = model.inputs;
  Dataset data = read_and_say(files, options, quiet, nullptr);
  if (data.channels().size() != channels.size())
    throw Error(
        fmt::format("--channels names {} channel{}, the model has {}", data.channels().size(),
                    data.channels().size() == 1 ? "" : "s", channels.size()),
        "name the columns that hold the model's channels, in its order");
  if (!model.inputs.empty() && data.inputs().size() != model.inputs.size())
    throw Error(fmt::format("--inputs names {} input{}, the model has {}", data.inputs().size(),
                            data.inputs().size() == 1 ? "" : "s", model.inputs.size()),
                "name the columns that hold the model's inputs, in its order");
  if (const std::string input = data.active_input(); !input.empty() && model.inputs.empty())
    throw Error(
        fmt::format("\"{}\" is an input that is not zero, and the model has no inputs", input),
        "cut the data where the input ends");
  return data;
}

void DataOptions::tell_origin(Model& model, const Reading& reading_of, const std::string& checksum,
                              const std::string& command) const {
  model.command = command;
  model.data.files = files;
  model.data.sha256 = checksum;
  const std::vector<std::string> taken = reading_of.assumptions();
  model.data.assumptions.insert(model.data.assumptions.begin(), taken.begin(), taken.end());
}

}  // namespace lgn::cli
