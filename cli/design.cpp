#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/outputs.h"
#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/design/design.h"
#include "lgn/model/model_file.h"
#include "lgn/report/page/design_page.h"

namespace lgn::cli {
namespace {

struct DesignArguments {
  std::string model, output, report, figures;
  std::vector<std::string> targets;
  DesignOptions options;
  unsigned long seed = 1;
  bool json = false, quiet = false;
};

bool is_open(const std::string& text) {
  return std::count(text.begin(), text.end(), '(') > std::count(text.begin(), text.end(), ')');
}

/// Options split at commas; those of "f=1,2", "peak(q1/f1, 1..2)<=3" and "lost(10, v1)>=0.8" belong to the target.
std::vector<std::string> whole_targets(const std::vector<std::string>& words) {
  std::vector<std::string> targets;
  for (const std::string& word : words) {
    const bool begins = is_open(word) || word.find_first_of("<>=") != std::string::npos;
    if (!targets.empty() && (is_open(targets.back()) || !begins))
      targets.back() += "," + word;
    else
      targets.push_back(word);
  }
  return targets;
}

void design(const DesignArguments& arguments, const CommandLine& line) {
  check_outputs({arguments.output, arguments.report}, {arguments.model});
  DesignOptions options = arguments.options;
  options.seed = arguments.seed;
  options.targets = whole_targets(arguments.targets);
  const Model model = read_model(arguments.model);
  const Interrupt interrupt;
  const StopScope scope(0, [&] { return interrupt.requested(); });
  Model found = lgn::design(model, options);
  found.command = line.typed();
  const std::string text = model_to_json(found);
  std::vector<std::pair<std::string, std::string>> files{{arguments.output, text}};
  if (!arguments.report.empty()) files.emplace_back(arguments.report, design_report(model, found));
  if (!arguments.figures.empty())
    add_figures(files, arguments.figures, design_figures(model, found));
  write_together(files);
  if (arguments.json)
    std::cout << text;
  else if (!arguments.quiet && arguments.output != "-")
    std::cout << design_text(found);
}

}  // namespace

void add_design(CommandLine& line) {
  auto a = std::make_shared<DesignArguments>();
  line.add("design", "element values within bounds that meet targets at the least of an objective")
      .argument("MODEL", a->model, "A model file with named values; - is standard input")
      .option("--free", a->options.free, "NAME,..",
              "Values that may change, with * and ?; with bounds, C2:0.1..10;\ntied, R1=R2")
      .option("--bounds", a->options.bounds, "NAME=A:B,..",
              "Their bounds, as in R*=1e-3:10 (default: a hundredth to a\nhundred times the value)")
      .option("--tie", a->options.ties, "A=B,..", "Values that stay equal")
      .option("--target", a->targets, "T",
              "What must hold, as often as needed: zeta>=0.2, f=0.126,0.229,\n"
              "tau<=5, peak(q1/f1)<=4, sum(R*)<=3, zeta[0.1..0.5]>=0.05")
      .option("--minimise,--minimize", a->options.minimise, "E",
              "What shall be least: sum(R*), peak(q5/f5), change (default)")
      .option("--maximise,--maximize", a->options.maximise, "E", "What shall be largest: zeta")
      .option("--series", a->options.series, "E24",
              "Preferred values, of all or some (C*=E12): the nearest to the\n"
              "optimum that still meet the targets")
      .flag("--robust", a->options.robust,
            "Targets hold with 95% over the errors of the model's values")
      .option("--tolerance", a->options.tolerances, "NAME=P,..",
              "What parts are made to, as in R*=1%, instead of their errors;\nimplies --robust")
      .option("--starts", a->options.starts, "N",
              "Searches from different values (default: 8, fewer of large systems)")
      .option("--seed", a->seed, "N", "Seed of the starts (default: 1)")
      .option("-o,--output", a->output, "NEW.json", "Write the designed model")
      .option("--report", a->report, "R.html",
              "A page with the old system beside the new: elements, poles that\n"
              "moved, responses, sensitivities")
      .option("--figures", a->figures, "DIR", "Write its plots as SVG into a folder")
      .flag("--json", a->json, "The designed model on standard output")
      .flag("--quiet", a->quiet, "No table")
      .footer(
          "Examples:\n"
          "  lgn design model.json --free R1,R2,R3 --bounds \"R*=1e-3:10\" --target \"zeta>=0.2\" --minimise \"sum(R*)\" -o designed.json\n"
          "  lgn design model.json --free \"k*\" --target \"f=0.126,0.229,0.349\" -o designed.json")
      .run([a, &line] { design(*a, line); });
}

}  // namespace lgn::cli
