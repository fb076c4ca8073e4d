#pragma once

#include "lgn/identify/fit_options.h"
#include "lgn/model/model.h"

namespace lgn {

/// Whether the options leave room for random vibration: asked for, or left to data that look like it (inspection.h).
bool may_be_random_vibration(const Dataset& data, const FitOptions& options);

/// The model of a record that forces moved which nobody measured (ambient_fit.h), with standard errors and warnings. Its nrmse_train is how far the
/// spectrum is from the data's beyond chance; noise is what R(0) has more than C G.
/// Throws NotIdentified where no mode stands out; Error for a structure that has no modes as parameters.
Model identify_random_vibration(const Dataset& data, const FitOptions& options);

}  // namespace lgn
