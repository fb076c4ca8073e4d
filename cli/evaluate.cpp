#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/data_options.h"
#include "cli/extrapolation.h"
#include "cli/initial_states.h"
#include "lgn/core/error.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/identify.h"
#include "lgn/identify/likelihood/problem.h"
#include "lgn/model/model_file.h"
#include "lgn/physics/evaluation.h"
#include "lgn/report/text/tables.h"

namespace lgn::cli {
namespace {

struct EvaluateArguments {
  std::string model, initial_states = "estimate";
  DataOptions data;
  int first_samples = 0;
  bool json = false;
};

/// The samples that initial states are estimated from.
Dataset beginnings(const EvaluateArguments& arguments, const Dataset& data) {
  if (arguments.first_samples == 0) return data;
  if (arguments.first_samples < 2)
    throw Error("--x0-samples must be at least 2", "initial states need some samples");
  return first_samples(data, arguments.first_samples);
}

nlohmann::ordered_json to_json(const Evaluation& evaluation) {
  using Json = nlohmann::ordered_json;
  const auto list = [](const std::vector<Score>& scores, bool energy) {
    Json out = Json::array();
    for (const auto& s : scores) {
      out.push_back({{"name", s.name}, {"nrmse", s.nrmse}});
      if (!energy) {
        out.back()["fit_percent"] = s.percent;
      } else {
        out.back()["energy_violations"] = s.violations;
        out.back()["energy_spread"] = s.spread;
      }
    }
    return out;
  };
  return {{"nrmse", evaluation.nrmse},
          {"energy_violations", evaluation.violations},
          {"runs", list(evaluation.runs, true)},
          {"channels", list(evaluation.channels, false)}};
}

/// Labels come from file names, which need not be UTF-8.
std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string to_text(const Evaluation& evaluation) {
  const auto percent = [](double v) {
    return std::isnan(v) ? std::string("–") : fmt::format("{:.1f}%", 100 * v);
  };
  const auto error = [](double v) {
    return std::isnan(v) ? std::string("–") : fmt::format("{:.3e}", v);
  };
  std::vector<std::vector<std::string>> rows;
  for (const auto& s : evaluation.runs)
    rows.push_back({"run " + s.name, error(s.nrmse), "", percent(s.violations), error(s.spread)});
  for (const auto& s : evaluation.channels)
    rows.push_back({"channel " + s.name, error(s.nrmse), percent(s.percent / 100), "", ""});
  rows.push_back({"all", error(evaluation.nrmse), "", percent(evaluation.violations), ""});
  return text_table({"", "NRMSE", "fit", "energy grows", "σ_E"}, rows);
}

void evaluate_model(const EvaluateArguments& arguments) {
  const bool estimated = initial_states_estimated(arguments.initial_states);
  const Model model = read_model(arguments.model);
  if (model.ambient)
    throw Error("a model of random vibration does not tell samples: its forces are unknown",
                "lgn report shows its spectra beside those of the data");
  const Dataset data = arguments.data.read_for(model);
  if (!estimated && model.hidden())
    throw Error("hidden states cannot be read from the first sample",
                "leave out --x0 measured: they are estimated");
  const Matrix starts = estimated ? fitted_initial_states(model, beginnings(arguments, data))
                                  : measured_initial_states(data);
  for (const auto& run : data.runs()) warn_extrapolation(model, run.times());
  const bool driven = model.drive.active();
  const Evaluation evaluation = evaluate(
      // Inputs give energy to the system, and may keep it from where it rests.
      model.propagator(), driven ? std::nullopt : model.energy, data, starts,
      driven ? channel_means(data) : model.offset,
      [&](const Vector& x0, const Vector& times, const Matrix& inputs) {
        return model.propagate_states(x0, times, inputs);
      });
  if (!std::isfinite(evaluation.nrmse))
    throw Error("the model's trajectory, or the data, leave nothing to compare",
                "the free response may overflow: evaluate shorter runs");
  if (arguments.json) {
    std::cout << json_text(to_json(evaluation)) << '\n';
  } else {
    std::cout << to_text(evaluation);
  }
}

}  // namespace

void add_evaluate(CommandLine& line) {
  auto arguments = std::make_shared<EvaluateArguments>();
  Command command =
      line.add("evaluate", "how well a model predicts data: NRMSE and energy, per run and channel");
  command.argument("MODEL", arguments->model, "A model file");
  arguments->data.add_to(command);
  command
      .option("--x0", arguments->initial_states, "HOW",
              "Initial states of the runs: estimate (default) or measured")
      .option("--x0-samples", arguments->first_samples, "N",
              "Estimate initial states from the first N samples of each run,\n"
              "and predict the others (default: from all)")
      .flag("--json", arguments->json, "As JSON")
      .run([arguments] { evaluate_model(*arguments); });
}

}  // namespace lgn::cli
