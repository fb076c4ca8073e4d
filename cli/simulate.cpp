#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>

#include "cli/commands.h"
#include "cli/extrapolation.h"
#include "cli/outputs.h"
#include "cli/program.h"
#include "lgn/core/error.h"
#include "lgn/data/data_file.h"
#include "lgn/identify.h"
#include "lgn/model/model_file.h"

namespace lgn::cli {
namespace {

constexpr double not_set = std::numeric_limits<double>::quiet_NaN();

struct SimulateArguments {
  std::string model, times, output = "-", input;
  double begin = not_set, end = not_set, step = not_set;
  std::vector<double> initial_state;
  int run = 1;
};

/// The number without the dust of binary arithmetic, 0.3 for 0.30000000000000004, where that is
/// dust beside the step.
double clean(double time, double step) {
  const double rounded = std::stod(fmt::format("{:.15g}", time));
  return std::abs(rounded - time) < 1e-6 * step ? rounded : time;
}

/// The initial time unless it is given: where the generator varies, that of the run.
double initial_time(const SimulateArguments& arguments, const Model& model) {
  return model.begin(arguments.initial_state.empty() ? arguments.run - 1 : -1);
}

Vector grid(const SimulateArguments& arguments, const Model& model) {
  const double begin =
      std::isnan(arguments.begin) ? initial_time(arguments, model) : arguments.begin;
  if (std::isnan(arguments.end))
    throw Error("the end time is missing", "give --t1 T or --times FILE");
  if (!(arguments.end > begin))
    throw Error(fmt::format("--t1 {} is not after --t0 {}", arguments.end, begin));
  // A step found in data is a difference of times, and carries their rounding.
  const double step = std::isnan(arguments.step)
                          ? std::stod(fmt::format("{:.12g}", model.data.step))
                          : arguments.step;
  if (!(step > 0)) throw Error("the time step must be positive", "give --dt H");
  const double samples = std::floor((arguments.end - begin) / step * (1 + 1e-12)) + 1;
  constexpr double most_values = 1e8;
  if (samples * static_cast<double>(model.channels.size()) > most_values)
    throw Error(fmt::format("{:.3g} samples of {} states are more than {:.0e} values", samples,
                            model.channels.size(), most_values),
                "use a longer --dt");
  if (samples < 2) throw Error("--dt is longer than the time from --t0 to --t1");
  Vector times(static_cast<Index>(samples));
  for (Index k = 0; k < times.size(); ++k)
    times[k] = clean(begin + static_cast<double>(k) * step, step);
  return times;
}

/// The times of --times, up to --t1; with --t0 the initial time comes before them.
struct ListedTimes {
  Vector times;  ///< the first one is the initial time
  bool initial_time_listed = true;
};
ListedTimes listed(const SimulateArguments& arguments, const Model& model) {
  Reading reading;
  ReadOptions options;
  options.time_unit = model.time_unit;
  const Vector all = read_data_times(arguments.times, options, &reading);
  say(reading.line());
  Index count = all.size();
  while (count > 0 && all[count - 1] > arguments.end) --count;
  if (count < 2) throw Error("fewer than two times up to --t1", {}, {arguments.times, 0, 0});
  if (arguments.begin > all[0])
    throw Error(fmt::format("the time {} is before --t0 {}", all[0], arguments.begin), {},
                {arguments.times, 0, 0});
  if (!(arguments.begin < all[0])) return {all.head(count)};
  Vector times(count + 1);
  times << arguments.begin, all.head(count);
  return {times, false};
}

Vector initial_state_of(const SimulateArguments& arguments, const Model& model) {
  if (!arguments.initial_state.empty())
    return Eigen::Map<const Vector>(arguments.initial_state.data(),
                                    static_cast<Index>(arguments.initial_state.size()));
  if (arguments.run < 1 || arguments.run > model.starts.cols())
    throw Error(
        fmt::format("the model has the initial states of {} run{}, not of run {}",
                    model.starts.cols(), model.starts.cols() == 1 ? "" : "s", arguments.run),
        "give an initial state with --x0 a,b,…");
  return model.starts.col(arguments.run - 1);
}

/// The inputs of --input, up to --t1, and their times.
Trajectory driving(const SimulateArguments& arguments, const Model& model) {
  if (model.inputs.empty())
    throw Error("the model has no inputs, so --input cannot be used", {}, {arguments.model, 0, 0});
  if (!arguments.times.empty() || !std::isnan(arguments.step) || !std::isnan(arguments.begin))
    throw Error("--input has its own times", "leave out --times, --dt and --t0");
  Reading reading;
  ReadOptions options;
  options.time_unit = model.time_unit;
  options.channels = model.inputs;
  options.channels_from = "the model";
  options.inputs = {"none"};
  const Dataset data = read_data({arguments.input}, options, &reading);
  say(reading.line());
  const Trajectory& run = data.runs().front();
  if (run.states().hasNaN())
    throw Error("an input has no value at some time", "give one for each time",
                {arguments.input, 0, 0});
  Index count = run.samples();
  while (count > 0 && run.times()[count - 1] > arguments.end) --count;
  if (count < 2) throw Error("fewer than two times up to --t1", {}, {arguments.input, 0, 0});
  return Trajectory("1", run.times().head(count), run.states().leftCols(count));
}

void simulate_model(const SimulateArguments& arguments) {
  check_data_format(arguments.output);
  check_outputs({arguments.output}, {arguments.model, arguments.times, arguments.input});
  const Model model = read_model(arguments.model);
  ListedTimes list;
  Matrix inputs;
  if (!arguments.input.empty()) {
    const Trajectory run = driving(arguments, model);
    list.times = run.times();
    inputs = run.states();
  } else {
    list = arguments.times.empty() ? ListedTimes{grid(arguments, model)} : listed(arguments, model);
  }
  auto& [times, initial_time_listed] = list;
  warn_extrapolation(model, times);
  const Vector x0 = initial_state_of(arguments, model);
  Matrix outputs = simulate(model, x0, times, inputs);
  if (!initial_time_listed) {
    times = times.tail(times.size() - 1).eval();
    outputs = outputs.rightCols(times.size()).eval();
  }
  if (!outputs.allFinite())
    throw Error("the response overflows before the end time", "use an earlier --t1");
  write_data(Dataset(model.channels, {Trajectory("1", times, std::move(outputs))}),
             arguments.output);
}

}  // namespace

void add_simulate(CommandLine& line) {
  auto arguments = std::make_shared<SimulateArguments>();
  line.add("simulate", "simulate the response from an initial state, free or to inputs")
      .argument("MODEL", arguments->model, "A model file; - is standard input")
      .option("--t1", arguments->end, "T", "End time")
      .option(
          "--t0", arguments->begin, "T",
          "Initial time (default: 0, that of the data where the\ngenerator varies in time, or the first of --times)")
      .option("--dt", arguments->step, "H", "Time step (default: that of the data)")
      .option("--times", arguments->times, "T.csv",
              "Times to use instead: a data file with a column or an array t")
      .option("--x0", arguments->initial_state, "A,B,..", "Initial state (default: that of --run)")
      .option("--run", arguments->run, "K",
              "Initial state of the K-th run of the data (default: 1)")
      .option(
          "--input", arguments->input, "U.csv",
          "Inputs and their times, a column each by the names of the\nmodel (default: inputs are zero)")
      .option("-o,--output", arguments->output, "X",
              "Where to write: .csv, .npz, .npy, .mat, .h5\n(default: CSV on standard output)")
      .run([arguments] { simulate_model(*arguments); });
}

}  // namespace lgn::cli
