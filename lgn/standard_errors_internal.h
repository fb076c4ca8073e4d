#pragma once

#include "lgn/identify/fit.h"
#include "lgn/identify/fit_options.h"
#include "lgn/identify/residuals.h"
#include "lgn/model/model.h"

namespace lgn {

/// What was found out about standard errors.
struct ErrorFacts {
  bool skipped = false;    ///< none, because of their cost
  bool unrefined = false;  ///< those of maximum likelihood, for an estimate that is not
  double widening = 1;     ///< by autocorrelated residuals, at most
  double distance = 0;     ///< from the maximum of the likelihood, in standard errors
};

/// Standard errors by the information matrix: of the parameters, the modes, the elements of a network, the offset and the
/// course of A(t), autocorrelated residuals and the distance from the maximum included; mode by mode where that matrix is
/// too large. Modes that the structure keeps from decaying get a limit.
ErrorFacts add_errors(Model& model, const Fit& fit, const Dataset& data,
                      const FitResiduals& residuals, const FitOptions& options);

/// Those of modes, C and shapes from R with R Rᵀ the covariance of θ, for data of this duration.
void add_errors_of(Model& model, const Fit& fit, const Matrix& root, double duration);

/// The same by repeated fits to artificial data, where they are asked for, and how much they differ from those before:
/// the largest ratio, 1 where there is none.
double add_bootstrap(Model& model, const Fit& fit, const Dataset& data,
                     const FitResiduals& residuals, const FitOptions& options);

/// Whether there are modes, and the data determine none of them.
bool nothing_determined(const Model& model);

}  // namespace lgn
