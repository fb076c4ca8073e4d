#pragma once

#include <string>
#include <vector>

#include "lgn/core/checkpoint.h"
#include "lgn/data/dataset.h"
#include "lgn/dynamics/structure.h"
#include "lgn/identify/progress.h"

namespace lgn {

/// How residuals count: squares is right for Gaussian noise; huber counts a residual beyond 1.345 σ
/// only linearly, so that outliers cannot carry the fit away (Huber, Ann. Math. Stat. 35:73, 1964).
enum class Loss { squares, huber };

/// How to search for the most likely parameters.
struct LikelihoodOptions {
  /// Whether the start of every run is estimated, or taken from its first sample.
  bool estimate_starts = true;
  Loss loss = Loss::squares;
  /// Sizes of the channels, by which errors are weighed until their noise is known; empty: their
  /// amplitudes, or one for all where the structure knows one unit only.
  Vector sizes = {};
  /// Most steps on whole runs.
  int max_iterations = 200;
  /// Most estimates of the noise, each followed by such steps, for the loss squares.
  int rounds = 6;
  /// Up to this many parameters steps are solved directly, beyond it by conjugate gradients.
  Index dense_parameters = 700;
  /// More generators to start from, asked for when no candidate is near the data: the likeliest, then
  /// others that are tried only where the first leads nowhere.
  std::function<std::vector<Matrix>()> fallback = {};
  FitObserver observe = {};
  /// Where to keep the state of the search under the name `stage`; null: nowhere.
  Checkpoint* checkpoint = nullptr;
  std::string stage = "likelihood";
};

/// The most likely parameters, and what the data know of them.
struct MaximumLikelihood {
  Vector theta;
  Matrix generator;
  Matrix starts;       ///< one column per run
  Vector noise;        ///< σ of each channel
  double freedom = 0;  ///< values less unknowns
  int iterations = 0;
  bool converged = false;
  bool stopped = false;  ///< by the observer
};

/// The parameters of the structure, and the starts of all runs, under which the samples are most
/// likely for independent Gaussian noise of unknown size in each channel: the estimator that
/// reaches the Cramér–Rao bound.
///
/// The search starts from the generator among `candidates` that fits best once its starts are
/// fitted. Where even that has lost the phase of the data, windows are fitted first, then longer
/// ones (horizons.h). Then Levenberg–Marquardt steps (theory, Eq. 39) with starts eliminated
/// (likelihood.h) alternate with the estimate of the noise. It has converged when no parameter
/// would move by more than 1/10,000 of its standard error (theory, Eq. 40). Bounds (d ≥ 0) hold
/// exactly. The same arguments give the same result. Throws NotIdentified when no candidate has a
/// finite trajectory.
MaximumLikelihood maximum_likelihood(const Dataset& data, const Structure& structure,
                                     const std::vector<Matrix>& candidates,
                                     const LikelihoodOptions& options = {});

/// E_q = ∂A/∂θ_q below one another, p n × n.
Matrix parameter_directions(const Structure& structure, const Vector& theta);

}  // namespace lgn
