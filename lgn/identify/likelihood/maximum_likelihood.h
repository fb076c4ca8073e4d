#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/identify/fit.h"
#include "lgn/identify/fit_options.h"
#include "lgn/identify/likelihood/problem.h"

namespace lgn {

/// Where a search for the most likely parameters may begin.
struct LikelihoodStart {
  std::vector<Vector> theta;
  /// More places, asked for when none of these is near the data: the likeliest, then
  /// others that are tried only where the first leads nowhere.
  std::function<std::vector<Vector>()> fallback = {};
  /// Sizes of the channels, by which errors are weighed until their noise is known; empty: their
  /// amplitudes, or one for all where the structure knows one unit only.
  Vector sizes = {};
};

/// Starts near these generators.
std::vector<Vector> projected(const ConstantStructure& structure,
                              const std::vector<Matrix>& generators);

/// The parameters of the structure, and the initial states of all runs, under which the samples are most
/// likely for independent Gaussian noise of unknown size in each channel: the estimator that
/// reaches the Cramér–Rao bound.
///
/// The search starts from the place that fits best once initial states are
/// fitted. Where even that has lost the phase of the data, windows are fitted first, then longer
/// ones (horizons.h). Then Levenberg–Marquardt steps (theory, Eq. 39) with initial states eliminated
/// (problem.h) alternate with the estimate of the noise; where A varies in time, steps of its flow are chosen anew in
/// every round. It has converged when no parameter
/// would move by more than 1/10,000 of its standard error (theory, Eq. 40). Bounds (d ≥ 0) hold
/// exactly. The same arguments give the same result. Throws NotIdentified when no start has a
/// finite trajectory.
Fit maximum_likelihood(const Dataset& data, std::shared_ptr<const Structure> structure,
                       const LikelihoodStart& start, const FitOptions& options = {});

/// What is known to the problem of a fit with these options.
ProblemOptions problem_options(const Dataset& data, const FitOptions& options);
/// What is known to a problem whose solution is this fit: its initial states unless they were estimated, that there is
/// an offset to estimate, and how its flow is integrated.
ProblemOptions problem_options(const Fit& fit, bool estimate_initial_states);

/// What the data know about θ with the initial states and the offset eliminated, under this noise: the information
/// matrix.
Matrix information_matrix(const Dataset& data, const Structure& structure, const Vector& theta,
                          const Vector& noise, const ProblemOptions& options = {});

}  // namespace lgn
