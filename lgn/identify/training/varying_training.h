#pragma once

#include "lgn/dynamics/modulated.h"
#include "lgn/identify/likelihood/varying_fit.h"
#include "lgn/identify/training/training.h"

namespace lgn {

/// Coefficients as the paper's layers start from: each uniform in ±1/√(functions beside the constant).
Vector random_courses(const ModulatedStructure& structure, Random& random);

/// Learns θ by the paper's protocol: Adam on the mean squared error of whole runs, in the units of the
/// data, one step of the method from sample to sample, and starts taken from the first samples or
/// learned with θ. The model that comes out is propagated exactly, not by those steps. The same
/// arguments give the same result. Throws NotIdentified where no finite
/// trajectory was met.
VaryingFit train_varying(const Dataset& data, std::shared_ptr<const VaryingStructure> structure,
                         const Vector& theta, const TrainingOptions& options = {},
                         const MagnusOptions& magnus = {});

}  // namespace lgn
