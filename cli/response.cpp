#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/data_options.h"
#include "cli/outputs.h"
#include "cli/program.h"
#include "lgn/core/error.h"
#include "lgn/model/model_file.h"
#include "lgn/report/page/response_section.h"
#include "lgn/report/text/response_text.h"

namespace lgn::cli {
namespace {

struct ResponseArguments {
  std::string model, bode, step, impulse, format;
  DataOptions data;
  bool json = false;
};

/// Whether a file is drawn; by its ending where nothing is said.
bool drawn(const ResponseArguments& arguments, const std::string& path) {
  if (!arguments.format.empty()) return arguments.format == "svg";
  return path.ends_with(".svg");
}

std::string svg_of(std::vector<ReportPlot> plots) {
  std::vector<Plot> all;
  for (ReportPlot& plot : plots) all.push_back(std::move(plot.plot));
  return stacked_svg(all);
}

void response(const ResponseArguments& arguments) {
  if (!arguments.format.empty() && arguments.format != "csv" && arguments.format != "svg")
    throw Error("--format does not know \"" + arguments.format + "\"", "it takes csv or svg");
  const std::vector<std::string> outputs = {arguments.bode, arguments.step, arguments.impulse};
  bool any = false;
  for (const auto& path : outputs) {
    any = any || !path.empty();
    if (arguments.json && path == "-")
      throw Error("the table of --json goes to standard output, too", "name a file instead of -");
  }
  if (!arguments.format.empty() && !any)
    throw Error("--format is for the files of --bode, --step and --impulse",
                "name one of them, or use --json");
  std::vector<std::string> inputs = arguments.data.files;
  inputs.push_back(arguments.model);
  check_outputs(outputs, inputs);
  const Model model = read_model(arguments.model);
  driven_system(model);
  std::optional<Dataset> data;
  if (!arguments.data.files.empty()) data = arguments.data.read_for(model);
  const ModelResponse found = model_response(model, data ? &*data : nullptr);
  if (found.data && !found.data->reason.empty())
    say("no transfer function of the data: " + found.data->reason);
  std::vector<std::pair<std::string, std::string>> files;
  constexpr Index most_pairs = 40;
  const ResponsePlots plots = draw_response(model, found, most_pairs);
  const auto add = [&](const std::string& path, const std::vector<ReportPlot>& drawing,
                       const auto& table) {
    if (path.empty()) return;
    const bool svg = drawn(arguments, path);
    if (svg && plots.left_out > 0)
      say(std::to_string(plots.left_out) + " more pairs are not drawn: csv has all");
    files.emplace_back(path, svg ? svg_of(drawing) : table());
  };
  add(arguments.bode, plots.bode, [&] { return bode_csv(model, found); });
  add(arguments.step, plots.step, [&] { return time_csv(model, found.step); });
  add(arguments.impulse, plots.impulse, [&] { return time_csv(model, found.impulse); });
  write_together(files);
  if (arguments.json)
    std::cout << response_json(model, found);
  else if (!any)
    std::cout << response_text(model, found);
}

}  // namespace

void add_response(CommandLine& line) {
  auto arguments = std::make_shared<ResponseArguments>();
  Command command = line.add(
      "response", "frequency, step and impulse responses of a driven model, with confidence bands");
  command.argument("MODEL", arguments->model, "A model file; - is standard input");
  arguments->data.add_to(command, false);
  command
      .option("--bode", arguments->bode, "F",
              "Write magnitude and phase over frequency; with DATA beside\n"
              "the transfer function of the data and its coherence")
      .option("--step", arguments->step, "F", "Write the responses to a unit step")
      .option("--impulse", arguments->impulse, "F", "Write the responses to a unit impulse")
      .option("--format", arguments->format, "NAME",
              "csv or svg (default: by the ending of F, else csv)")
      .flag("--json", arguments->json, "Everything as JSON")
      .run([arguments] { response(*arguments); });
}

}  // namespace lgn::cli
