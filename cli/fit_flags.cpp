#include "cli/fit_flags.h"

#include <fmt/format.h>

#include "lgn/core/error.h"
#include "lgn/data/channel_kinds.h"
#include "lgn/data/edges.h"

namespace lgn::cli {
namespace {

/// What no user types, in place of an option.
const std::string not_given = "\n";

}  // namespace

FitFlags::FitFlags() {
  for (const auto& name : option_names()) options_[name] = not_given;
}

NetworkOptions FitFlags::network(const Dataset& data) const {
  NetworkOptions network;
  if (!kinds_.empty()) network.kinds = parse_kinds(kinds_, data.channels().size());
  if (!edges_.empty()) network.rules = read_edges(edges_, data.channels());
  for (const auto& text : require_)
    network.rules.required.push_back(parse_pair(text, data.channels(), "--require"));
  for (const auto& text : forbid_)
    network.rules.forbidden.push_back(parse_pair(text, data.channels(), "--forbid"));
  return network;
}

FitOptions FitFlags::options() const {
  FitOptions options;
  for (const auto& [name, value] : options_)
    if (value != not_given) set_option(options, name, value);
  if (!guesses_.empty()) set_option(options, "start", fmt::format("{}", fmt::join(guesses_, ",")));
  options.thorough = thorough_;
  options.passive = passive_;
  check_options(options);
  return options;
}

void FitFlags::add_to(Command& command) {
  command.group("What to find")
      .option("--structure", options_["structure"], "NAME",
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
              "ltv-skew, ltv-sd, ltv-psd, ltv-full: the same, varying in time\n"
              "nonlinear: a law whose energy cannot grow, its terms from data;\n"
              "or one kind of it: gyro, nonlinear-mechanical, storage,\n"
              "lossless; polynomial: without a promise")
      .option("--states", options_["states"], "N",
              "How many states: a number, measured (one per channel), or\n"
              "auto: one per channel where that leaves only noise, else as\n"
              "many as the data support (default)")
      .option("--record", options_["record"], "KIND",
              "What moves the system: auto (default), free (nothing after\n"
              "its initial state), driven (by inputs) or ambient (forces\n"
              "nobody measured)")
      .option("--hold", options_["hold"], "HOW",
              "Inputs between their samples: zoh (they keep their value), foh\n"
              "(straight to the next), auto: the more likely (default)")
      .option("--feedthrough", options_["feedthrough"], "HOW",
              "Whether inputs act on channels at once: yes, no, auto: by BIC\n"
              "(default)")
      .option("--delay", options_["delay"], "S",
              "How late inputs act (default: 0), auto: estimated")
      .flag("--passive", passive_,
            "Passive at its ports for every parameter value: each output\n"
            "stands beside the input of the same number, their product is\n"
            "power, and no energy comes out that did not go in")
      .option("--noise-model", options_["noise-model"], "KIND",
              "With inputs: output (white noise of the samples), innovation\n"
              "(any other: a predictor with gain K), auto: output unless its\n"
              "residuals are not white (default)")
      .option("--basis", options_["basis"], "NAME",
              "How a generator varies: auto (default), harmonics (their\n"
              "frequencies are found), spline (drift), fourier (the paper's\n"
              "25 fixed frequencies)")
      .option("--x0", options_["x0"], "HOW",
              "Initial states of the runs: estimate (default) or measured")
      .option("--offset", options_["offset"], "HOW",
              "What channels show at rest: auto (estimated where the data\n"
              "support it; default), none, estimate, or a value for each: V,V,..")
      .option("--start,--initial-guess", guesses_, "NAME=V,..",
              "Initial guesses of a law's parameters")
      .option("--holdout", options_["holdout"], "F",
              "Validate on the last fraction F of each run, which is not\n"
              "fitted: validation error = RMS of the prediction error\n"
              "over RMS of the data, both of that part")
      .option("--time-unit", options_["time-unit"], "UNIT",
              "Unit of time (default: s): converted to where the file says\n"
              "what its times are in, else for labels")
      .group("Networks")
      .option("--kinds", kinds_, "K,..",
              "What each channel measures: v, i, T, q, f or words such as\n"
              "voltage, current, temperature, position, velocity, force\n"
              "(default: what the names say)")
      .option("--edges", edges_, "FILE",
              "The topology, two channel names per line, or rules for it:\n"
              "a third word require or forbid")
      .option("--require", require_, "A:B,..", "Pairs that couple")
      .option("--forbid", forbid_, "A:B,..", "Pairs that do not");
}

void FitFlags::add_method_to(Command& command) {
  command.group("How")
      .option("--method", options_["method"], "NAME",
              "auto: closed form, then maximum likelihood (default)\n"
              "closed-form: regression alone; mle: as auto\n"
              "adam: the paper's training from random initial weights\n"
              "successive: nonlinear laws linearised again and again, as the\n"
              "paper plans to (slower than mle)")
      .option("--engine", options_["engine"], "NAME",
              "What carries the fit: dense, sparse (networks, to 10^5\n"
              "states and more), petsc (the same on the ranks of\n"
              "mpirun), or auto: sparse above 400 states, 150 where\n"
              "pairs are to be found (default)")
      .flag("--thorough", thorough_,
            "Let auto look for topologies and for variation in time\n"
            "as long as that takes (default: ten times what the fits\n"
            "before took)")
      .option("--magnus", options_["magnus"], "ORDER",
              "Steps for a generator that varies in time: 2, 4, 6 (default),\n"
              "4-simpson, 4-commutator-free, or printed (the paper's formula)")
      .option(
          "--loss", options_["loss"], "NAME",
          "squares, huber where samples are outliers, auto: huber where\nsingle samples of free motion stand out (default)")
      .option("--confidence", options_["confidence"], "P",
              "Of confidence intervals (default: 0.95)")
      .option("--errors", options_["errors"], "WHEN",
              "Standard errors: auto (not for very large models), always, never")
      .option("--bootstrap", options_["bootstrap"], "N",
              "Check standard errors by N parametric bootstrap fits")
      .option(
          "--epochs", options_["epochs"], "N",
          fmt::format("Most epochs of adam on whole runs (default: {})", FitOptions{}.adam.epochs))
      .option(
          "--learning-rate", options_["learning-rate"], "R",
          fmt::format("First learning rate of adam (default: {})", FitOptions{}.adam.learning_rate))
      .option("--seed", options_["seed"], "N", "Seed of random numbers (default: 1)")
      .option("--threads", options_["threads"], "N",
              "Threads for linear algebra and bootstrap (default: 1)");
}

}  // namespace lgn::cli
