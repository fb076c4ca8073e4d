#include "experiments/reproduction/laboratory.h"

#include <fmt/format.h>

#include <algorithm>

#include "lgn/core/error.h"

namespace lgn::studies {

void Laboratory::begin(const std::string& task, double share) {
  task_ = task;
  behind_ = std::min(1.0, behind_ + share_);
  share_ = share;
  step(0);
}

void Laboratory::step(double fraction_of_task) {
  if (!observe_(task_, std::min(1.0, behind_ + share_ * fraction_of_task)))
    throw NotIdentified("stopped", "the same command goes on where this one ended");
}

std::function<bool(int, double)> Laboratory::epochs(int count) {
  return [this, count](int epoch, double) {
    constexpr int rarely = 25;
    if (epoch % rarely == 0) step(static_cast<double>(epoch) / count);
    return true;
  };
}

std::vector<std::vector<NeuralModel>> Laboratory::train(
    const std::string& what, double share, const std::vector<NeuralTask>& tasks,
    const std::function<void(NeuralTask&)>& vary) {
  begin(what, share);
  if (!has_neural()) return {};
  std::vector<NeuralTask> all;
  for (const NeuralTask& task : tasks)
    for (int seed = 1; seed <= seeds(); ++seed) {
      all.push_back(task);
      all.back().name = fmt::format("{}-seed-{}", task.name, seed);
      all.back().seed = seed;
      if (vary) vary(all.back());
      if (quick()) all.back().epochs = task.epochs / 10;
    }
  std::vector<NeuralModel> models = neural_.train(all, [&](double fraction) {
    return observe_(task_, std::min(1.0, behind_ + share_ * fraction));
  });
  for (const NeuralModel& model : models)
    if (model.kept) kept_seconds_ += model.seconds / neural_.jobs();
  std::vector<std::vector<NeuralModel>> of_task(tasks.size());
  for (std::size_t k = 0; k < models.size(); ++k)
    of_task[k / static_cast<std::size_t>(seeds())].push_back(std::move(models[k]));
  return of_task;
}

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all = {
      {"exp1", "Experiment 1: LC and RLC oscillator", 2.5, 0.25, run_exp1},
      {"exp2", "Experiment 2: oscillator whose damping varies in time", 5.5, 0.6, run_exp2},
      {"exp3", "Experiment 3: ladder of 100 states", 0.5, 0.15, run_exp3},
      {"exp4", "Experiment 4: noise", 0.5, 0.1, run_exp4},
      {"a1", "A.1: order of the Magnus expansion", 0.05, 0.05, run_a1},
      {"a2", "A.2: stiff ladder against Dissipative SymODEN", 0.15, 0.1, run_a2}};
  return all;
}

}  // namespace lgn::studies
