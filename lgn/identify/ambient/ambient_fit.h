#pragma once

#include <string>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/identify/ambient/stationarity.h"
#include "lgn/identify/ambient/whittle.h"
#include "lgn/identify/selection.h"

namespace lgn {

/// Modes of random vibration: ẋ = A x + forces that nobody measured, y = C x + noise, known by R(τ) = C exp(Aτ) G.
struct AmbientFit {
  /// A and C with the table of orders; initial states are zero, which nobody knows.
  Selection selection;
  Matrix g, variance;  ///< G and R(0), in the channels' units
  Matrix root;         ///< its product with its transpose is the covariance of θ
  WhittleLikelihood::Misfit misfit;
  std::optional<PassingMode> passing;  ///< a mode that steady forces would not make
  Index cells = 0;                     ///< that the spectrum was taken in
  std::vector<std::string> notes;      ///< what was done to the data before, a line each
};

/// The channel whose spectrum the model misses by most, and beyond chance; −1 where there is none.
Index missed_channel(const AmbientFit& fit);
/// Whether no channel's is missed, and little of what moves is.
bool explains_spectrum(const AmbientFit& fit);
NotIdentified no_random_vibration();

/// The most likely modes by Whittle's likelihood (whittle.h), stable by construction.
///
/// Canonical variates of as many states as the Bayesian information criterion wants (canonical_realisation.h) are followed to the maximum. Then pairs of
/// states are added, the poles of Hankel matrices of the correlation functions (realisation.h), and taken away, as long as the criterion falls. Throws NotIdentified where no oscillation stands out of a flat spectrum and,
/// where the record was not said to be of random vibration, where the spectrum is not explained.
AmbientFit fit_ambient(const Dataset& data, const FitOptions& options);

/// What is said where there is none.
NotIdentified no_oscillation();

}  // namespace lgn
