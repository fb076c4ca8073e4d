#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "lgn/data/dataset.h"
#include "lgn/dynamics/structure.h"
#include "lgn/identify/adam.h"

namespace lgn {

/// How far training has come.
struct TrainingProgress {
  int stage = 0, stages = 0;  ///< the horizon now trained on, of how many
  int epoch = 0, epochs = 0;  ///< within the stage
  double nrmse = 0;           ///< of the best parameters so far, on this stage's windows
};

/// How to train.
struct TrainingOptions {
  std::uint64_t seed = 1;
  /// Whether the start of every run is learned, or taken from its first sample.
  bool estimate_starts = true;
  /// θ to start from; by default a random one.
  std::optional<Vector> theta;
  /// Settings of the last stage, in units where rates and values are of order one.
  AdamOptions adam = {.epochs = 20000, .smallest_rate = 1e-12, .observe = {}};
  /// Called after every epoch; returning false ends training with the best parameters so far.
  std::function<bool(const TrainingProgress&)> observe;
};

/// What training found.
struct Trained {
  Vector theta;
  Matrix generator;
  Matrix starts;  ///< one column per run
  int iterations = 0;
  bool converged = false;
};

/// Learns θ, and every run's start, by the paper's training: Adam with a falling learning rate on
/// the trajectory loss, from a random start.
///
/// A long trajectory has many local minima, because a wrong frequency that is off by whole turns
/// looks right again. So the horizon grows: training first sees windows of about one radian, which
/// have one minimum, then longer ones, each from the result of the last, then whole runs. Time is
/// scaled so that rates are of order one, except that the constants of a law keep their units;
/// channels are weighed equally where they share one unit, else by their size. The same arguments
/// give the same result.
Trained train(const Dataset& data, const Structure& structure, const TrainingOptions& options = {});

}  // namespace lgn
