#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/data_options.h"
#include "cli/outputs.h"
#include "lgn/data/inspection.h"
#include "lgn/identify/driven/experiment_checks.h"
#include "lgn/report/plot/data_plot.h"
#include "lgn/report/text/inspection_text.h"

namespace lgn::cli {
namespace {

struct InspectArguments {
  DataOptions data;
  std::string figure;
  bool json = false, quiet = false;
};

/// What was typed, as a fit, with what the data ask for.
std::string next_command(std::string typed, const Inspection& inspection) {
  if (inspection.record == RecordKind::constant) return {};
  const std::string here = "lgn inspect";
  return typed.replace(typed.find(here), here.size(), "lgn fit");
}

void inspect_files(const InspectArguments& arguments, const std::string& typed) {
  check_outputs({arguments.figure}, arguments.data.files);
  Reading reading;
  const Dataset data = arguments.data.read(arguments.quiet || arguments.json, &reading);
  Inspection inspection = inspect(data);
  inspection.experiment = experiment_remarks(data);
  const std::string& unit = arguments.data.reading.time_unit;
  const std::string next = next_command(typed, inspection);
  write_together({{arguments.figure, arguments.figure.empty() ? "" : data_svg(data, unit)}});
  if (arguments.json)
    std::cout << inspection_json(inspection, reading, unit, next);
  else if (!arguments.quiet)
    std::cout << inspection_text(inspection, reading, unit, next);
}

}  // namespace

void add_inspect(CommandLine& line) {
  auto arguments = std::make_shared<InspectArguments>();
  Command command =
      line.add("inspect", "what was understood of data files, what they show, what to run next");
  arguments->data.add_to(command);
  command.option("--figure", arguments->figure, "F.svg", "Draw all channels")
      .flag("--json", arguments->json, "As JSON")
      .flag("--quiet", arguments->quiet, "No table")
      .option("--time-unit", arguments->data.reading.time_unit, "UNIT",
              "Unit of time to convert to where the file has one (default: s)")
      .footer(
          "Examples:\n"
          "  lgn inspect scope.csv --figure signals.svg\n"
          "  lgn inspect log.txt --columns trial,t,x,v\n"
          "  lgn inspect record.mat --rate 256 --columns u,y\n"
          "Exit status: 0 done, 2 bad usage or data.")
      .run([arguments, &line] {
        inspect_files(*arguments, line.typed({"--json", "--figure", "--quiet"}));
      });
}

}  // namespace lgn::cli
