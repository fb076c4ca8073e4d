#pragma once

#include <nlohmann/json_fwd.hpp>

#include "experiments/neural/task.h"

namespace lgn::neural {

/// What came of a task.
struct Result {
  /// How many there are.
  std::int64_t parameters = 0;
  Trained trained;
  /// Of training and rollouts.
  double seconds = 0;
  /// In the order of the task's, each with a batch of one.
  std::vector<Rollout> rollouts;
};

/// Trains and predicts.
Result perform(const Task& task, const Progress& progress = {});

/// {parameters, epochs, loss, diverged, seconds, rollouts: [{states, diverged}]}, states one list per
/// channel. NaN becomes null.
nlohmann::json json_of(const Result& result);

}  // namespace lgn::neural
