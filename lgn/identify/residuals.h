#pragma once

#include <cmath>

#include "lgn/data/windows.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify/fit.h"

namespace lgn {

/// Part of the signal below which nothing is left to explain: errors of integration, of rounding in files, and of units are
/// that large, and are not noise.
inline constexpr double explained = 1e-6;

/// By how much the Bayesian information criterion must fall for a richer model (Kass & Raftery, J. Am. Stat.
/// Assoc. 90:773, 1995: very strong evidence).
inline constexpr double strong_evidence = 10;

/// What a model leaves unexplained of the data, over the samples that are present.
struct FitResiduals {
  Vector squares, power, count;  ///< Σ r², Σ x² and samples of each channel
  Matrix products,
      pairs;  ///< Σ r_k r_(k+j) of a channel (row) at lag j = 1, 2, … (column), and how many there are

  double sum_of_squares() const { return squares.sum(); }
  double nrmse() const;
  /// Part of a channel that is left, as a root mean square.
  double nrmse(Index channel) const { return std::sqrt(squares[channel] / power[channel]); }
  /// Pairs of neighbouring samples.
  double neighbours() const { return pairs.size() > 0 ? pairs.col(0).sum() : 0; }
  /// The autocorrelation of a channel's residuals that stands out most, 0 where all could be chance.
  double coherence(Index channel) const;
  /// Mean correlation of neighbouring residuals of a channel: near 0 for noise, near 1 where the
  /// model is wrong.
  double correlation() const;
};

/// Whether nothing is left but noise: residuals of neighbours do not correlate beyond chance, or all of them together are
/// below `explained` of the signal.
bool leaves_noise_only(const FitResiduals& residuals);

/// Residuals of a model's x(t) from x₀ at the first time of each run, x₀ one column of `initial_states` per
/// run. Those of channel c beyond
/// `limit[c]`, where that is given, count as just that large: outliers say nothing about the rest.
FitResiduals find_residuals(const Propagator& model, const Matrix& initial_states,
                            const Dataset& data, const Vector& limit = {});
/// Those of a fit; where samples have factors, outliers count as three times the noise.
FitResiduals find_residuals(const Fit& fit, const Dataset& data);

/// What a model says of the part of a run that was held out, from the start of the training part on, under the inputs of
/// both.
Matrix predicted_holdout(const Propagator& model, const Matrix& initial_states, const Split& split,
                         Index run);

/// The same over the part of each run that was held out, predicted on from the start of the training
/// part.
FitResiduals holdout_residuals(const Propagator& model, const Matrix& initial_states,
                               const Split& split);

/// Root mean square of what is left of the part that was held out, relative to the size of all samples, these and those
/// that were fitted: what has decayed must not count as a signal of its own.
double validation_error(const FitResiduals& held_out, const FitResiduals& fitted);

/// How much wider errors are than under independent noise when neighbouring residuals correlate by
/// ρ, as those of a first-order process: √((1 + ρ)/(1 − ρ)) (theory, Eq. 46); 1 where ρ could be
/// chance.
double correlation_factor(double correlation, double pairs);

/// Bayesian information criterion (theory, Eq. 59): −2 log likelihood of independent Gaussian
/// noise, σ of each channel at its best but no less than `explained` of its signal, plus k log N
/// for N values.
double information_criterion(const FitResiduals& residuals, Index parameters);

}  // namespace lgn
