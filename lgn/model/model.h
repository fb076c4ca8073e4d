#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/dynamics/structure.h"
#include "lgn/identify/structure_candidate.h"
#include "lgn/model/model_variation.h"
#include "lgn/physics/modes.h"
#include "lgn/physics/network_elements.h"

namespace lgn {

/// Something a user should know, with a code that programs can look for.
struct Warning {
  std::string code;
  std::string message;
};

/// An identified system: the generator with everything that was found out about it. What the model
/// file holds.
struct Model {
  std::string version;
  std::string structure;
  std::string method;
  std::string command = {};  ///< that made the model; empty where a program did through the library
  std::vector<std::string> channels;
  std::string time_unit = "s";
  Matrix a;       ///< of a generator that varies in time: its mean
  Matrix starts;  ///< initial states x₀, one column per run, as channels show them
  /// x̄ of ẋ = A (x − x̄), what channels show at rest, and its standard errors; empty: zero, none known.
  Vector offset, offset_errors;
  std::vector<NamedValue> parameters;
  /// The parameters that the search moved, by name, and their covariance; empty where they are not known.
  Vector theta;
  std::vector<std::string> theta_names;
  Matrix covariance;
  /// Q of the energy ½ xᵀQx that never grows; nothing where no energy is known.
  std::optional<Matrix> energy;
  std::vector<Mode> modes;
  /// The storages, couplings and losses that A was read as; nothing where it was not.
  std::optional<Network> network;
  /// How A varies in time; nothing where it is constant.
  std::optional<ModelVariation> variation;
  /// Structures that were considered where the choice was left to the program.
  std::vector<StructureCandidate> candidates;
  Guarantee guarantee;
  std::vector<Warning> warnings;

  struct Fit {
    double nrmse_train = 0;
    std::optional<double> nrmse_holdout;
    double holdout = 0;      ///< fraction of each run, at its end, for validation: not fitted
    Index numbers_in_a = 0;  ///< free parameters of A; 0 where not known
    double noise_sigma = 0;
    Vector channel_noise;      ///< σ of each channel
    double confidence = 0.95;  ///< of intervals
    double interval = 1.96;    ///< their half-width in standard errors
    double error_widening =
        1;                ///< of standard errors, at most, because residuals are autocorrelated
    Index bootstrap = 0;  ///< samples that standard errors were checked with; 0: none
    int iterations = 0;
    bool converged = false;
    double seconds = 0;
  } fit;

  struct Data {
    std::vector<std::string> files;
    Index runs = 0, samples = 0;
    std::string sha256;
    double step = 0;                            ///< median time between samples
    std::vector<std::string> assumptions = {};  ///< what reading the files took for granted
  } data;

  Index dimension() const { return a.rows(); }
  /// x̄, zero where there is none.
  Vector rest() const { return offset.size() > 0 ? offset : Vector::Zero(dimension()); }
  /// x(t_k) in column k, from x₀ at the first time.
  Matrix propagate(const Vector& x0, const Vector& times) const;
  /// The most likely initial states of the runs of data, one column each, under noise of these sizes.
  Matrix initial_states(const Dataset& samples, const Vector& noise) const;
  /// Whether times reach beyond what was identified, where A(t) means nothing any more.
  bool extrapolated(const Vector& times) const;
  /// When a run begins, by the clock of A(t): run r of the data, −1: none of them. Zero where A is constant.
  double begin(Index run = -1) const;
  /// What its modes are those of: "the generator", or "the mean generator" where it varies.
  std::string modes_of() const;
};

/// What frequencies are given in: "Hz", or "1/unit" where the length of the unit of time is unknown.
std::string frequency_unit(const Model& model);

}  // namespace lgn
