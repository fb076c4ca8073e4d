#include <fmt/format.h>
#include <algorithm>
#include <memory>
#include <thread>

#include "cli/experiments/commands.h"
#include "cli/interrupt.h"
#include "cli/neighbour.h"
#include "cli/progress.h"
#include "experiments/reproduction/reproduce.h"
#include "experiments/reproduction/reproduction_page.h"
#include "lgn/core/error.h"

namespace lgn::cli {
namespace {

constexpr int unset = -1;

struct ReproduceArguments {
  std::vector<std::string> experiments;
  std::string neural = "auto";
  int seeds = unset;
  bool quiet = false;
  studies::ReproductionOptions options;
};

/// The program that trains neural models: the one given, or the one that was built or installed with this
/// one; empty: none.
std::string find_neural(const std::string& given) {
  if (given == "none") return {};
  if (given != "auto") {
    if (!studies::NeuralTrainer::works(given))
      throw Error("not lgn-neural, or it does not run here", "give its path, or none",
                  {given, 0, 0});
    return given;
  }
  const std::string path = find_neighbour("lgn-neural");
  return studies::NeuralTrainer::works(path) ? path : std::string();
}

void reproduce(ReproduceArguments& arguments) {
  studies::ReproductionOptions& options = arguments.options;
  if (arguments.seeds != unset && (arguments.seeds < 1 || arguments.seeds > 1000))
    throw Error("--seeds must be from 1 to 1000");
  options.experiments = arguments.experiments;
  options.laboratory.seeds = std::max(0, arguments.seeds);
  options.neural_program = find_neural(arguments.neural);
  options.jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const Interrupt interrupt;
  ProgressBar progress(arguments.quiet);
  options.observe = [&](const studies::ReproductionOptions::Progress& now) {
    progress.show(now.task, now.fraction, now.seconds_left);
    return !interrupt.requested();
  };
  options.done = [&](const studies::Findings& findings, bool before) {
    progress.wipe();
    fmt::print("## {}\n\n{}\n{}\n\n", findings.title, studies::experiment_table(findings),
               before ? "Finished before with the same settings; --again runs it again."
                      : fmt::format("{:.0f} s.", findings.seconds));
    std::fflush(stdout);
  };
  studies::reproduce(options);
  fmt::print("{0}/index.html and {0}/results.json hold all of it.\n", options.folder);
}

}  // namespace

void add_reproduce(CommandLine& line) {
  auto a = std::make_shared<ReproduceArguments>();
  line.add("reproduce", "every table and figure of the paper, ours beside the paper's")
      .optional_arguments("EXPERIMENT", a->experiments,
                          "exp1 exp2 exp3 exp4 a1 a2, or all (default: all)")
      .option("-o,--output", a->options.folder, "DIR",
              "Folder to write to, and to go on from (default: reproduction)")
      .flag("--quick", a->options.laboratory.quick,
            "A tenth of the epochs of neural models, and one seed: a minute or two")
      .option(
          "--seeds", a->seeds, "N",
          "Seeds of every training from random weights\n(default: 3, as the paper; with --quick 1)")
      .flag("--again", a->options.again, "Run anew what the folder holds already")
      .option(
          "--neural", a->neural, "FILE",
          "Program that trains neural models; none: leave them out\n(default: the lgn-neural that was built with this program)")
      .flag("--quiet", a->quiet, "No progress bar")
      .footer(
          "Examples:\n"
          "  lgn reproduce exp3                     the ladder of 100 states, in a minute\n"
          "  lgn reproduce all --quick -o quick     every table and figure in minutes\n"
          "An interrupted run goes on when it is started again with the same options.")
      .run([a] { reproduce(*a); });
}

}  // namespace lgn::cli
