#pragma once

#include <nlohmann/json_fwd.hpp>

#include "experiments/neural/training.h"

namespace lgn::neural {

/// What a finished training is asked to predict.
struct RolloutTask {
  std::vector<double> x0, times;
  Integrator integrator;
};

/// What to train, on what, and what to predict with it. As JSON, with the fields that have a default in
/// parentheses:
///
///   model          "hnn", "neural-ode" or "residual"
///   hidden         widths of the hidden layers: [64, 64]
///   gain, seed     of the weights' draws
///   (time)         what a Neural ODE sees of time: "none", "scalar" (t/10), "fourier"
///   frequencies    for "fourier": angular
///   loss           "trajectory", "field" (the runs have rates), "step" (the residual network's)
///   runs           [{times, states, rates}], states and rates one list per channel
///   (integrator)   of the trajectory loss: {method: "dormand-prince", (tolerance: 1e-5)} or
///                  {method: "rk4"}, one step from sample to sample
///   epochs, (learning_rate), (patience), (factor), (clip)
///   (rollouts)     [{x0, times, (integrator)}]; a residual network only counts the times
struct Task {
  enum class Model { hamiltonian, neural_ode, residual };
  enum class Objective { trajectory, field, step };

  Model model = Model::neural_ode;
  Objective objective = Objective::trajectory;
  std::vector<std::int64_t> hidden;
  double gain = 1;
  std::uint64_t seed = 1;
  TimeInput time;
  /// Channels of every run.
  std::int64_t n = 0;
  std::vector<Batch> batches;
  Integrator integrator;
  Training training;
  std::vector<RolloutTask> rollouts;
};

/// Throws BadTask, which names the field that is missing or wrong.
Task task_from(const nlohmann::json& json);

}  // namespace lgn::neural
