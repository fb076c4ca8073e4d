#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>

#include "cli/commands.h"
#include "cli/data_options.h"
#include "cli/interrupt.h"
#include "cli/network_outputs.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/starts.h"
#include "lgn/core/error.h"
#include "lgn/data/checksum.h"
#include "lgn/identify.h"
#include "lgn/model/model_file.h"
#include "lgn/report/network/network_table.h"
#include "lgn/report/page/html_report.h"
#include "lgn/report/text/tables.h"
#include "lgn/report/text/variation_table.h"
#include "lgn/version.h"

namespace lgn::cli {
namespace {

struct FitArguments {
  DataOptions data;
  std::string output, report, figures, starts = "estimate", loss = "squares", errors = "auto",
                                       checkpoint;
  std::string edges, magnus{IdentifyOptions{}.magnus.method};
  std::vector<std::string> constants, kinds, require, forbid;
  NetworkOutputs network;
  IdentifyOptions identify;  ///< its defaults are the program's
  unsigned long seed = identify.seed;
  int threads = 1;
  int bootstrap = 0;
  bool json = false, quiet = false;
};

std::pair<std::string, double> parse_constant(const std::string& text) {
  const auto equals = text.find('=');
  std::size_t used = 0;
  try {
    const double value = std::stod(text.substr(equals + 1), &used);
    if (equals != std::string::npos && equals > 0 && equals + 1 + used == text.size())
      return {text.substr(0, equals), value};
  } catch (const std::exception&) {
  }
  throw Error(fmt::format("--start does not understand \"{}\"", text),
              "write NAME=VALUE, such as gamma=0.1");
}

template <class T>
T one_of(const char* option, const std::string& word, const std::map<std::string, T>& values) {
  if (const auto found = values.find(word); found != values.end()) return found->second;
  std::vector<std::string> words;
  for (const auto& [name, value] : values) words.push_back(name);
  throw Error(fmt::format("{} does not know \"{}\"", option, word),
              fmt::format("it takes {}", fmt::join(words, ", ")));
}

/// FNV-1a of the times and values: streams can be read only once, so that they have no checksum.
std::string fingerprint(const Dataset& data) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](std::uint64_t bits) { hash = (hash ^ bits) * 0x100000001b3u; };
  const auto add_all = [&](const double* values, Index count) {
    add(static_cast<std::uint64_t>(count));
    for (Index k = 0; k < count; ++k) {
      const auto bits = std::bit_cast<std::uint64_t>(values[k]);
      add(bits & 0xffffffffu);
      add(bits >> 32);
    }
  };
  for (const auto& run : data.runs()) {
    add_all(run.times().data(), run.times().size());
    add_all(run.states().data(), run.states().size());
  }
  return fmt::format("{:016x}", hash);
}

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

/// A list of pairs as one line.
std::string text_of(const std::vector<ChannelPair>& pairs) {
  std::string text;
  for (const auto& [i, j] : pairs) text += fmt::format("{}:{},", i, j);
  return text;
}

/// What a checkpoint belongs to: the data and every option that changes the result.
std::string signature_of(const FitArguments& arguments, const IdentifyOptions& o,
                         const Dataset& data, const std::string& checksum) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", version,
                     checksum, fingerprint(data), o.structure, o.method, arguments.starts,
                     fmt::join(arguments.constants, ","), arguments.loss, o.holdout, arguments.seed,
                     arguments.threads, o.adam.epochs, o.adam.learning_rate,
                     arguments.data.description(), fmt::join(arguments.kinds, ","),
                     text_of(o.network.rules.pattern), text_of(o.network.rules.required),
                     text_of(o.network.rules.forbidden), o.basis, o.magnus.method);
}

IdentifyOptions options_of(const FitArguments& arguments) {
  const bool estimate_starts = starts_estimated(arguments.starts);
  const AdamOptions& adam = arguments.identify.adam;
  if (!(adam.learning_rate > 0) || adam.epochs < 1 || arguments.threads < 1)
    throw Error("--learning-rate, --epochs and --threads must be positive");
  if (!(arguments.identify.max_seconds >= 0)) throw Error("--max-seconds must not be negative");
  if (arguments.checkpoint == "-")
    throw Error("--checkpoint needs a file", "standard output cannot be read again");
  if (!(arguments.identify.confidence > 0 && arguments.identify.confidence < 1))
    throw Error("--confidence must be between 0 and 1", "give a number such as 0.95");
  constexpr int most_samples = 1000000;  // all of them are kept
  if (arguments.bootstrap < 0 || arguments.bootstrap > most_samples)
    throw Error(fmt::format("--bootstrap must be between 0 and {}", most_samples),
                "1000 are enough for standard errors within 3%");
  IdentifyOptions options = arguments.identify;
  options.loss =
      one_of<Loss>("--loss", arguments.loss, {{"squares", Loss::squares}, {"huber", Loss::huber}});
  using Errors = IdentifyOptions::Errors;
  options.errors = one_of<Errors>(
      "--errors", arguments.errors,
      {{"auto", Errors::automatic}, {"always", Errors::always}, {"never", Errors::never}});
  options.magnus.method = find_magnus_scheme(arguments.magnus).name;
  options.bootstrap = arguments.bootstrap;
  options.threads = arguments.threads;
  options.seed = arguments.seed;
  options.estimate_starts = estimate_starts;
  for (const auto& text : arguments.constants) options.start.push_back(parse_constant(text));
  return options;
}

void fit(const FitArguments& arguments, const std::string& command) {
  IdentifyOptions options = options_of(arguments);
  const std::string json_output = arguments.json && arguments.output != "-" ? "-" : "";
  std::vector<std::string> outputs{arguments.output, arguments.report, json_output,
                                   arguments.checkpoint};
  const std::vector<std::string> drawn = arguments.network.paths();
  outputs.insert(outputs.end(), drawn.begin(), drawn.end());
  std::vector<std::string> inputs = arguments.data.files;
  if (!arguments.edges.empty()) inputs.push_back(arguments.edges);
  check_outputs(outputs, inputs);
  const Dataset data = arguments.data.read();
  options.network = network_options(arguments, data);
  const auto& kinds = options.network.kinds;
  arguments.network.check(options.structure, data.channels(),
                          kinds.empty() ? guess_kinds(data.channels()) : kinds);
  arguments.data.check(data);
  const std::string checksum = sha256_of_files(arguments.data.files);
  set_threads(arguments.threads);
  Checkpoint checkpoint;
  if (!arguments.checkpoint.empty()) {
    checkpoint = Checkpoint(arguments.checkpoint, signature_of(arguments, options, data, checksum));
    options.checkpoint = &checkpoint;
  }
  Model model;
  {
    const Interrupt interrupt;
    ProgressBar bar(arguments.quiet);
    options.observe = [&](const FitProgress& progress) {
      bar.show(progress);
      return !interrupt.requested();
    };
    model = identify(data, options);
  }
  model.command = command;
  model.data.files = arguments.data.files;
  model.data.sha256 = checksum;
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
    std::cout << summary_text(model) << '\n'
              << (model.candidates.empty() ? "" : candidates_table(model) + '\n')
              << (model.network ? network_text(*model.network) + '\n' : "")
              << (model.variation ? variation_text(model) + '\n' : "") << modes_table(model);
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
      .flag("--quiet", arguments->quiet, "No table, no progress")
      .group("What to find")
      .option("--structure", arguments->identify.structure, "NAME",
              "auto: the simplest that the data support (default)\n"
              "skew: conserves; sd: dissipates, A = S - diag(d)\n"
              "psd: dissipates, full symmetric part\n"
              "scaled-sd: sd in channels of unequal units\n"
              "metric: dissipates a learned energy, every stable A\n"
              "full: no guarantee; parametric:LAW: named constants,\n"
              "LAW is oscillator, rlc, ladder, ltv-oscillator or ltv-chain\n"
              "network: which states couple, and how strongly\n"
              "mechanical: masses, springs and dampers from positions\n"
              "and velocities\n"
              "ltv-skew, ltv-sd, ltv-psd, ltv-full: the same, varying in time")
      .option("--basis", arguments->identify.basis, "NAME",
              "How a generator varies: auto (default), harmonics (their\n"
              "frequencies are found), spline (drift), fourier (the paper's\n"
              "25 fixed frequencies)")
      .option("--x0", arguments->starts, "HOW",
              "Starts of the runs: estimate (default) or measured")
      .option("--start", arguments->constants, "NAME=V,..", "Constants of a law to start from")
      .option("--holdout", arguments->identify.holdout, "F",
              "Keep the last fraction F of each run for a test")
      .option("--time-unit", arguments->identify.time_unit, "UNIT",
              "Unit of the time column, for labels (default: s)")
      .group("Networks")
      .option("--kinds", arguments->kinds, "K,..",
              "What each channel measures: v, i, T, q, f or words such as\n"
              "voltage, current, temperature, position, velocity, force\n"
              "(default: what the names say)")
      .option("--edges", arguments->edges, "FILE",
              "The wiring, two channel names per line, or rules for it:\n"
              "a third word require or forbid")
      .option("--require", arguments->require, "A:B,..", "Pairs that couple")
      .option("--forbid", arguments->forbid, "A:B,..", "Pairs that do not");
  arguments->network.add_to(command);
  command.group("How")
      .option("--method", arguments->identify.method, "NAME",
              "auto: closed form, then maximum likelihood (default)\n"
              "closed-form: regression alone; mle: as auto\n"
              "adam: the paper's training from a random start")
      .option("--magnus", arguments->magnus, "ORDER",
              "Steps for a generator that varies in time: 2, 4, 6 (default),\n"
              "4-simpson, 4-commutator-free, or printed (the paper's formula)")
      .option("--loss", arguments->loss, "NAME",
              "squares (default), or huber where samples are outliers")
      .option("--confidence", arguments->identify.confidence, "P",
              "Of the intervals in the model (default: 0.95)")
      .option("--errors", arguments->errors, "WHEN",
              "Standard errors: auto (not for very large models), always, never")
      .option("--bootstrap", arguments->bootstrap, "N",
              "Check standard errors with N fits to artificial data")
      .option("--checkpoint", arguments->checkpoint, "FILE",
              "Keep the state of the fit; the same command goes on from it")
      .option("--epochs", arguments->identify.adam.epochs, "N",
              fmt::format("Most epochs of adam on whole runs (default: {})",
                          arguments->identify.adam.epochs))
      .option("--learning-rate", arguments->identify.adam.learning_rate, "R",
              fmt::format("First learning rate of adam (default: {})",
                          arguments->identify.adam.learning_rate))
      .option("--max-seconds", arguments->identify.max_seconds, "S",
              "Stop with the best so far after S seconds (as Ctrl-C does)")
      .option("--seed", arguments->seed, "N", "Seed of random numbers (default: 1)")
      .option("--threads", arguments->threads, "N",
              "Threads for linear algebra and bootstrap (default: 1)")
      .footer(
          "Examples:\n"
          "  lgn fit ringdown.csv --report report.html\n"
          "  lgn fit run1.csv run2.csv -o model.json --holdout 0.2\n"
          "  lgn fit circuit.csv --structure network --graph wiring.dot --netlist circuit.cir\n"
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
