#include "experiments/neural/task.h"

#include <algorithm>

#include "experiments/neural/json_entry.h"

namespace lgn::neural {

namespace {

using Listed = std::vector<std::vector<double>>;

constexpr std::int64_t most_epochs = 10'000'000, most_layers = 8, widest_layer = 1024;

struct Run {
  std::vector<double> times;
  /// A row per channel.
  Listed states, rates;
};

/// (times × runs × channels) of what one member of the runs holds.
Tensor stacked(const std::vector<Run>& runs, Listed Run::*member) {
  const auto count = static_cast<std::int64_t>(runs[0].times.size());
  const auto n = static_cast<std::int64_t>((runs[0].*member).size());
  Tensor all = torch::empty({count, static_cast<std::int64_t>(runs.size()), n}, real());
  double* next = all.data_ptr<double>();
  for (std::size_t k = 0; k < runs[0].times.size(); ++k)
    for (const Run& run : runs)
      for (const std::vector<double>& channel : run.*member) *next++ = channel[k];
  return all;
}

std::vector<Batch> batches_of(std::vector<Run> runs) {
  std::vector<Batch> batches;
  while (!runs.empty()) {
    const std::vector<double> times = runs[0].times;
    const auto others = std::stable_partition(runs.begin(), runs.end(),
                                              [&](const Run& run) { return run.times == times; });
    const std::vector<Run> same(runs.begin(), others);
    batches.push_back({.times = times,
                       .states = stacked(same, &Run::states),
                       .rates = same[0].rates.empty() ? Tensor() : stacked(same, &Run::rates)});
    runs.erase(runs.begin(), others);
  }
  return batches;
}

Run run_from(const JsonEntry& entry, bool with_rates) {
  entry.only({"times", "states", "rates"});
  Run run{.times = entry.at("times").ascending(2), .states = {}, .rates = {}};
  run.states = entry.at("states").rows(run.times.size());
  if (!with_rates) return run;
  const JsonEntry rates = entry.at("rates");
  run.rates = rates.rows(run.times.size());
  if (run.rates.size() != run.states.size())
    rates.reject("has " + std::to_string(run.rates.size()) + " channels where the states have " +
                 std::to_string(run.states.size()));
  return run;
}

std::vector<Run> runs_from(const JsonEntry& entry, bool with_rates) {
  std::vector<Run> runs;
  for (const JsonEntry& one : entry.list()) {
    runs.push_back(run_from(one, with_rates));
    if (runs.back().states.size() != runs[0].states.size())
      one.reject("has " + std::to_string(runs.back().states.size()) +
                 " channels where the first run has " + std::to_string(runs[0].states.size()));
  }
  return runs;
}

Integrator integrator_from(const JsonEntry& entry) {
  entry.only({"method", "tolerance"});
  Integrator integrator;
  integrator.method = entry.at("method").choice<Integrator::Method>(
      {{"dormand-prince", Integrator::Method::dormand_prince},
       {"rk4", Integrator::Method::runge_kutta_4}});
  if (const auto tolerance = entry.find("tolerance")) integrator.tolerance = tolerance->positive(1);
  return integrator;
}

RolloutTask rollout_from(const JsonEntry& entry, std::int64_t n) {
  entry.only({"x0", "times", "integrator"});
  RolloutTask rollout{
      .x0 = entry.at("x0").numbers(), .times = entry.at("times").ascending(1), .integrator = {}};
  if (static_cast<std::int64_t>(rollout.x0.size()) != n)
    entry.at("x0").reject("has " + std::to_string(rollout.x0.size()) +
                          " entries where the runs have " + std::to_string(n) + " channels");
  if (const auto integrator = entry.find("integrator"))
    rollout.integrator = integrator_from(*integrator);
  return rollout;
}

TimeInput time_from(const JsonEntry& task) {
  TimeInput time;
  if (const auto kind = task.find("time"))
    time.kind = kind->choice<TimeInput::Kind>({{"none", TimeInput::Kind::none},
                                               {"scalar", TimeInput::Kind::scalar},
                                               {"fourier", TimeInput::Kind::fourier}});
  if (time.kind != TimeInput::Kind::fourier) return time;
  const JsonEntry frequencies = task.at("frequencies");
  time.frequencies = frequencies.numbers();
  if (time.frequencies.empty() || time.frequencies.size() > widest_layer)
    frequencies.reject("needs between 1 and " + std::to_string(widest_layer) + " entries");
  return time;
}

Training training_from(const JsonEntry& task) {
  Training training;
  training.epochs = task.at("epochs").integer(0, most_epochs);
  if (const auto rate = task.find("learning_rate")) training.learning_rate = rate->positive();
  if (const auto patience = task.find("patience"))
    training.patience = patience->integer(0, most_epochs);
  if (const auto factor = task.find("factor")) training.factor = factor->positive(1);
  if (const auto clip = task.find("clip")) training.clip = clip->positive();
  return training;
}

std::vector<std::int64_t> hidden_from(const JsonEntry& entry) {
  std::vector<std::int64_t> widths;
  for (const JsonEntry& width : entry.list()) widths.push_back(width.integer(1, widest_layer));
  if (static_cast<std::int64_t>(widths.size()) > most_layers)
    entry.reject("has more than " + std::to_string(most_layers) + " layers");
  return widths;
}

/// What each field allows by itself and the others forbid.
void check_together(const JsonEntry& entry, const Task& task) {
  const bool residual = task.model == Task::Model::residual;
  if (residual != (task.objective == Task::Objective::step))
    entry.at("loss").reject("must be \"step\" for the model \"residual\", and for no other");
  if (task.model != Task::Model::neural_ode && task.time.kind != TimeInput::Kind::none)
    entry.at("time").reject("must be \"none\" for every model but \"neural-ode\"");
  if (task.model == Task::Model::hamiltonian && task.n % 2 != 0)
    entry.at("runs").reject("have an odd number of channels, which \"hnn\" cannot pair");
  if (task.n > widest_layer)
    entry.at("runs").reject("have more than " + std::to_string(widest_layer) + " channels");
}

}  // namespace

Task task_from(const nlohmann::json& json) {
  const JsonEntry entry(json);
  entry.only({"model", "hidden", "gain", "seed", "time", "frequencies", "loss", "runs",
              "integrator", "epochs", "learning_rate", "patience", "factor", "clip", "rollouts"});
  Task task;
  task.model = entry.at("model").choice<Task::Model>({{"hnn", Task::Model::hamiltonian},
                                                      {"neural-ode", Task::Model::neural_ode},
                                                      {"residual", Task::Model::residual}});
  task.objective =
      entry.at("loss").choice<Task::Objective>({{"trajectory", Task::Objective::trajectory},
                                                {"field", Task::Objective::field},
                                                {"step", Task::Objective::step}});
  task.hidden = hidden_from(entry.at("hidden"));
  task.gain = entry.at("gain").positive();
  task.seed = static_cast<std::uint64_t>(
      entry.at("seed").integer(0, std::numeric_limits<std::int64_t>::max()));
  task.time = time_from(entry);
  task.training = training_from(entry);
  if (const auto integrator = entry.find("integrator"))
    task.integrator = integrator_from(*integrator);
  std::vector<Run> runs = runs_from(entry.at("runs"), task.objective == Task::Objective::field);
  task.n = static_cast<std::int64_t>(runs[0].states.size());
  check_together(entry, task);
  task.batches = batches_of(std::move(runs));
  if (const auto rollouts = entry.find("rollouts"))
    for (const JsonEntry& one : rollouts->list())
      task.rollouts.push_back(rollout_from(one, task.n));
  return task;
}

}  // namespace lgn::neural
