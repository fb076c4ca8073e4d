#pragma once

#include "lgn/dynamics/modulated.h"
#include "lgn/identify/fit.h"
#include "lgn/identify/fit_options.h"

namespace lgn {

/// The variation of a generator as harmonics whose frequencies are found, not given.
///
/// The constant generator comes first. Then frequencies join one at a time: every frequency of a grid is
/// scored by how much the linearised likelihood would gain if all entries varied with it; from the best
/// few, entries that gain are fitted, all frequencies free; entries that turn out not to vary beyond
/// their errors are made constant again. A frequency stays if the Bayesian information criterion
/// says so clearly, else the search ends. Residuals below a millionth of the signal end it, too.
/// `theta`: of the constant generator in `base`.
Fit find_harmonics(const Dataset& data, std::shared_ptr<const ConstantStructure> base,
                   const Vector& theta, const FitOptions& options = {});

/// The same with cubic splines, for variation that does not repeat: which entries drift, and how many
/// splines their courses need, by the same criteria.
Fit find_drift(const Dataset& data, std::shared_ptr<const ConstantStructure> base,
               const Vector& theta, const FitOptions& options = {});

/// A variation that was found in part of the data, fitted to all: the same entries and frequencies,
/// splines over the whole time. Where the search was stopped, only initial states are fitted.
Fit refit_variation(const Dataset& data, const Fit& found, const FitOptions& options = {});

}  // namespace lgn
