#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/reproduction/neural_trainer.h"
#include "experiments/reproduction/results.h"
#include "lgn/identify/progress.h"

namespace lgn::studies {

/// What all experiments of a reproduction have in common.
struct LaboratoryOptions {
  bool quick =
      false;  ///< a tenth of the epochs of neural models, and one seed unless they are asked for
  int seeds =
      0;  ///< of every training from random weights: 1, 2, …; 0: three, as in the paper, or one

  int seeds_used() const { return seeds > 0 ? seeds : quick ? 1 : 3; }
};

/// Where an experiment is run: its settings, the trainer of neural models, and who watches.
class Laboratory {
 public:
  /// `observe` is told what is being done and the fraction of the experiment behind; returning false ends
  /// it.
  using Observer = std::function<bool(const std::string& task, double fraction)>;

  Laboratory(const LaboratoryOptions& options, const NeuralTrainer& neural, Observer observe)
      : options_(options), neural_(neural), observe_(std::move(observe)) {}

  bool quick() const { return options_.quick; }
  /// Seeds of trainings: 1 to seeds().
  int seeds() const { return options_.seeds_used(); }
  bool has_neural() const { return neural_.available(); }
  /// That neural models took which were trained before, as if they had been trained now.
  double kept_seconds() const { return kept_seconds_; }

  /// From here on the work is so named, and takes this fraction of the experiment, more or less. Throws
  /// Error when it is to end.
  void begin(const std::string& task, double share);
  /// For fits to report to while the named work goes on. Throws in the same way.
  void step(double fraction_of_task);
  /// The same as an observer of so many epochs.
  std::function<bool(int, double)> epochs(int count);

  /// Trains each task for seeds 1 to seeds(); result[k] are the models of tasks[k]. The names of the files get
  /// the seed; what else depends on it is for `vary` to set. Empty when there is no libtorch.
  std::vector<std::vector<NeuralModel>> train(const std::string& what, double share,
                                              const std::vector<NeuralTask>& tasks,
                                              const std::function<void(NeuralTask&)>& vary = {});

 private:
  LaboratoryOptions options_;
  const NeuralTrainer& neural_;
  Observer observe_;
  std::string task_;
  double behind_ = 0, share_ = 0, kept_seconds_ = 0;
};

/// The note of a row that needs libtorch where there is none.
inline constexpr const char* no_libtorch =
    "not run: without lgn-neural, which needs libtorch (`make reproduce` installs it)";

/// One of the paper's experiments.
struct Experiment {
  std::string id;
  std::string title;
  double minutes, quick_minutes;  ///< that it takes on two cores, about
  Findings (*run)(Laboratory&);
};

// In the order of the paper.
Findings run_exp1(Laboratory& laboratory);
Findings run_exp2(Laboratory& laboratory);
Findings run_exp3(Laboratory& laboratory);
Findings run_exp4(Laboratory& laboratory);
Findings run_a1(Laboratory& laboratory);
Findings run_a2(Laboratory& laboratory);
const std::vector<Experiment>& experiments();

}  // namespace lgn::studies
