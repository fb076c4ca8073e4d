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
  bool json = false;
};

nlohmann::ordered_json to_json(const Evaluation& evaluation) {
  using Json = nlohmann::ordered_json;
  const auto list = [](const std::vector<Score>& scores, bool energy) {
    Json out = Json::array();
    for (const auto& s : scores) {
      out.push_back({{"name", s.name}, {"nrmse", s.nrmse}});
      if (energy) {
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
    rows.push_back({"run " + s.name, error(s.nrmse), percent(s.violations), error(s.spread)});
  for (const auto& s : evaluation.channels)
    rows.push_back({"channel " + s.name, error(s.nrmse), "", ""});
  rows.push_back({"all", error(evaluation.nrmse), percent(evaluation.violations), ""});
  return text_table({"", "NRMSE", "energy grows", "σ_E"}, rows);
}

void evaluate_model(const EvaluateArguments& arguments) {
  const bool estimated = initial_states_estimated(arguments.initial_states);
  const Model model = read_model(arguments.model);
  const Dataset data = arguments.data.read_for(model);
  const Matrix starts =
      estimated ? fitted_initial_states(model, data) : measured_initial_states(data);
  for (const auto& run : data.runs()) warn_extrapolation(model, run.times());
  const Evaluation evaluation =
      evaluate([&](const Vector& x0, const Vector& times) { return model.propagate(x0, times); },
               model.energy, data, starts, model.offset);
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
      .flag("--json", arguments->json, "As JSON")
      .run([arguments] { evaluate_model(*arguments); });
}

}  // namespace lgn::cli
