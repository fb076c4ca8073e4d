#pragma once

#include <cstdint>
#include <optional>

#include "lgn/core/checkpoint.h"
#include "lgn/data/dataset.h"
#include "lgn/dynamics/structure.h"
#include "lgn/identify/progress.h"
#include "lgn/identify/training/adam.h"

namespace lgn {

/// How to train.
struct TrainingOptions {
  std::uint64_t seed = 1;
  /// Whether the start of every run is learned, or taken from its first sample.
  bool estimate_starts = true;
  /// θ to start from; by default a random one.
  std::optional<Vector> theta;
  /// Settings of the last stage, in units where rates and values are of order one.
  AdamOptions adam = {.epochs = 20000, .smallest_rate = 1e-12};
  /// Called after every epoch; returning false ends training with the best parameters so far.
  FitObserver observe = {};
  /// Where the state of training is kept under the name `stage`; null: nowhere.
  Checkpoint* checkpoint = nullptr;
  std::string stage = "training";
};

/// What training found.
struct Trained {
  Vector theta;
  Matrix generator;
  Matrix starts;  ///< one column per run
  int iterations = 0;
  bool converged = false;
  bool stopped = false;  ///< by the observer
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
