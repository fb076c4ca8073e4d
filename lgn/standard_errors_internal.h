#pragma once

#include "lgn/identify/fit.h"
#include "lgn/identify/fit_options.h"
#include "lgn/identify/residuals.h"
#include "lgn/model/model.h"

namespace lgn {

/// Standard errors by the information matrix: of the parameters, the modes, the elements of a network and the course of
/// A(t); mode by mode where that matrix is too large; false where neither is at hand.
bool add_errors(Model& model, const Fit& fit, const Dataset& data, const FitResiduals& residuals,
                const FitOptions& options);

/// The same by repeated fits to artificial data, where they are asked for, and how much they differ from those before:
/// the largest ratio, 1 where there is none.
double add_bootstrap(Model& model, const Fit& fit, const Dataset& data,
                     const FitResiduals& residuals, const FitOptions& options);

}  // namespace lgn
