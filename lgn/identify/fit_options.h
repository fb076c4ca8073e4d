#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lgn/core/checkpoint.h"
#include "lgn/data/dataset.h"
#include "lgn/dynamics/structure.h"
#include "lgn/flow/input_course.h"
#include "lgn/flow/magnus_grid.h"
#include "lgn/identify/network_options.h"
#include "lgn/identify/progress.h"
#include "lgn/identify/training/adam.h"

namespace lgn {

/// How parameters are found. automatic: closed form, then maximum likelihood; the others: that alone (maximum
/// likelihood takes its start from the closed form; adam is the paper's training from a random start; successive linearises a
/// nonlinear law again and again, as the paper plans to).
enum class Method { automatic, closed_form, likelihood, adam, successive };

/// How residuals count: squares is right for Gaussian noise; huber counts a residual beyond 1.345 σ
/// only linearly, so that outliers cannot carry the fit away (Huber, Ann. Math. Stat. 35:73, 1964). automatic: huber for free motion
/// in which single samples stand out (inspection.h), else squares.
enum class Loss { automatic, squares, huber };

/// How a generator may vary. automatic: harmonics and splines, the better by the Bayesian information criterion
/// (fourier for adam).
enum class Basis { automatic, harmonics, spline, fourier };

/// Standard errors: for small and medium models, always, or never.
enum class Errors { automatic, always, never };

/// What sensors show at rest. automatic: estimated where the data support it; given: as told.
enum class Offset { automatic, none, estimate, given };

/// How many states there are. automatic: one per channel where that leaves only noise, else as many as the data support;
/// measured: one per channel; given: as told.
enum class States { automatic, measured, given };

/// What moves the system: nothing after its initial state, a known input, or forces that nobody measured. automatic: what
/// the data look like.
enum class Record { automatic, free, driven, ambient };

/// How inputs go on between their samples; automatic: the more likely of both.
enum class InputHold { automatic, zoh, foh };

/// Whether inputs act on channels at once (D). automatic: by the Bayesian information criterion.
enum class Feedthrough { automatic, yes, no };

/// What noise there is beside the model: output: white, of the samples alone; innovation: not white, or forces on the states, described by
/// a predictor (innovation.h). automatic: output, unless its residuals are not white and data support the other.
enum class NoiseModel { automatic, output, innovation };

/// What carries a fit: dense matrices, or products with a sparse generator. automatic: sparse for networks of a known topology
/// with more than a few hundred states, else dense. petsc: on several machines, where the program was built for that.
enum class Engine { automatic, dense, sparse, petsc };

/// How late inputs act; automatic: as is most likely.
enum class Delay { automatic, given };

/// Adam as it trains on whole runs: until nothing improves any more.
AdamOptions long_training();

/// What to look for and how: what every step of a fit obeys. The defaults find the simplest structure that the data
/// support, by maximum likelihood.
struct FitOptions {
  /// auto, skew, sd, psd, scaled-sd, metric, full, network, mechanical or parametric:LAW; ltv-skew, ltv-sd,
  /// ltv-psd, ltv-full or parametric:ltv-oscillator for a generator that varies in time.
  std::string structure = "auto";
  /// A structure of your own, constant or a law that varies in time; when set, `structure` is ignored.
  std::shared_ptr<const Structure> custom_structure = nullptr;
  /// How many states, and their number where it is given: as many as channels, or more, which nobody measured.
  States states = States::automatic;
  Index state_count = 0;
  Record record = Record::automatic;
  /// How inputs act. The steps of a fit, below `identify`, have inputs where `driven` says so, and take hold, feedthrough
  /// and delay as given: zoh, no feedthrough where they are automatic.
  InputHold hold = InputHold::automatic;
  Feedthrough feedthrough = Feedthrough::automatic;
  Delay delay = Delay::given;
  double delay_value = 0;
  /// Whether the system must be passive at its ports, channel by input, for every parameter value (port_hamiltonian.h).
  bool passive = false;
  NoiseModel noise_model = NoiseModel::automatic;
  bool driven = false;
  /// Which entries of B are estimated, as in ProblemOptions; the fit of a network with ports chooses them.
  Matrix drive_pattern = {};
  Basis basis = Basis::automatic;
  /// How the flow of a generator that varies in time is integrated.
  MagnusOptions magnus = {};
  Method method = Method::automatic;
  Engine engine = Engine::automatic;
  /// What is known of a network: what its channels measure (empty: what their names say), and which
  /// of them may couple. Rules about pairs make auto look for a network alone.
  NetworkOptions network = {};
  /// Initial guesses of a law's parameters, by name; others start from what the data suggest.
  std::vector<std::pair<std::string, double>> start = {};
  /// Whether the initial state of every run is estimated, or taken from its first sample.
  bool estimate_initial_states = true;
  /// Whether ȳ, what channels show at rest, is estimated, and its values where they are given. The steps of a fit, below
  /// `identify`, estimate it for `estimate` alone.
  Offset offset = Offset::automatic;
  Vector offset_values = {};
  /// The steps of a fit, below `identify`, take automatic as squares.
  Loss loss = Loss::automatic;
  /// Fraction of each run, at its end, that is kept from the fit and predicted; 0: none.
  double holdout = 0;
  /// Of the intervals in the model, between 0 and 1.
  double confidence = 0.95;
  Errors errors = Errors::automatic;
  /// So many fits to artificial data of the model give standard errors without linearisation; 0:
  /// none. They replace those from the information matrix.
  Index bootstrap = 0;
  /// Threads of the bootstrap. Its result does not depend on them.
  int threads = 1;
  std::uint64_t seed = 1;
  /// The fit stops with the best result so far after this time; 0: no limit.
  double max_seconds = 0;
  /// Whether searches that are guesses, for a topology or for variation in time, may take more than ten times the work of
  /// the fits before them where the structure is chosen.
  bool thorough = false;
  /// Called after every step; returning false stops the fit with the best result so far.
  FitObserver observe = {};
  /// Where the state of the search is kept, so that a killed fit goes on; null: nowhere.
  Checkpoint* checkpoint = nullptr;
  std::string time_unit = "s";
  AdamOptions adam = long_training();

  /// Under names that begin with this a checkpoint keeps the state.
  std::string stage = "fit";
  /// Most steps of a search on whole runs.
  int max_iterations = 200;
  /// Most estimates of the noise, each followed by such steps, for the loss squares.
  int rounds = 6;
  /// Up to this many parameters steps are solved directly, beyond it by conjugate gradients.
  Index dense_parameters = 700;
  /// Most frequencies, and most splines, of a generator that varies in time.
  Index most_harmonics = 6, most_splines = 40;

  bool robust() const { return loss == Loss::huber; }

  InputTiming timing() const {
    return {hold == InputHold::foh ? Hold::foh : Hold::zoh, delay_value};
  }

  /// The same fit under a name of its own.
  FitOptions in_stage(const std::string& name) const {
    FitOptions result = *this;
    result.stage += ", " + name;
    return result;
  }
};

/// Sets an option by the word that people use for it, from text: structure, states, record, hold, feedthrough, delay, passive, noise-model, method, engine, basis, magnus, loss, x0, offset,
/// start, holdout, confidence, errors, bootstrap, epochs, learning-rate, seed, threads, max-seconds, thorough or time-unit. Throws Error
/// for a word or a value that there is not.
void set_option(FitOptions& options, const std::string& name, const std::string& value);

/// The words of set_option.
const std::vector<std::string>& option_names();

/// Throws Error for numbers that make no sense.
void check_options(const FitOptions& options);

/// The version, every option that changes the result, and the data, as one line: what a checkpoint belongs to.
std::string signature(const FitOptions& options, const Dataset& data);

}  // namespace lgn
