#pragma once

#include "lgn/identify.h"
#include "lgn/identify/likelihood/varying_fit.h"
#include "lgn/identify/residuals.h"

namespace lgn {

/// Standard errors by the information matrix, or mode by mode where that is too large; false where
/// neither is at hand.
bool add_errors(Model& model, const Estimate& found, const Dataset& data,
                const FitResiduals& residuals, const IdentifyOptions& options);

/// The same for a generator that varies: of its parameters, of A(t), of its frozen poles, and of the
/// modes of its mean.
bool add_errors(Model& model, const VaryingFit& found, const Dataset& data,
                const FitResiduals& residuals, const IdentifyOptions& options);

/// Standard errors by repeated fits to artificial data, and how much they differ from those before.
double add_bootstrap(Model& model, const Estimate& found, const Dataset& data,
                     const FitResiduals& residuals, const IdentifyOptions& options);

}  // namespace lgn
