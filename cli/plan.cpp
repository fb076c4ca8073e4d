#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/outputs.h"
#include "cli/program.h"
#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/model/model_file.h"
#include "lgn/model/plan_words.h"
#include "lgn/report/plot/plan_plot.h"
#include "lgn/report/text/plan_text.h"

namespace lgn::cli {
namespace {

struct PlanArguments {
  std::vector<std::string> models;
  PlanOptions options;
  std::string figure;
  bool json = false, quiet = false;
};

MeasurementPlan made(const PlanArguments& arguments) {
  if (arguments.models.empty()) return plan_for_modes(arguments.options);
  return plan_for_model(read_model(arguments.models.front()), arguments.options);
}

void plan(const PlanArguments& arguments) {
  if (arguments.models.size() > 1)
    throw Error("there are two models, and a plan is for one", "leave out " + arguments.models[1]);
  if (arguments.json && arguments.figure == "-")
    throw Error("the table of --json goes to standard output, too", "name a file instead of -");
  check_outputs({arguments.figure}, arguments.models);
  const MeasurementPlan found = made(arguments);
  write_together({{arguments.figure, arguments.figure.empty() ? "" : plan_svg(found)}});
  if (!arguments.quiet && !arguments.json) say(plan_assumptions(found));
  if (arguments.json)
    std::cout << plan_json(found);
  else if (arguments.figure != "-")
    std::cout << plan_text(found);
}

}  // namespace

void add_plan(CommandLine& line) {
  auto arguments = std::make_shared<PlanArguments>();
  Command command =
      line.add("plan", "standard errors to expect before anything is measured; what to measure");
  PlanOptions& options = arguments->options;
  command.optional_arguments("MODEL", arguments->models, "A model file; - is standard input")
      .repeated("--mode", options.modes, "F,ZETA[,A,..]",
                "A mode where there is no model: 3.2Hz,0.01, or a time\n"
                "constant, 5s; then its size in each sensor. Repeated for more")
      .group("Measurement")
      .option("--duration", options.duration, "T",
              "Length of a run: 20s, 10min (default: that of the model's\n"
              "data, else three time constants of the slowest mode)")
      .option("--rate", options.rate, "R",
              "Samples per second: 200Hz, 1kHz (default: that of the\n"
              "model's data, else ten samples in the fastest cycle)")
      .option("--runs", options.runs, "N", "Number of runs (default: those of the model, else 1)")
      .option("--noise", options.noise, "S",
              "1% of the rms of each channel, or 0.01 in their unit; one\n"
              "for all or a list (default: that of the model's data, else 1%)")
      .option("--sensors", options.sensors, "A,B,..",
              "Channels that are measured, by name or number (default: all)")
      .option("--input", options.input, "KIND",
              "Of driven models: steps (default), chirp, multisine, random")
      .option("--amplitude", options.amplitude, "A", "rms of every input (default: 1)")
      .option("--seed", options.seed, "N", "Of random inputs (default: 1)")
      .group("Options")
      .repeated("--want", options.wants, "Q<E",
                "An accuracy: \"zeta<5%\", \"f<0.1%\", \"f2<0.01Hz\" (of the second\n"
                "mode), \"tau<1%\"; finds what meets it. Repeated for more")
      .option("--figure", arguments->figure, "F.svg",
              "Draw errors against record length and sampling rate")
      .flag("--json", arguments->json, "Everything as JSON")
      .flag("--quiet", arguments->quiet, "No line about what was taken for granted")
      .footer(
          "Examples:\n"
          "  lgn plan --mode 3.2Hz,0.01 --mode 7Hz,0.02 --noise 2% --want \"zeta<5%\"\n"
          "  lgn plan --mode 12Hz,1%,1,0.3 --mode 31Hz,1%,0.2,1 --sensors 1\n"
          "  lgn plan model.json --sensors q1 --duration 60s --figure plan.svg\n"
          "Exit status: 0 done, 2 bad usage or a record that cannot be planned.")
      .run([arguments] { plan(*arguments); });
}

}  // namespace lgn::cli
