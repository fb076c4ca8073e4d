#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

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
#include "lgn/model/prediction.h"
#include "lgn/physics/evaluation.h"
#include "lgn/physics/metrics.h"
#include "lgn/report/text/tables.h"

namespace lgn::cli {
namespace {

struct EvaluateArguments {
  std::string model, initial_states = "estimate";
  DataOptions data;
  int first_samples = 0;
  std::vector<double> horizons;
  bool json = false;
};

/// The samples that initial states are estimated from.
Dataset beginnings(const EvaluateArguments& arguments, const Dataset& data) {
  if (arguments.first_samples == 0) return data;
  if (arguments.first_samples < 2)
    throw Error("--x0-samples must be at least 2", "initial states need some samples");
  return first_samples(data, arguments.first_samples);
}

/// How well samples were predicted so many steps ahead.
struct AheadScores {
  Index horizon = 1;
  Evaluation scores;
};

std::vector<AheadScores> ahead(const EvaluateArguments& arguments, const Model& model,
                               const Dataset& data) {
  std::vector<double> horizons = arguments.horizons;
  if (horizons.empty() && model.ambient) horizons = {1};
  std::vector<AheadScores> result;
  for (const double horizon : horizons) {
    constexpr double longest = 1e6;
    if (!(horizon >= 1 && horizon <= longest) || horizon != std::floor(horizon))
      throw Error("--horizon takes whole numbers of samples, 1 at least");
    const auto steps = static_cast<Index>(horizon);
    result.push_back(
        {steps, evaluate(predict(model, data, steps), data, reference_of(model, data))});
  }
  return result;
}

nlohmann::ordered_json to_json(const Evaluation& evaluation,
                               const std::vector<AheadScores>& predictions) {
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
  Json result = {{"nrmse", evaluation.nrmse},
                 {"energy_violations", evaluation.violations},
                 {"runs", list(evaluation.runs, true)},
                 {"channels", list(evaluation.channels, false)}};
  if (!predictions.empty()) result["predictions"] = Json::array();
  for (const auto& [horizon, scores] : predictions)
    result["predictions"].push_back({{"horizon", horizon},
                                     {"nrmse", scores.nrmse},
                                     {"channels", list(scores.channels, false)}});
  return result;
}

/// Labels come from file names, which need not be UTF-8.
std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string to_text(const Evaluation& evaluation, const std::vector<AheadScores>& predictions) {
  const auto percent = [](double v) {
    return std::isnan(v) ? std::string("–") : fmt::format("{:.1f}%", 100 * v);
  };
  const auto error = [](double v) {
    return std::isnan(v) ? std::string("–") : fmt::format("{:.3e}", v);
  };
  std::vector<std::vector<std::string>> rows;
  for (const auto& s : evaluation.runs)
    rows.push_back({"run " + s.name, error(s.nrmse), "", percent(s.violations), error(s.spread)});
  // Of very many channels those are shown that are predicted worst.
  constexpr std::size_t most_listed = 400, worst = 20;
  std::vector<std::size_t> listed(evaluation.channels.size());
  std::iota(listed.begin(), listed.end(), std::size_t{0});
  if (listed.size() > most_listed) {
    std::stable_sort(listed.begin(), listed.end(), [&](std::size_t a, std::size_t b) {
      return evaluation.channels[a].nrmse > evaluation.channels[b].nrmse;
    });
    listed.resize(worst);
  }
  for (const std::size_t c : listed) {
    const Score& s = evaluation.channels[c];
    rows.push_back({"channel " + s.name, error(s.nrmse), percent(s.percent / 100), "", ""});
  }
  rows.push_back({"all", error(evaluation.nrmse), "", percent(evaluation.violations), ""});
  std::vector<std::string> header{"", "NRMSE", "fit", "energy grows", "σ_E"};
  for (const auto& [horizon, scores] : predictions) {
    header.push_back(fmt::format("{} step{} ahead", horizon, horizon == 1 ? "" : "s"));
    for (std::size_t k = 0; k < scores.runs.size(); ++k)
      rows[k].push_back(error(scores.runs[k].nrmse));
    for (std::size_t k = 0; k < listed.size(); ++k)
      rows[scores.runs.size() + k].push_back(error(scores.channels[listed[k]].nrmse));
    rows.back().push_back(error(scores.nrmse));
  }
  return text_table(header, rows);
}

/// Scores of a simulation that there is none of: forces that nobody measured move the system.
Evaluation unforeseen(Evaluation like) {
  const double none = std::nan("");
  like.nrmse = like.violations = none;
  for (auto* scores : {&like.runs, &like.channels})
    for (Score& score : *scores) score = {score.name, none, none, none, none};
  return like;
}

void print(const EvaluateArguments& arguments, const Evaluation& evaluation,
           const std::vector<AheadScores>& predictions) {
  if (arguments.json)
    std::cout << json_text(to_json(evaluation, predictions)) << '\n';
  else
    std::cout << to_text(evaluation, predictions);
}

void evaluate_model(const EvaluateArguments& arguments) {
  const bool estimated = initial_states_estimated(arguments.initial_states);
  const Model model = read_model(arguments.model);
  const Dataset data = arguments.data.read_for(model);
  const std::vector<AheadScores> predictions = ahead(arguments, model, data);
  if (model.ambient) return print(arguments, unforeseen(predictions.front().scores), predictions);
  if (!estimated && model.hidden())
    throw Error("hidden states cannot be read from the first sample",
                "leave out --x0 measured: they are estimated");
  const Matrix starts = estimated ? fitted_initial_states(model, beginnings(arguments, data))
                                  : measured_initial_states(data);
  for (const auto& run : data.runs()) warn_extrapolation(model, run.times());
  const bool driven = model.drive.active();
  EnergyOfStates energy;
  // Inputs give energy to the system, and may keep it from where it rests.
  if (!driven && model.nonlinear && model.nonlinear->structure->state_energy() != nullptr)
    energy = [&](const Matrix& states) { return *model.nonlinear->energies(states); };
  else if (!driven && model.energy)
    energy = [&](const Matrix& states) { return energies(states, *model.energy); };
  const Evaluation evaluation = evaluate(
      model.propagator(), energy, data, starts, driven ? channel_means(data) : model.offset,
      [&](const Vector& x0, const Vector& times, const Matrix& inputs) {
        return model.propagate_states(x0, times, inputs);
      });
  if (!std::isfinite(evaluation.nrmse))
    throw Error("the model's trajectory, or the data, leave nothing to compare",
                "the free response may overflow: evaluate shorter runs");
  print(arguments, evaluation, predictions);
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
      .option("--horizon", arguments->horizons, "K,..",
              "Errors of predictions K samples ahead, too\n(default: none; 1 for random vibration)")
      .flag("--json", arguments->json, "As JSON")
      .run([arguments] { evaluate_model(*arguments); });
}

}  // namespace lgn::cli
