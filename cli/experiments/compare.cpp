#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "cli/data_options.h"
#include "cli/experiments/commands.h"
#include "cli/flags.h"
#include "cli/initial_states.h"
#include "cli/interrupt.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "experiments/comparison/comparison_table.h"
#include "experiments/comparison/methods.h"
#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/data/checksum.h"

namespace lgn::cli {
namespace {

struct CompareArguments {
  DataOptions data;
  std::string output = "-", format, initial_states = "estimate";
  studies::ComparisonOptions options;  ///< its defaults are the program's
  unsigned long seed = options.fit.seed;
  int threads = 1;
  bool json = false, quiet = false;
};

constexpr const char* json_format = "json";

/// The name of the format: what was asked for, or what the ending of the output says.
std::string format_of(const CompareArguments& arguments) {
  if (arguments.json) {
    if (!arguments.format.empty())
      throw Error("--json and --format are two answers to one question", "give one of them");
    return json_format;
  }
  if (!arguments.format.empty()) {
    find_table_format(arguments.format);
    return arguments.format;
  }
  static const std::map<std::string, std::string> endings{
      {".json", json_format}, {".csv", "csv"}, {".md", "markdown"}, {".tex", "latex"}};
  const auto found = endings.find(std::filesystem::path(arguments.output).extension());
  return found == endings.end() ? "text" : found->second;
}

void compare_methods(const CompareArguments& arguments, const std::string& command,
                     double max_seconds) {
  const std::string format = format_of(arguments);
  studies::ComparisonOptions options = arguments.options;
  options.fit.estimate_initial_states = initial_states_estimated(arguments.initial_states);
  options.fit.seed = arguments.seed;
  options.fit.threads = arguments.threads;
  if (arguments.threads < 1) throw Error("--threads must be positive");
  // The methods share the time.
  options.fit.max_seconds =
      max_seconds / static_cast<double>(std::max<std::size_t>(1, options.methods.size()));
  for (const auto& name : options.methods) studies::check_method_name(name);
  check_outputs({arguments.output}, arguments.data.files);
  DataOptions source = arguments.data;
  source.reading.time_unit = options.fit.time_unit;
  const Dataset data = source.read(arguments.quiet);
  arguments.data.check(data, options.fit);
  const std::string checksum = sha256_of_files(arguments.data.files);
  set_threads(arguments.threads);
  studies::Comparison comparison;
  const Interrupt interrupt;
  {
    ProgressBar bar(arguments.quiet);
    const StopScope stop(0, [&] {
      bar.remind();
      return interrupt.by_signal();
    });
    options.fit.observe = [&](const FitProgress& progress) {
      bar.show(progress);
      return !interrupt.by_signal();
    };
    comparison = studies::compare(data, options);
  }
  for (auto& method : comparison.methods) {
    method.problem = with_flags(method.problem);
    method.help = with_flags(method.help);
  }
  comparison.command = command;
  comparison.data.files = arguments.data.files;
  comparison.data.sha256 = checksum;
  write_together(
      {{arguments.output, format == json_format
                              ? studies::comparison_json(comparison)
                              : studies::comparison_in(find_table_format(format), comparison)}});
}

std::string methods_help(const studies::ComparisonOptions& options) {
  std::string text = fmt::format(
      "(default: {})\nAny structure of lgn fit; sd@adam or sd@closed-form is one by\n"
      "another method. Baselines of the paper:",
      fmt::join(options.methods, ","));
  for (const auto& baseline : studies::baselines())
    text += fmt::format("\n{}: {}", baseline.name, baseline.what);
  return text;
}

}  // namespace

void add_compare(CommandLine& line) {
  auto arguments = std::make_shared<CompareArguments>();
  FitOptions& fit = arguments->options.fit;
  Command command = line.add(
      "compare",
      "several methods on the same data, one table: fit error, validation error, guarantee");
  arguments->data.add_to(command);
  command
      .option("-o,--output", arguments->output, "FILE",
              "Where to write: .json, .csv, .md, .tex or text\n(default: standard output)")
      .option("--format", arguments->format, "NAME",
              "text, csv, markdown or latex (default: by the ending)")
      .flag("--json", arguments->json, "As JSON")
      .flag("--quiet", arguments->quiet, "No progress")
      .group("What to compare")
      .option("--methods", arguments->options.methods, "A,B,..", methods_help(arguments->options))
      .option("--holdout", fit.holdout, "F",
              fmt::format("Validate on the last fraction F of each run, which is not\n"
                          "fitted (default: {}); 0: all is fitted",
                          fit.holdout))
      .option("--x0", arguments->initial_states, "HOW",
              "Initial states of the runs: estimate (default) or measured")
      .option("--time-unit", fit.time_unit, "UNIT",
              "Unit of time (default: s): converted to where the file says\n"
              "what its times are in, else for labels")
      .group("How")
      .option("--seed", arguments->seed, "N", "Seed of random numbers (default: 1)")
      .option("--threads", arguments->threads, "N", "Threads for linear algebra (default: 1)")
      .footer(
          "Rows stand in the order of --methods. Errors are RMS of the error over RMS of the data, of the\n"
          "fitted part (fit error) and of the validation part (validation error); BIC is of the fitted part,\n"
          "smaller is better. An arrow marks the smallest validation error, and those that do not differ from\n"
          "it significantly: larger by less than 1%, or than chance. A method that fails has a row with the\n"
          "reason, others their warnings. Ctrl-C ends the comparison with what is there.\n"
          "Examples:\n"
          "  lgn compare ringdown.csv\n"
          "  lgn compare run1.csv run2.csv --methods sd,sd@adam,full,linear-id -o table.tex\n"
          "Exit status: 0 done, 1 no method gave a model, 2 bad usage or data.")
      .run([arguments, &line] {
        compare_methods(
            *arguments,
            line.typed({"-o", "--output", "--format", "--threads", "--json", "--quiet"}),
            line.max_seconds());
      });
}

}  // namespace lgn::cli
