#pragma once

#include <functional>
#include <optional>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// A loss and its gradient at x.
using Objective = std::function<double(const Vector& x, Vector& gradient)>;

/// Where Adam stands before an epoch: all that is needed to go on from there.
struct AdamState {
  Vector x, mean, square;
  Vector best;  ///< the best point seen, and its loss
  double loss = 0;
  double reference = 0;  ///< loss that the next ones are compared with, for so many epochs
  double waited = 0;
  double rate = 0;
  double mean_weight = 1, square_weight = 1;  ///< β₁^t, β₂^t
  double epochs = 0;

  Vector pack() const;
  static AdamState unpack(const Vector& packed);
};

/// Settings of Adam (Kingma & Ba, 2015) with the schedule of the Lie Generator Networks paper.
struct AdamOptions {
  double learning_rate = 1e-2;
  int epochs = 3000;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-300;
  /// The gradient is shortened to this length; 0: never.
  double clip = 1.0;
  /// The learning rate is multiplied by `factor` when the loss has not fallen by the fraction
  /// `improvement` for `patience` epochs, and training ends below `smallest_rate`.
  int patience = 50;
  double factor = 0.5;
  double improvement = 1e-4;
  double smallest_rate = 1e-16;
  /// Called after every epoch with its number and the best loss; returning false ends training.
  std::function<bool(int epoch, double loss)> observe = {};
  /// Goes on from this state instead of x₀.
  std::optional<AdamState> resume = {};
  /// Called before every epoch with all that is needed to go on from there.
  std::function<void(const AdamState&)> keep = {};
};

/// Where training ended, and why.
struct AdamResult {
  Vector x;         ///< the best point seen
  double loss = 0;  ///< its loss
  int epochs = 0;
  bool converged = false;  ///< ended because the learning rate ran out, not the epochs
  bool stopped = false;    ///< ended by `observe`
};

/// Minimises from x₀, keeping x ≥ lower by clipping. A step to a non-finite loss is taken back with
/// half the learning rate. The result does not depend on anything but the arguments.
AdamResult minimize_adam(const Objective& objective, const Vector& x0, const Vector& lower,
                         const AdamOptions& options = {});

}  // namespace lgn
