#pragma once

#include <vector>

#include "lgn/core/error.h"
#include "lgn/identify/hidden/hidden_fit.h"
#include "lgn/identify/residuals.h"
#include "lgn/identify/selection.h"

namespace lgn {

/// How many hidden states the data support, and their fit to all data.
///
/// Orders are fitted to the first three quarters of every run and judged twice. The Bayesian information criterion is right where
/// the model is; real systems are a little nonlinear, and it then asks for states that describe harmonics and combination
/// tones. So of the orders up to its own the smallest is taken that predicts the rest as well as the best, beyond
/// chance, if what it leaves more than that one is a small part of the signal. Verdicts name such tones.
///
/// Under inputs the criterion counts values that are independent only: noise that is not white would ask for states of its own.
///
/// Throws NotIdentified where no state explains more than a constant does.
Selection select_order(const Dataset& data, const FitOptions& options,
                       SharedRealisations* shared = nullptr);

/// The fit of so many states. Throws NotIdentified where data are too short for them, Error for a number that cannot be.
Selection fit_order(const Dataset& data, Index states, const FitOptions& options,
                    SharedRealisations* shared = nullptr);

/// The criterion of no state at all: of an offset, where one is estimated.
double criterion_of_nothing(const Dataset& data, bool offset);

/// Why no state was found where a constant explains as much.
NotIdentified no_mode();

/// −2 log likelihood with the price of all unknowns: parameters, initial states and offset (theory, Eq. 59).
double order_criterion(const Fit& fit, const FitResiduals& residuals);

}  // namespace lgn
