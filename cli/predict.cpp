#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/data_options.h"
#include "cli/extrapolation.h"
#include "cli/outputs.h"
#include "cli/program.h"
#include "lgn/core/error.h"
#include "lgn/data/data_file.h"
#include "lgn/model/model_file.h"
#include "lgn/model/prediction.h"

namespace lgn::cli {
namespace {

struct PredictArguments {
  std::string model, output = "-";
  DataOptions data;
  int horizon = 1;
  bool quiet = false;
};

/// A channel and its standard error side by side.
Dataset table_of(const Prediction& prediction, const Dataset& data) {
  std::vector<std::string> names;
  for (const auto& channel : data.channels()) {
    names.push_back(channel);
    names.push_back(channel + "_se");
  }
  std::vector<Trajectory> runs;
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    Matrix rows(2 * data.dimension(), data.runs()[r].samples());
    for (Index c = 0; c < data.dimension(); ++c) {
      rows.row(2 * c) = prediction.outputs[r].row(c);
      rows.row(2 * c + 1) = prediction.errors[r].row(c);
    }
    runs.emplace_back(data.runs()[r].label(), data.runs()[r].times(), std::move(rows));
  }
  return Dataset(names, std::move(runs));
}

std::string summary(const Evaluation& evaluation, int horizon) {
  std::string text = fmt::format("NRMSE of {}-step predictions: ", horizon);
  for (const Score& score : evaluation.channels)
    text += fmt::format("{} {}, ", score.name,
                        std::isnan(score.nrmse) ? "–" : fmt::format("{:.4g}", score.nrmse));
  return text + fmt::format("all {:.4g}", evaluation.nrmse);
}

void predict_data(const PredictArguments& arguments) {
  if (arguments.horizon < 1)
    throw Error("--horizon must be at least 1", "it is a number of samples");
  check_data_format(arguments.output);
  std::vector<std::string> inputs = arguments.data.files;
  inputs.push_back(arguments.model);
  check_outputs({arguments.output}, inputs);
  const Model model = read_model(arguments.model);
  const Dataset data = arguments.data.read_for(model, arguments.quiet);
  for (const auto& run : data.runs()) warn_extrapolation(model, run.times());
  const Prediction prediction = predict(model, data, arguments.horizon);
  bool any = false;
  for (const Matrix& outputs : prediction.outputs) any = any || !outputs.array().isNaN().all();
  if (!any)
    throw Error(
        "nothing can be predicted: runs are shorter than the horizon, or say nothing of the state",
        "use a shorter --horizon, or longer runs");
  const Evaluation evaluation = evaluate(prediction, data, reference_of(model, data));
  write_data(table_of(prediction, data), arguments.output);
  if (arguments.quiet) return;
  const std::string text = summary(evaluation, arguments.horizon);
  if (arguments.output == "-")
    std::cerr << text << '\n';
  else
    std::cout << text << '\n';
}

}  // namespace

void add_predict(CommandLine& line) {
  auto arguments = std::make_shared<PredictArguments>();
  Command command =
      line.add("predict", "predict samples from those before them, with standard errors");
  command.argument("MODEL", arguments->model, "A model file");
  arguments->data.add_to(command);
  command.option("--horizon", arguments->horizon, "K", "How many samples ahead (default: 1)")
      .option("-o,--output", arguments->output, "X",
              "Where to write: .csv, .npz, .npy, .mat, .h5\n(default: CSV on standard output)")
      .flag("--quiet", arguments->quiet, "No summary")
      .footer(
          "A column for each channel, and NAME_se with the standard error of the prediction; both\n"
          "are empty where too little was seen before. Inputs are known up to the sample itself.")
      .run([arguments] { predict_data(*arguments); });
}

}  // namespace lgn::cli
