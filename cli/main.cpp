#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/neighbour.h"
#include "cli/program.h"
#include "lgn/core/error.h"
#include "lgn/version.h"

namespace {

using namespace lgn::cli;

/// A command of lgn-experiments, as the help and the completions of this program list it.
struct Listed {
  std::string name, help;
  std::vector<std::string> options;

  void add_to(CommandLine& line) const { line.list(name, help, options); }
};

const Listed compare{
    "compare",
    "several methods on the same data, one table: fit error, validation error, guarantee",
    {"max-seconds", "time",          "columns",  "channels",   "outputs", "inputs",
     "dt",          "rate",          "variable", "date-order", "begin",   "end",
     "scale",       "decimal-comma", "output",   "format",     "json",    "quiet",
     "methods",     "holdout",       "x0",       "time-unit",  "seed",    "threads"}};
const Listed reproduce{"reproduce",
                       "every table and figure of the paper, ours beside the paper's",
                       {"max-seconds", "output", "quick", "seeds", "again", "neural", "quiet"}};

/// Whether a fit is to run on several processes, each of which then becomes a program that was built for that.
bool asks_for_petsc(int count, char** words) {
  for (int k = 2; k < count; ++k) {
    const std::string word = words[k];
    if (word == "--engine=petsc" ||
        (word == "--engine" && k + 1 < count && std::string(words[k + 1]) == "petsc"))
      return true;
  }
  return false;
}

int run(int count, char** words) {
  const std::string asked = count > 1 ? words[1] : "";
  if (asked == "fit" && asks_for_petsc(count, words)) {
    become_neighbour("lgn-petsc", words);
    throw lgn::Error("--engine petsc needs the program lgn-petsc, which is not beside lgn",
                     "\"make petsc\" builds it, and \"make install\" installs both");
  }
  if (asked == compare.name || asked == reproduce.name) {
    become_neighbour("lgn-experiments", words);
    throw lgn::Error(
        "\"lgn " + asked + "\" needs the program lgn-experiments, which is not beside lgn",
        "\"make experiments\" builds it, and \"make install\" installs both");
  }
  CommandLine line(
      "Identifies linear dynamical systems, ẋ = A x, from measured data.\n"
      "  lgn fit ringdown.csv                 poles, frequencies and damping of what made the "
      "data\n"
      "  lgn inspect data.csv                 what a file holds, and what to run next\n"
      "  lgn fit data.csv -o model.json       and a model to simulate, evaluate and cite",
      lgn::version);
  add_fit(line);
  add_fit_many(line);
  add_inspect(line);
  add_modes(line);
  add_simulate(line);
  add_evaluate(line);
  add_predict(line);
  add_plan(line);
  compare.add_to(line);
  add_generate(line);
  add_report(line);
  add_design(line);
  add_response(line);
  add_network(line);
  add_export(line);
  reproduce.add_to(line);
  line.add_completion();
  return line.run(count, words);
}

}  // namespace

int main(int count, char** words) {
  return run_program([&] { return run(count, words); });
}
