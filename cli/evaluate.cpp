#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/data_options.h"
#include "lgn/core/error.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify/starts.h"
#include "lgn/identify/trajectory_loss.h"
#include "lgn/physics/metrics.h"
#include "lgn/report/model_file.h"
#include "lgn/report/tables.h"

namespace lgn::cli {
namespace {

struct EvaluateArguments {
  std::string model, starts = "estimate";
  DataOptions data;
  bool json = false;
};

/// Errors of one run, or of one channel over all runs.
struct Score {
  std::string name;
  double nrmse = 0;
  double violations = std::nan("");  ///< fraction of steps in which the model's energy grows
};

struct Evaluation {
  double nrmse = 0, violations = 0;
  std::vector<Score> runs, channels;
};

Evaluation evaluate(const Model& model, const Dataset& data, const Matrix& starts) {
  Evaluation result;
  Matrix predicted(data.dimension(), data.samples()), truth(data.dimension(), data.samples());
  Index column = 0;
  double grown = 0, steps = 0;
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const auto& run = data.runs()[r];
    const Matrix states = propagate(model.a, starts.col(static_cast<Index>(r)), run.times());
    Score score{run.label(), nrmse(states, run.states())};
    if (model.energy) {
      const Vector energy = energies(states, *model.energy);
      score.violations = energy_violations(energy, 1e-6 * energy[0]);
      grown += score.violations * static_cast<double>(run.samples() - 1);
      steps += static_cast<double>(run.samples() - 1);
    }
    result.runs.push_back(score);
    predicted.middleCols(column, run.samples()) = states;
    truth.middleCols(column, run.samples()) = run.states();
    column += run.samples();
  }
  for (Index c = 0; c < data.dimension(); ++c)
    result.channels.push_back(
        {data.channels()[static_cast<std::size_t>(c)], nrmse(predicted.row(c), truth.row(c))});
  result.nrmse = nrmse(predicted, truth);
  result.violations = steps > 0 ? grown / steps : std::nan("");
  return result;
}

nlohmann::ordered_json to_json(const Evaluation& evaluation) {
  using Json = nlohmann::ordered_json;
  const auto list = [](const std::vector<Score>& scores, bool energy) {
    Json out = Json::array();
    for (const auto& s : scores) {
      out.push_back({{"name", s.name}, {"nrmse", s.nrmse}});
      if (energy) out.back()["energy_violations"] = s.violations;
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
    rows.push_back({"run " + s.name, error(s.nrmse), percent(s.violations)});
  for (const auto& s : evaluation.channels)
    rows.push_back({"channel " + s.name, error(s.nrmse), ""});
  rows.push_back({"all", error(evaluation.nrmse), percent(evaluation.violations)});
  return text_table({"", "NRMSE", "energy grows"}, rows);
}

void evaluate_model(const EvaluateArguments& arguments) {
  if (arguments.starts != "estimate" && arguments.starts != "measured")
    throw Error(fmt::format("--x0 does not know \"{}\"", arguments.starts),
                "it takes estimate or measured");
  const Model model = read_model(arguments.model);
  const Dataset data = arguments.data.read_for(model.channels);
  const Matrix starts =
      arguments.starts == "estimate" ? fitted_starts(model.a, data) : measured_starts(data);
  const Evaluation evaluation = evaluate(model, data, starts);
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
      .option("--x0", arguments->starts, "HOW",
              "Starts of the runs: estimate (default) or measured")
      .flag("--json", arguments->json, "As JSON")
      .run([arguments] { evaluate_model(*arguments); });
}

}  // namespace lgn::cli
