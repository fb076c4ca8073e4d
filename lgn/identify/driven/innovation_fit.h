#pragma once

#include <optional>
#include <vector>

#include "lgn/identify/driven/prediction_errors.h"
#include "lgn/identify/hidden/hidden_fit.h"
#include "lgn/identify/residuals.h"
#include "lgn/identify/selection.h"

namespace lgn {

/// The most likely system in innovations form (theory, Eq. 71), searched for from these fits, whose K may be empty: of their
/// structures, with their timing of inputs.
///
/// K starts at the value that a fit has, or, where it has none, where noise of the states makes some, most, or nearly all of the residuals;
/// the likeliest two, with all that enters linearly at its best, are followed for a few steps, and the better one to its end, by Levenberg–Marquardt steps in θ, K, B, D, ȳ and
/// x₀ together, with the covariance of e at its best. Every step keeps the predictor stable, and A is stable by its
/// structure. Nothing where no start has a stable predictor. Steps O(K n² q) for q unknowns.
/// `tolerance`: of the search, in standard errors.
std::optional<Fit> fit_innovation(const Dataset& data, const std::vector<Fit>& starts, double step,
                                  const FitOptions& options, double tolerance = 1e-4);

/// What `prediction_criterion` is at a start that has K, before any step: all that enters linearly at its best. Infinite where its
/// predictor is not stable.
double criterion_of_start(const Dataset& data, const Fit& start, double step);

/// The Bayesian information criterion of a fit by its one-step prediction errors (theory, Eq. 71): of noise of each channel by
/// itself where it has no K, with all unknowns counted.
double prediction_criterion(const Fit& fit, const Dataset& data, double step);

/// The fit without the gains of modes that noise does not move: blocks of K are zero, one after another, unless the information
/// criterion says with strong evidence that they are not, and the rest is at its best again. A gain that is kept though it is none would have its mode follow the
/// noise, and claim information about the pole that there is not.
Fit without_idle_gains(const Dataset& data, Fit fit, const FitOptions& options, double tolerance);

/// Where ψ has gains that are zero for that reason: whole rows of K, which nothing is estimated of.
std::vector<Index> idle_gains(const Fit& fit, const PredictionErrors& problem);

/// What the one-step predictions of a fit leave of the data.
FitResiduals prediction_residuals(const Fit& fit, const Dataset& data);

/// The fit with the noise that the options ask for, or, where that is left to the data, that they support: an innovations
/// form where the residuals of this fit, of white noise, are not white, and the form has the better criterion, foresees
/// the next sample of a held-out part better, and simulates that part as well, or no worse than its own noise makes it, but for
/// chance. Its number of states is that of the fit where
/// it is given, else the likeliest whose forecasts are as good as the best; holds and feedthroughs that are left to the data are
/// compared once more under that noise. Candidates say what was compared.
///
/// Throws Error where an innovations form is asked for that cannot be: at uneven times, with too many values missing, or with
/// options that contradict it.
Selection with_noise_model(Selection found, const Dataset& data, const FitOptions& options,
                           SharedRealisations& shared);

}  // namespace lgn
