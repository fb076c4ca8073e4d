#include "experiments/reproduction/reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "experiments/reproduction/reproduction_page.h"
#include "experiments/reproduction/results_json.h"
#include "lgn/core/error.h"
#include "lgn/core/output_file.h"
#include "lgn/version.h"

namespace lgn::studies {
namespace {

namespace fs = std::filesystem;

std::vector<const Experiment*> chosen(const std::vector<std::string>& names) {
  const auto asked = [&](const std::string& id) {
    return names.empty() || std::find(names.begin(), names.end(), id) != names.end() ||
           std::find(names.begin(), names.end(), "all") != names.end();
  };
  std::string ids;
  std::vector<const Experiment*> result;
  for (const Experiment& experiment : experiments()) {
    ids += experiment.id + ", ";
    if (asked(experiment.id)) result.push_back(&experiment);
  }
  for (const std::string& name : names)
    if (name != "all" && std::none_of(experiments().begin(), experiments().end(),
                                      [&](const Experiment& e) { return e.id == name; }))
      throw Error(fmt::format("unknown experiment \"{}\"", name),
                  fmt::format("experiments are {}all", ids));
  return result;
}

/// What the findings depend on: those of other settings are not taken for these.
std::string stamp(const ReproductionOptions& options) {
  return nlohmann::ordered_json{{"version", version},
                                {"quick", options.laboratory.quick},
                                {"seeds", options.laboratory.seeds},
                                {"neural", !options.neural_program.empty()}}
      .dump();
}

/// The folder of a reproduction.
class Store {
 public:
  Store(const std::string& folder, std::string settings)
      : folder_(folder), stamp_(std::move(settings)) {
    std::error_code problem;
    for (const char* part : {"experiments", "figures", "tables", "trainings"}) {
      fs::create_directories(folder_ / part, problem);
      if (problem)
        throw Error(fmt::format("cannot make the folder ({})", problem.message()),
                    "choose another one with -o DIR", {(folder_ / part).string(), 0, 0});
    }
    write_file(folder_ / "experiments/settings.json", stamp_ + "\n");  // fails now, not in an hour
  }

  std::string trainings() const { return folder_ / "trainings"; }

  std::optional<Findings> find(const std::string& id) const {
    std::ifstream file(path(id));
    std::string first;
    if (!std::getline(file, first) || first != stamp_) return {};
    std::ostringstream rest;
    rest << file.rdbuf();
    try {
      return read_findings(rest.str());
    } catch (const Error& error) {
      throw Error(fmt::format("damaged: {}", error.what()), "delete it and start again",
                  {path(id), 0, 0});
    }
  }

  void keep(const Findings& findings) const {
    for (const Panel& panel : findings.panels)
      write_file(folder_ / "figures" / (panel.name + ".svg"), panel.svg);
    write_file(folder_ / "tables" / (findings.id + ".md"), experiment_table(findings));
    write_file(path(findings.id), stamp_ + "\n" + findings_json(findings));
  }

  /// Of all that is there.
  void write_pages(const std::string& introduction) const {
    std::vector<Findings> all;
    for (const Experiment& experiment : experiments())
      if (auto findings = find(experiment.id)) all.push_back(std::move(*findings));
    write_file(folder_ / "results.json", results_json(all));
    write_file(folder_ / "reproduction.md", reproduction_markdown(all, "figures", introduction));
    write_file(folder_ / "index.html", reproduction_html(all, introduction));
  }

 private:
  std::string path(const std::string& id) const { return folder_ / "experiments" / (id + ".json"); }

  fs::path folder_;
  std::string stamp_;
};

std::string introduction(const ReproductionOptions& options) {
  std::string text = fmt::format(
      "Every table and figure of *Interpretable Physics Extraction from Data for Linear Dynamical Systems using Lie "
      "Generator Networks*, made by `lgn reproduce{}{}` (lgn {}).\n\n"
      "**paper** is the published number. **same method** is our number for the same method with the paper's "
      "protocol: the median over seeds, and the lowest and highest. **ours** is what the same class of model reaches "
      "when it is identified as `lgn fit` does; what that means for a baseline is in its note. Poles are "
      "matched to the true ones by minimum cost on the complex |Δλ|; the paper compares sorted real parts, which is printed "
      "beside it. NRMSE is the RMS error over the RMS of the truth over the full rollout; an energy violation is a step "
      "whose energy rises by more than 1e-6.",
      options.laboratory.quick ? " --quick" : "",
      options.laboratory.quick || options.laboratory.seeds == LaboratoryOptions{}.seeds
          ? ""
          : fmt::format(" --seeds {}", options.laboratory.seeds),
      version);
  if (options.laboratory.quick)
    text +=
        "\n\nThis is the quick run: one seed and a tenth of the epochs of neural models. Their numbers say that they "
        "run, not what they reach.";
  return text;
}

}  // namespace

void reproduce(const ReproductionOptions& options) {
  const std::vector<const Experiment*> list = chosen(options.experiments);
  const Store store(options.folder, stamp(options));
  const NeuralTrainer neural(options.neural_program, store.trainings(), options.jobs);
  const auto minutes = [&](const Experiment& e) {
    return options.laboratory.quick ? e.quick_minutes : e.minutes;
  };
  std::vector<const Experiment*> open;
  double total = 0, behind = 0;
  for (const Experiment* experiment : list) {
    const auto found = options.again ? std::nullopt : store.find(experiment->id);
    if (found && options.done) options.done(*found, true);
    if (found) continue;
    open.push_back(experiment);
    total += minutes(*experiment);
  }
  const auto began = std::chrono::steady_clock::now();
  const auto seconds_since = [](std::chrono::steady_clock::time_point then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
  };
  for (const Experiment* experiment : open) {
    const auto started = std::chrono::steady_clock::now();
    Laboratory laboratory(options.laboratory, neural, [&](const std::string& task, double share) {
      const double fraction = (behind + share * minutes(*experiment)) / total;
      const double elapsed = seconds_since(began);
      return !options.observe ||
             options.observe({fmt::format("{}: {}", experiment->id, task), fraction,
                              fraction > 0.02 ? elapsed / fraction - elapsed
                                              : std::numeric_limits<double>::quiet_NaN()});
    });
    Findings findings = experiment->run(laboratory);
    findings.id = experiment->id;
    findings.title = experiment->title;
    findings.seconds = seconds_since(started);
    behind += minutes(*experiment);
    store.keep(findings);
    store.write_pages(introduction(options));
    if (options.done) options.done(findings, false);
  }
  store.write_pages(introduction(options));
}

}  // namespace lgn::studies
