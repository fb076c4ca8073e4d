#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/data_options.h"
#include "cli/fit_flags.h"
#include "cli/flags.h"
#include "cli/interrupt.h"
#include "cli/network_outputs.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/data/checksum.h"
#include "lgn/data/repeated_channels.h"
#include "lgn/identify.h"
#include "lgn/model/model_file.h"
#include "lgn/report/network/network_table.h"
#include "lgn/report/page/html_report.h"
#include "lgn/report/text/law_text.h"
#include "lgn/report/text/tables.h"
#include "lgn/report/text/variation_table.h"

namespace lgn::cli {
namespace {

struct FitArguments {
  DataOptions data;
  std::string output, report, figures, checkpoint;
  FitFlags flags;
  NetworkOutputs network;
  bool json = false, quiet = false;
};

void fit(const FitArguments& arguments, const std::string& command) {
  if (arguments.checkpoint == "-")
    throw Error("--checkpoint needs a file", "standard output cannot be read again");
  FitOptions options = arguments.flags.options();
  const std::string json_output = arguments.json && arguments.output != "-" ? "-" : "";
  std::vector<std::string> outputs{arguments.output, arguments.report, json_output,
                                   arguments.checkpoint};
  const std::vector<std::string> drawn = arguments.network.paths();
  outputs.insert(outputs.end(), drawn.begin(), drawn.end());
  std::vector<std::string> inputs = arguments.data.files;
  if (!arguments.flags.edges().empty()) inputs.push_back(arguments.flags.edges());
  check_outputs(outputs, inputs);
  DataOptions source = arguments.data;
  source.reading.time_unit = options.time_unit;
  Reading reading;
  const Dataset data = source.read(arguments.quiet, &reading);
  options.network = arguments.flags.network(data);
  const auto& kinds = options.network.kinds;
  arguments.network.check(options.structure, data.channels(),
                          kinds.empty() ? guess_kinds(data.channels()) : kinds);
  arguments.data.check(data, options);
  const std::string checksum = sha256_of_files(arguments.data.files);
  set_threads(options.threads);
  Checkpoint checkpoint;
  if (!arguments.checkpoint.empty()) {
    checkpoint = Checkpoint(arguments.checkpoint, signature(options, data));
    options.checkpoint = &checkpoint;
  }
  const Interrupt interrupt;
  Model model;
  {
    ProgressBar bar(arguments.quiet);
    const StopScope stop(0, [&] {
      bar.remind();
      return interrupt.requested();
    });
    options.observe = [&](const FitProgress& progress) {
      bar.show(progress);
      return true;
    };
    model = identify(data, options);
  }
  arguments.data.tell_origin(model, reading, checksum, command);
  // Channels that repeat others are no part of the model.
  std::optional<Dataset> fewer;
  if (model.outputs() != data.dimension()) fewer = of_channels(data, model.channels);
  const Dataset& shown = fewer ? *fewer : data;
  const std::string json = model_to_json(model);
  auto files = arguments.network.texts(model);
  files.insert(files.end(),
               {{arguments.output, json},
                {arguments.report, arguments.report.empty() ? "" : html_report(model, shown)},
                {json_output, json}});
  if (!arguments.figures.empty())
    add_figures(files, arguments.figures, report_figures(model, shown));
  write_together(files);
  const bool text_goes_elsewhere =
      std::find(outputs.begin(), outputs.end(), "-") != outputs.end() || arguments.json;
  if (!arguments.quiet && !text_goes_elsewhere)
    std::cout << with_flags(summary_text(model)) << '\n'
              << (model.candidates.empty() ? "" : with_flags(candidates_table(model)) + '\n')
              << (model.network ? network_text(*model.network) + '\n' : "") << variation_text(model)
              << law_text(model) << modes_table(model);
}

}  // namespace

void add_fit(CommandLine& line) {
  auto arguments = std::make_shared<FitArguments>();
  Command command = line.add("fit", "identify a system from data: modes, model and report");
  arguments->data.add_to(command);
  command.option("-o,--output", arguments->output, "MODEL.json", "Write the model")
      .option("--report", arguments->report, "R.html", "Write a page to look at")
      .option("--figures", arguments->figures, "DIR",
              "Write each plot of that page as SVG into a folder")
      .flag("--json", arguments->json, "The model on standard output, no table")
      .flag("--quiet", arguments->quiet, "No table, no progress");
  arguments->flags.add_to(command);
  arguments->network.add_to(command);
  arguments->flags.add_method_to(command);
  command
      .option("--checkpoint", arguments->checkpoint, "FILE",
              "Keep the state of the fit; the same command goes on from it")
      .footer(
          "Examples:\n"
          "  lgn fit ringdown.csv --report report.html\n"
          "  lgn fit run1.csv run2.csv -o model.json --holdout 0.2\n"
          "  lgn fit circuit.csv --structure network --graph topology.dot --netlist circuit.cir\n"
          "  lgn fit big.h5 --structure network --edges edges.csv --threads 2 -o model.json\n"
          "  lgn fit machine.csv --structure ltv-sd --basis harmonics\n"
          "  lgn fit circuit.csv --structure parametric:rlc --start omega2=1.2,gamma=0.15\n"
          "Exit status: 0 done, 1 not identified, 2 bad usage or data.")
      .run([arguments, &line] {
        // The model does not depend on where it is written, nor, but for rounding, on threads.
        fit(*arguments,
            line.typed({"-o", "--output", "--report", "--figures", "--graph", "--netlist", "--draw",
                        "--checkpoint", "--threads", "--json", "--quiet"}));
      });
}

}  // namespace lgn::cli
