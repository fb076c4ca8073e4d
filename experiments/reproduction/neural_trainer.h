#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn::studies {

/// How a neural model is integrated: dormand-prince with a tolerance, or rk4 from sample to sample.
struct NeuralIntegrator {
  std::string method = "dormand-prince";
  double tolerance = 1e-5;
};

/// A trajectory to learn from; column k of `states` is x(t_k), of `rates` ẋ(t_k).
struct NeuralRun {
  Vector times;
  Matrix states;
  Matrix rates = {};  ///< for the loss "field"
};

struct NeuralRollout {
  Vector x0, times;
  NeuralIntegrator integrator = {};
};

/// The training of a neural model. The defaults are the paper's.
struct NeuralTask {
  std::string name;   ///< of its files
  std::string model;  ///< hnn, neural-ode or residual
  std::vector<int> hidden = {64, 64};
  double gain = 0.3;
  int seed = 1;
  std::string time = "none";  ///< or scalar, fourier
  Vector frequencies = {};    ///< for fourier
  std::string loss = "trajectory";
  std::vector<NeuralRun> runs = {};
  NeuralIntegrator integrator = {};
  int epochs = 3000;
  std::vector<NeuralRollout> rollouts = {};
};

/// A trained model, and where its rollouts went; states that diverged are not numbers.
struct NeuralModel {
  Index parameters = 0;
  double loss = 0;
  bool diverged = false;
  double seconds = 0;
  bool kept = false;  ///< from an earlier training
  std::vector<Matrix> rollouts;
};

/// Called now and then with the fraction that is done; returning false ends the work.
using FractionObserver = std::function<bool(double)>;

/// Trains neural models by the program lgn-neural, which alone knows libtorch: several processes at a
/// time, one thread each. Finished trainings are kept in a folder and not repeated.
class NeuralTrainer {
 public:
  /// `program`: the path of lgn-neural; empty: there is none. `again`: what the folder holds does not count.
  NeuralTrainer(std::string program, std::string folder, int jobs, bool again = false);

  bool available() const { return !program_.empty(); }
  int jobs() const { return jobs_; }

  /// Whether the program can be run here: the libraries that it was built with may be gone.
  static bool works(const std::string& program);

  /// The models in the order of the tasks. Throws Error when a training fails, NotIdentified when the observer
  /// ends it.
  std::vector<NeuralModel> train(const std::vector<NeuralTask>& tasks,
                                 const FractionObserver& observe) const;

 private:
  std::string program_, folder_;
  int jobs_;
  bool again_;
};

}  // namespace lgn::studies
