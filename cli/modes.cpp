#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/flags.h"
#include "lgn/core/error.h"
#include "lgn/model/model_file.h"
#include "lgn/model/some_modes.h"
#include "lgn/report/text/law_text.h"
#include "lgn/report/text/modes_export.h"
#include "lgn/report/text/shapes_table.h"
#include "lgn/report/text/tables.h"
#include "lgn/report/text/variation_table.h"

namespace lgn::cli {
namespace {

struct ModesArguments {
  std::string model, truth, near, format = "text";
  int count = 0;
  bool json = false, shapes = false, slowest = false;
};

void modes(const ModesArguments& arguments) {
  const TableFormat format = find_table_format(arguments.format);
  if (format != TableFormat::text && (arguments.json || !arguments.truth.empty()))
    throw Error("--format is for the modes alone", "leave out --json and --truth");
  if (arguments.shapes &&
      (format != TableFormat::text || arguments.json || !arguments.truth.empty()))
    throw Error("--shapes is a table of its own", "leave out --format, --json and --truth");
  Model model = read_model(arguments.model);
  if (arguments.slowest && !arguments.near.empty())
    throw Error("--slowest and --near ask for different modes", "leave one of them out");
  const bool some = arguments.slowest || !arguments.near.empty() || arguments.count != 0;
  if (some && ((arguments.json && !model.sparse) || !arguments.truth.empty()))
    throw Error("--json and --truth are about all modes",
                "leave out --count, --slowest and --near");
  // A file of a large network may hold no modes.
  if (some || (model.sparse && model.modes.empty()))
    model.modes = some_modes(model, arguments.count != 0 ? arguments.count : 20,
                             arguments.near.empty() ? 0 : angular_frequency(model, arguments.near));
  if (format != TableFormat::text) {
    std::cout << modes_in(format, model);
  } else if (arguments.json) {
    std::cout << model_to_json(model);
  } else if (arguments.truth.empty()) {
    std::cout << with_flags(summary_text(model)) << '\n'
              << variation_text(model) << law_text(model) << modes_table(model)
              << backbone_text(model) << (arguments.shapes ? '\n' + shapes_table(model) : "");
  } else {
    const Model truth = read_model(arguments.truth);
    if (truth.dimension() != model.dimension())
      throw Error("the model and the truth have different numbers of states", {},
                  {arguments.truth, 0, 0});
    if (truth.time_unit != model.time_unit)
      throw Error("the model and the truth have different units of time", {},
                  {arguments.truth, 0, 0});
    std::cout << modes_table(model, truth);
  }
}

}  // namespace

void add_modes(CommandLine& line) {
  auto arguments = std::make_shared<ModesArguments>();
  line.add("modes", "poles, natural frequencies, damping ratios and time constants of a model")
      .argument("MODEL", arguments->model, "A model file; - is standard input")
      .option("--truth", arguments->truth, "MODEL",
              "Compare with the true system (lgn generate --truth)")
      .option(
          "--count", arguments->count, "N",
          "So many modes alone, a pair being one (default: all; 20 of\na large network, whose modes are computed)")
      .flag("--slowest", arguments->slowest, "The slowest ones (default)")
      .option("--near", arguments->near, "F", "Those nearest to a frequency: 5, 5Hz or 1kHz")
      .option("--format", arguments->format, "NAME",
              "text (default), csv, markdown, or latex: a table for a paper")
      .flag("--shapes", arguments->shapes,
            "Mode shapes too: size and phase in every channel, with errors")
      .flag("--json", arguments->json, "The whole model as JSON")
      .run([arguments] { modes(*arguments); });
}

}  // namespace lgn::cli
