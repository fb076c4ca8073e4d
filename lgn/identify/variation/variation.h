#pragma once

#include "lgn/dynamics/modulated.h"
#include "lgn/identify/likelihood/varying_fit.h"

namespace lgn {

/// How to look for the law of variation.
struct VariationOptions {
  VaryingOptions fit = {};
  Index most_harmonics = 6;
  Index most_splines = 40;
};

/// The variation of a generator as harmonics whose frequencies are found, not given.
///
/// The constant generator comes first. Then frequencies join one at a time: every frequency of a grid is
/// scored by how much the linearised likelihood would gain if all entries varied with it; from the best
/// few, entries that gain are fitted, all frequencies free; entries that turn out not to vary beyond
/// their errors are made constant again. A frequency stays if the Bayesian information criterion
/// says so clearly, else the search ends. What is left below a millionth of the signal ends it, too.
/// `theta`: of the constant generator in `base`.
VaryingFit find_harmonics(const Dataset& data, std::shared_ptr<const Structure> base,
                          const Vector& theta, const VariationOptions& options = {});

/// The same with cubic splines, for variation that does not repeat: which entries drift, and how many
/// splines their courses need, by the same criteria.
VaryingFit find_drift(const Dataset& data, std::shared_ptr<const Structure> base,
                      const Vector& theta, const VariationOptions& options = {});

/// A variation that was found in part of the data, fitted to all: the same entries and frequencies,
/// splines over the whole time. Where the search was stopped, only starts are fitted.
VaryingFit refit_variation(const Dataset& data, const VaryingFit& found,
                           const VaryingOptions& options = {});

}  // namespace lgn
