#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

#include "cli/commands.h"
#include "cli/data_options.h"
#include "cli/flags.h"
#include "cli/interrupt.h"
#include "cli/network_outputs.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/data/checksum.h"
#include "lgn/identify.h"
#include "lgn/model/model_file.h"
#include "lgn/report/network/network_table.h"
#include "lgn/report/page/html_report.h"
#include "lgn/report/text/tables.h"
#include "lgn/report/text/variation_table.h"

namespace lgn::cli {
namespace {

/// What no user types, in place of an option.
const std::string not_given = "\n";

struct FitArguments {
  DataOptions data;
  std::string output, report, figures, checkpoint, edges;
  std::vector<std::string> guesses, kinds, require, forbid;
  NetworkOutputs network;
  std::map<std::string, std::string> options;  ///< by the words of set_option
  bool json = false, quiet = false, thorough = false, passive = false;
};

/// What the options say about a network of these channels.
NetworkOptions network_options(const FitArguments& arguments, const Dataset& data) {
  NetworkOptions network;
  if (!arguments.kinds.empty())
    network.kinds = parse_kinds(arguments.kinds, data.channels().size());
  if (!arguments.edges.empty()) network.rules = read_edges(arguments.edges, data.channels());
  for (const auto& text : arguments.require)
    network.rules.required.push_back(parse_pair(text, data.channels(), "--require"));
  for (const auto& text : arguments.forbid)
    network.rules.forbidden.push_back(parse_pair(text, data.channels(), "--forbid"));
  return network;
}

FitOptions options_of(const FitArguments& arguments) {
  if (arguments.checkpoint == "-")
    throw Error("--checkpoint needs a file", "standard output cannot be read again");
  FitOptions options;
  for (const auto& [name, value] : arguments.options)
    if (value != not_given) set_option(options, name, value);
  if (!arguments.guesses.empty())
    set_option(options, "start", fmt::format("{}", fmt::join(arguments.guesses, ",")));
  options.thorough = arguments.thorough;
  options.passive = arguments.passive;
  check_options(options);
  return options;
}

void fit(const FitArguments& arguments, const std::string& command) {
  FitOptions options = options_of(arguments);
  const std::string json_output = arguments.json && arguments.output != "-" ? "-" : "";
  std::vector<std::string> outputs{arguments.output, arguments.report, json_output,
                                   arguments.checkpoint};
  const std::vector<std::string> drawn = arguments.network.paths();
  outputs.insert(outputs.end(), drawn.begin(), drawn.end());
  std::vector<std::string> inputs = arguments.data.files;
  if (!arguments.edges.empty()) inputs.push_back(arguments.edges);
  check_outputs(outputs, inputs);
  DataOptions source = arguments.data;
  source.reading.time_unit = options.time_unit;
  Reading reading;
  const Dataset data = source.read(arguments.quiet, &reading);
  options.network = network_options(arguments, data);
  const auto& kinds = options.network.kinds;
  arguments.network.check(options.structure, data.channels(),
                          kinds.empty() ? guess_kinds(data.channels()) : kinds);
  arguments.data.check(data);
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
  model.command = command;
  model.data.files = arguments.data.files;
  model.data.sha256 = checksum;
  const std::vector<std::string> taken = reading.assumptions();
  model.data.assumptions.insert(model.data.assumptions.begin(), taken.begin(), taken.end());
  const std::string json = model_to_json(model);
  auto files = arguments.network.texts(model);
  files.insert(files.end(),
               {{arguments.output, json},
                {arguments.report, arguments.report.empty() ? "" : html_report(model, data)},
                {json_output, json}});
  if (!arguments.figures.empty())
    add_figures(files, arguments.figures, report_figures(model, data));
  write_together(files);
  const bool text_goes_elsewhere =
      std::find(outputs.begin(), outputs.end(), "-") != outputs.end() || arguments.json;
  if (!arguments.quiet && !text_goes_elsewhere)
    std::cout << with_flags(summary_text(model)) << '\n'
              << (model.candidates.empty() ? "" : with_flags(candidates_table(model)) + '\n')
              << (model.network ? network_text(*model.network) + '\n' : "") << variation_text(model)
              << modes_table(model);
}

}  // namespace

void add_fit(CommandLine& line) {
  auto arguments = std::make_shared<FitArguments>();
  for (const auto& name : option_names()) arguments->options[name] = not_given;
  Command command = line.add("fit", "identify a system from data: modes, model and report");
  arguments->data.add_to(command);
  command.option("-o,--output", arguments->output, "MODEL.json", "Write the model")
      .option("--report", arguments->report, "R.html", "Write a page to look at")
      .option("--figures", arguments->figures, "DIR",
              "Write each plot of that page as SVG into a folder")
      .flag("--json", arguments->json, "The model on standard output, no table")
      .flag("--quiet", arguments->quiet, "No table, no progress")
      .group("What to find")
      .option("--structure", arguments->options["structure"], "NAME",
              "auto: the simplest that the data support (default); may be\n"
              "full or ltv-full, which have no guarantee\n"
              "modal: hidden states in the coordinates of their modes\n"
              "skew: conservative; sd: passive, A = S - diag(d)\n"
              "psd: passive, full symmetric part\n"
              "scaled-sd: sd in channels of unequal units\n"
              "metric: passive in an energy that is identified, every stable A\n"
              "full: no guarantee; parametric:LAW: named parameters,\n"
              "LAW is oscillator, rlc, ladder, ltv-oscillator or ltv-chain\n"
              "network: which states couple, and how strongly\n"
              "mechanical: masses, springs and dampers from positions\n"
              "and velocities\n"
              "ltv-skew, ltv-sd, ltv-psd, ltv-full: the same, varying in time")
      .option("--states", arguments->options["states"], "N",
              "How many states: a number, measured (one per channel), or\n"
              "auto: one per channel where that leaves only noise, else as\n"
              "many as the data support (default)")
      .option("--record", arguments->options["record"], "KIND",
              "What moves the system: auto (default), free (nothing after\n"
              "its initial state), driven (by inputs) or ambient (forces\n"
              "nobody measured)")
      .option("--hold", arguments->options["hold"], "HOW",
              "Inputs between their samples: zoh (they keep their value), foh\n"
              "(straight to the next), auto: the more likely (default)")
      .option("--feedthrough", arguments->options["feedthrough"], "HOW",
              "Whether inputs act on channels at once: yes, no, auto: by BIC\n"
              "(default)")
      .option("--delay", arguments->options["delay"], "S",
              "How late inputs act (default: 0), auto: estimated")
      .flag("--passive", arguments->passive,
            "Passive at its ports for every parameter value: each output\n"
            "stands beside the input of the same number, their product is\n"
            "power, and no energy comes out that did not go in")
      .option("--noise-model", arguments->options["noise-model"], "KIND",
              "With inputs: output (white noise of the samples), innovation\n"
              "(any other: a predictor with gain K), auto: output unless its\n"
              "residuals are not white (default)")
      .option("--basis", arguments->options["basis"], "NAME",
              "How a generator varies: auto (default), harmonics (their\n"
              "frequencies are found), spline (drift), fourier (the paper's\n"
              "25 fixed frequencies)")
      .option("--x0", arguments->options["x0"], "HOW",
              "Initial states of the runs: estimate (default) or measured")
      .option("--offset", arguments->options["offset"], "HOW",
              "What channels show at rest: auto (estimated where the data\n"
              "support it; default), none, estimate, or a value for each: V,V,..")
      .option("--start,--initial-guess", arguments->guesses, "NAME=V,..",
              "Initial guesses of a law's parameters")
      .option("--holdout", arguments->options["holdout"], "F",
              "Validate on the last fraction F of each run, which is not\n"
              "fitted: validation error = RMS of the prediction error\n"
              "over RMS of the data, both of that part")
      .option("--time-unit", arguments->options["time-unit"], "UNIT",
              "Unit of time (default: s): converted to where the file says\n"
              "what its times are in, else for labels")
      .group("Networks")
      .option("--kinds", arguments->kinds, "K,..",
              "What each channel measures: v, i, T, q, f or words such as\n"
              "voltage, current, temperature, position, velocity, force\n"
              "(default: what the names say)")
      .option("--edges", arguments->edges, "FILE",
              "The topology, two channel names per line, or rules for it:\n"
              "a third word require or forbid")
      .option("--require", arguments->require, "A:B,..", "Pairs that couple")
      .option("--forbid", arguments->forbid, "A:B,..", "Pairs that do not");
  arguments->network.add_to(command);
  command.group("How")
      .option("--method", arguments->options["method"], "NAME",
              "auto: closed form, then maximum likelihood (default)\n"
              "closed-form: regression alone; mle: as auto\n"
              "adam: the paper's training from random initial weights")
      .flag("--thorough", arguments->thorough,
            "Let auto look for topologies and for variation in time\n"
            "as long as that takes (default: ten times what the fits\n"
            "before took)")
      .option("--magnus", arguments->options["magnus"], "ORDER",
              "Steps for a generator that varies in time: 2, 4, 6 (default),\n"
              "4-simpson, 4-commutator-free, or printed (the paper's formula)")
      .option("--loss", arguments->options["loss"], "NAME",
              "squares (default), or huber where samples are outliers")
      .option("--confidence", arguments->options["confidence"], "P",
              "Of confidence intervals (default: 0.95)")
      .option("--errors", arguments->options["errors"], "WHEN",
              "Standard errors: auto (not for very large models), always, never")
      .option("--bootstrap", arguments->options["bootstrap"], "N",
              "Check standard errors by N parametric bootstrap fits")
      .option("--checkpoint", arguments->checkpoint, "FILE",
              "Keep the state of the fit; the same command goes on from it")
      .option(
          "--epochs", arguments->options["epochs"], "N",
          fmt::format("Most epochs of adam on whole runs (default: {})", FitOptions{}.adam.epochs))
      .option(
          "--learning-rate", arguments->options["learning-rate"], "R",
          fmt::format("First learning rate of adam (default: {})", FitOptions{}.adam.learning_rate))
      .option("--seed", arguments->options["seed"], "N", "Seed of random numbers (default: 1)")
      .option("--threads", arguments->options["threads"], "N",
              "Threads for linear algebra and bootstrap (default: 1)")
      .footer(
          "Examples:\n"
          "  lgn fit ringdown.csv --report report.html\n"
          "  lgn fit run1.csv run2.csv -o model.json --holdout 0.2\n"
          "  lgn fit circuit.csv --structure network --graph topology.dot --netlist circuit.cir\n"
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
