#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "experiments/neural/integrators.h"
#include "experiments/neural/residual_network.h"

namespace lgn::neural {

/// Runs that share their times.
struct Batch {
  std::vector<double> times;
  /// (times × runs × n).
  Tensor states;
  /// ẋ at the states, where the loss compares rates.
  Tensor rates;
};

/// A loss over all runs at once, of a model that outlives it.
using Loss = std::function<Tensor()>;

/// Mean of |x̂ − x|² per entry over all samples of all runs, x̂ integrated from each run's first sample.
Loss trajectory_loss(const Field& field, std::vector<Batch> batches, Integrator integrator);
/// Mean of |f(x_k, t_k) − ẋ_k|² per entry.
Loss field_loss(const Field& field, const std::vector<Batch>& batches);
/// Mean of |x_k + f(x_k) − x_{k+1}|² per entry over all pairs of neighbours.
Loss step_loss(const ResidualNetwork& network, const std::vector<Batch>& batches);

/// The rate falls by a factor where the loss has not fallen for longer than `patience` epochs below its
/// best so far, by a share of 1e-4 at least (PyTorch's ReduceLROnPlateau).
class PlateauSchedule {
 public:
  PlateauSchedule(double rate, double factor, std::int64_t patience)
      : rate_(rate), factor_(factor), patience_(patience) {}
  /// The rate after an epoch with this loss.
  double next(double loss);

 private:
  double rate_, factor_;
  std::int64_t patience_, waited_ = 0;
  double best_ = std::numeric_limits<double>::infinity();
};

struct Training {
  std::int64_t epochs = 3000;
  double learning_rate = 1e-3;
  /// Of the plateau schedule.
  std::int64_t patience = 200;
  double factor = 0.5;
  /// Longest gradient.
  double clip = 1.0;
};

struct Trained {
  /// Steps that were taken.
  std::int64_t epochs = 0;
  /// At the final parameters, which are those of the last epoch and not of the best.
  double loss = 0;
  /// The loss or its gradient stopped being finite, which ends the training; the parameters are the
  /// last that had both.
  bool diverged = false;
};

/// Told the epochs done, and the loss of the last.
using Progress = std::function<void(std::int64_t, double)>;

/// Adam on the full batch, the gradient shortened to `clip` where it is longer, with a plateau schedule.
Trained train(const std::vector<Tensor>& parameters, const Loss& loss, const Training& training,
              const Progress& progress = {});

}  // namespace lgn::neural
