#pragma once

#include "lgn/data/dataset.h"
#include "lgn/identify/fit.h"
#include "lgn/identify/fit_options.h"

namespace lgn {

/// Signs that inputs come after their effects: a wrong time axis.
struct LateInputs {
  /// Part of the residuals' size that is gone if the inputs act up to eight samples earlier than they are given, the same
  /// structure fitted anew; 0 where that has no strong evidence.
  double residuals = 0;
  /// By how much the Bayesian information criterion is less where inputs act one sample earlier and not at once; 0 where it is
  /// not. A held input that is a sample late leaves nothing in the residuals: with x′ = x − Γ u the same poles and channels
  /// explain it by a feedthrough D = C Γ, which is no physical one. D that is larger than half of the response to a step says that
  /// the system is as fast as its samples, and nothing about lateness. Asked for is half of the price of D, which a right one costs
  /// many times, without D strong evidence, and residuals that are noise.
  double evidence = 0;
};
LateInputs find_late_inputs(const Fit& fit, const Dataset& data, const FitOptions& options);

}  // namespace lgn
