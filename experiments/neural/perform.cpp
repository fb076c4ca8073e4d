#include "experiments/neural/perform.h"

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

namespace lgn::neural {

namespace {

using Predict = std::function<Rollout(const Tensor& x0, const RolloutTask& rollout)>;

void fit_and_predict(const Task& task, const std::vector<Tensor>& parameters, const Loss& loss,
                     const Progress& progress, const Predict& predict, Result& result) {
  result.parameters = count(parameters);
  result.trained = train(parameters, loss, task.training, progress);
  torch::NoGradGuard constant;
  for (const RolloutTask& rollout : task.rollouts) {
    const Tensor x0 = torch::tensor(rollout.x0, real()).view({1, task.n});
    result.rollouts.push_back(predict(x0, rollout));
  }
}

std::unique_ptr<Field> field_of(const Task& task) {
  if (task.model == Task::Model::hamiltonian)
    return std::make_unique<HamiltonianNetwork>(task.n, task.hidden, task.gain, task.seed);
  return std::make_unique<NeuralOde>(task.n, task.hidden, task.time, task.gain, task.seed);
}

nlohmann::json channels(const Tensor& states) {
  nlohmann::json all = nlohmann::json::array();
  const Tensor rows = states.select(1, 0).t().contiguous();
  for (std::int64_t channel = 0; channel < rows.size(0); ++channel) {
    const double* first = rows[channel].data_ptr<double>();
    all.push_back(std::vector<double>(first, first + rows.size(1)));
  }
  return all;
}

}  // namespace

Result perform(const Task& task, const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  Result result;
  if (task.model == Task::Model::residual) {
    const ResidualNetwork residual(task.n, task.hidden, task.gain, task.seed);
    fit_and_predict(
        task, residual.network.parameters(), step_loss(residual, task.batches), progress,
        [&](const Tensor& x0, const RolloutTask& rollout) {
          return residual.rollout(x0, rollout.times.size());
        },
        result);
  } else {
    const std::unique_ptr<Field> field = field_of(task);
    const Loss loss = task.objective == Task::Objective::field
                          ? field_loss(*field, task.batches)
                          : trajectory_loss(*field, task.batches, task.integrator);
    fit_and_predict(
        task, field->parameters(), loss, progress,
        [&](const Tensor& x0, const RolloutTask& rollout) {
          return integrate(*field, x0, rollout.times, rollout.integrator);
        },
        result);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

nlohmann::json json_of(const Result& result) {
  nlohmann::json json = {{"parameters", result.parameters}, {"epochs", result.trained.epochs},
                         {"loss", result.trained.loss},     {"diverged", result.trained.diverged},
                         {"seconds", result.seconds},       {"rollouts", nlohmann::json::array()}};
  for (const Rollout& rollout : result.rollouts)
    json["rollouts"].push_back(
        {{"states", channels(rollout.states)}, {"diverged", rollout.diverged}});
  return json;
}

}  // namespace lgn::neural
