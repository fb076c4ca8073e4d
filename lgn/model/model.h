#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/dynamics/port_hamiltonian.h"
#include "lgn/dynamics/structure.h"
#include "lgn/flow/innovation.h"
#include "lgn/flow/input_course.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify/hidden/stabilisation.h"
#include "lgn/identify/structure_candidate.h"
#include "lgn/model/design_record.h"
#include "lgn/model/model_nonlinear.h"
#include "lgn/model/model_sparse.h"
#include "lgn/model/model_variation.h"
#include "lgn/physics/driven_system.h"
#include "lgn/physics/modes.h"
#include "lgn/physics/network_elements.h"

namespace lgn {

/// Something a user should know, with a code that programs can look for.
struct Warning {
  std::string code;
  std::string message;
};

/// Random vibration: correlation functions E y(t + τ) y(t)ᵀ = C exp(A τ) G for τ > 0, and what they are at τ = 0.
struct AmbientResponse {
  Matrix g;         ///< G, states × channels
  Matrix variance;  ///< at τ = 0, measurement noise included: channels × channels
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
  Matrix
      a;  ///< its mean where it varies in time; of a nonlinear law: linearised at rest; empty where it is sparse
  /// C of y = C x + ȳ, and the standard errors of its entries; empty: each channel is a state, none known.
  Matrix c, c_errors;
  /// Names of the inputs, B and D of ẋ = A x + B u, y = C x + D u + ȳ with standard errors of their entries, and how inputs go on
  /// between samples; empty: none.
  std::vector<std::string> inputs;
  Drive drive;
  Matrix b_errors, d_errors;
  /// K of the predictor where noise is not white, and standard errors of its entries; empty: none.
  Innovation innovation;
  Matrix k_errors;
  SystemErrors system_errors;  ///< of A, B, C and D jointly; nothing where they are not known
  std::string record =
      "free";  ///< or driven: by these inputs; or ambient: moved by forces that nobody measured
  std::optional<AmbientResponse> ambient = {};  ///< of such a record
  /// Initial states x₀, one column per run; as channels show them, offset included, where each channel is a state.
  Matrix starts;
  /// ȳ, what channels show at rest, and its standard errors; empty: zero, none known.
  Vector offset, offset_errors;
  std::vector<NamedValue> parameters;
  Vector parameter_errors;  ///< of the constants of a law, one for each parameter; else empty
  /// The parameters that the search moved, by name, and their covariance; empty where they are not known.
  Vector theta;
  std::vector<std::string> theta_names;
  Matrix covariance;
  /// Q of the energy ½ xᵀQx that never grows; nothing where no energy is known.
  std::optional<Matrix> energy;
  /// What proves that the system is passive at its ports, the output beside each input; nothing where that is not known.
  std::optional<PassivityCertificate> passivity = {};
  std::vector<Mode> modes;  ///< all of them; of a sparse generator those that were computed
  /// The storages, couplings and losses that A was read as; nothing where it was not.
  std::optional<Network> network;
  /// How A varies in time; nothing where it is constant.
  std::optional<ModelVariation> variation;
  /// The law of which A is but the linearisation; nothing where the system is linear.
  std::optional<ModelNonlinear> nonlinear = {};
  /// The generator of a network too large for a dense A; nothing where A is dense. `energy`, `parameters` and `network` are then
  /// empty.
  std::optional<ModelSparse> sparse = {};
  /// Structures that were considered where the choice was left to the program.
  std::vector<StructureCandidate> candidates;
  /// How poles of hidden states settle as the order grows; nothing where that was not looked at.
  std::optional<Stabilisation> stabilisation;
  /// How its values were chosen; nothing where they were identified.
  std::optional<DesignRecord> design = {};
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

  /// Of the state.
  Index dimension() const { return sparse ? sparse->structure->dimension() : a.rows(); }
  /// Throws Error where A is sparse, which rules `purpose` ("an export") out.
  void check_dense(const std::string& purpose) const;
  /// Whether states are seen through C, instead of each in a channel.
  bool hidden() const { return c.size() > 0; }
  Index outputs() const { return hidden() ? c.rows() : dimension(); }
  /// Their names: those of the channels where each is one, else x1, x2, ….
  std::vector<std::string> states() const;
  /// ȳ, zero where there is none.
  Vector rest() const { return offset.size() > 0 ? offset : Vector::Zero(outputs()); }
  /// What channels show at t_k in column k, from x₀ at the first time, under `driving` inputs with a column for each time;
  /// without these inputs are zero.
  Matrix propagate(const Vector& x0, const Vector& times, const Matrix& driving = {}) const;
  /// The same as a function, which must not outlive the model.
  Propagator propagator() const {
    return [this](const Vector& x0, const Vector& times, const Matrix& driving) {
      return propagate(x0, times, driving);
    };
  }
  /// The states then, which rest at zero.
  Matrix propagate_states(const Vector& x0, const Vector& times, const Matrix& driving = {}) const;
  /// The most likely initial states of the runs of data, one column each, under noise of these sizes.
  Matrix initial_states(const Dataset& samples, const Vector& noise) const;
  /// A(t_1), A(t_2) … side by side; A alone where it is constant.
  Matrix generators(const Vector& times) const;
  /// Whether times reach beyond what was identified, where A(t) means nothing any more.
  bool extrapolated(const Vector& times) const;
  /// When a run begins, by the clock of A(t): run r of the data, −1: none of them. Zero where A is constant.
  double begin(Index run = -1) const;
  /// When what it was identified from ended, by the same clock: where A is constant, as long after zero as runs are in the mean; 1
  /// where that is not known.
  double end() const;
  /// What its modes are those of: "the generator", or "the mean generator" where it varies.
  std::string modes_of() const;
};

/// What frequencies are given in: "Hz", or "1/unit" where the length of the unit of time is unknown.
std::string frequency_unit(const Model& model);

}  // namespace lgn
