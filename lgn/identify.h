#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lgn/core/checkpoint.h"
#include "lgn/data/dataset.h"
#include "lgn/dynamics/structure.h"
#include "lgn/dynamics/varying_law.h"
#include "lgn/flow/magnus_grid.h"
#include "lgn/identify/estimate.h"
#include "lgn/identify/wiring/network_fit.h"
#include "lgn/model/model.h"

namespace lgn {

/// What to look for and how; the defaults find the simplest structure that the data support, by
/// maximum likelihood.
struct IdentifyOptions {
  /// auto, skew, sd, psd, scaled-sd, metric, full, network, mechanical or parametric:LAW; ltv-skew, ltv-sd,
  /// ltv-psd, ltv-full or parametric:ltv-oscillator for a generator that varies in time.
  std::string structure = "auto";
  /// A structure of your own; when set, `structure` is ignored.
  std::shared_ptr<const Structure> custom_structure = nullptr;
  /// A law of your own that varies in time; when set, `structure` is ignored.
  std::shared_ptr<const VaryingParametric> custom_law = nullptr;
  /// How a generator may vary: harmonics, spline, fourier, or auto (varying_estimate.h).
  std::string basis = "auto";
  /// How its flow is integrated.
  MagnusOptions magnus = {};
  /// auto: closed form, then maximum likelihood. closed-form, mle or adam: that alone.
  std::string method = "auto";
  /// What is known of a network: what its channels measure (empty: what their names say), and which
  /// of them may couple. Rules about pairs make auto look for a network alone.
  NetworkOptions network = {};
  /// Constants of a law to start from, by name; others start from what the data suggest.
  std::vector<std::pair<std::string, double>> start = {};
  /// Whether the start of every run is estimated, or taken from its first sample.
  bool estimate_starts = true;
  /// squares, or huber where some samples are outliers.
  Loss loss = Loss::squares;
  /// Fraction of each run, at its end, that is kept from the fit and predicted; 0: none.
  double holdout = 0;
  /// Of the intervals in the model, between 0 and 1.
  double confidence = 0.95;
  /// Standard errors: for small and medium models, always, or never.
  enum class Errors { automatic, always, never } errors = Errors::automatic;
  /// So many fits to artificial data of the model give standard errors without linearisation; 0:
  /// none. They replace those from the information matrix.
  Index bootstrap = 0;
  /// Threads of the bootstrap. Its result does not depend on them.
  int threads = 1;
  std::uint64_t seed = 1;
  /// The fit stops with the best result so far after this time; 0: no limit.
  double max_seconds = 0;
  /// Called after every step; returning false stops the fit with the best result so far.
  FitObserver observe = {};
  /// Where the state of the search is kept, so that a killed fit goes on; null: nowhere.
  Checkpoint* checkpoint = nullptr;
  std::string time_unit = "s";
  AdamOptions adam = TrainingOptions{}.adam;
};

/// Throws Error for data that identify() cannot use: too many channels, values or times beyond the range of their squares,
/// inputs that are not zero.
void check_data(const Dataset& data);

/// Finds the generator of ẋ = A x in a structure from data, and its physics.
///
///     const Dataset data = read_csv({"ringdown.csv"});
///     const Model model = identify(data);
///     for (const Mode& mode : model.modes) fmt::print("{} Hz\n", mode.frequency_hz);
///
/// Deterministic for the same data, options and number of threads (unless max_seconds cuts it
/// short). Throws Error for data or options that cannot be used, NotIdentified when nothing was
/// found.
Model identify(const Dataset& data, const IdentifyOptions& options = {});

/// The starts of all runs that fit the data best under the model, one column per run.
Matrix fitted_starts(const Model& model, const Dataset& data);

/// The model as it stands beside other data than its own: with starts that fit these, and nothing held out.
Model model_on(const Model& model, const Dataset& data);

/// x(t) of the model from x₀ at t_0 = times[0]; column k is x(t_k).
Matrix simulate(const Model& model, const Vector& x0, const Vector& times);

}  // namespace lgn
