#pragma once

#include <optional>

#include "lgn/core/error.h"
#include "lgn/identify/fit_options.h"
#include "lgn/model/model.h"

namespace lgn {

/// What happened to data before a linear model of free or driven motion was tried.
struct EarlierAttempt {
  std::optional<NotIdentified>
      no_vibration;        ///< they look like random vibration, and no mode stood out
  double work_before = 0;  ///< work_done() (core/stop.h) before all of it
};

/// The linear model of free or driven motion in the structure that the options name or the data support, with its residuals,
/// standard errors and warnings; the nonlinear law instead where that explains what is left (nonlinear_identification_internal.h).
/// Throws NotIdentified, that of an earlier attempt where it says more.
Model identify_linear(const Dataset& data, const FitOptions& options,
                      const EarlierAttempt& earlier);

}  // namespace lgn
