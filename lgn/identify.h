#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/dynamics/structure.h"
#include "lgn/identify/training.h"
#include "lgn/report/model.h"

namespace lgn {

/// What to look for and how; the defaults identify dissipative physics, A = S − diag(d).
struct IdentifyOptions {
  /// skew, sd, psd, full or parametric:LAW.
  std::string structure = "sd";
  /// A structure of your own; when set, `structure` is ignored.
  std::shared_ptr<const Structure> custom_structure = nullptr;
  /// adam: training on trajectories, for every structure. closed-form: regression on derivatives,
  /// for skew, sd and full; milliseconds, but only for data with hardly any noise.
  std::string method = "adam";
  /// Constants of a law to start from, by name; others start from what the data suggest.
  std::vector<std::pair<std::string, double>> start = {};
  /// Fraction of each run, at its end, that is kept from training and predicted; 0: none.
  double holdout = 0;
  /// Training stops with the best result so far after this time; 0: no limit.
  double max_seconds = 0;
  std::string time_unit = "s";
  TrainingOptions training = {};
};

/// Throws Error for data that identify() cannot use: too many channels, values or times beyond the range of their squares,
/// inputs that are not zero.
void check_data(const Dataset& data);

/// Finds the generator of ẋ = A x in a structure from data, and its physics.
///
///     const Dataset data = read_csv({"ringdown.csv"});
///     const Model model = identify(data, {.structure = "sd"});
///     for (const Mode& mode : model.modes) fmt::print("{} Hz\n", mode.frequency_hz);
///
/// Deterministic for the same data, options and number of threads (unless max_seconds cuts it
/// short). Throws Error for data or options that cannot be used, NotIdentified when nothing was
/// found.
Model identify(const Dataset& data, const IdentifyOptions& options = {});

/// x(t) of the model from x₀ at t_0 = times[0]; column k is x(t_k).
Matrix simulate(const Model& model, const Vector& x0, const Vector& times);

}  // namespace lgn
