#pragma once

#include "lgn/data/dataset.h"

namespace lgn::studies {

/// The step of a run whose samples are evenly spaced and complete. Throws Error for another run.
double even_step(const Trajectory& run);

/// The step that all runs share, to thirteen digits. Throws Error where they do not.
double common_step(const Dataset& data);

}  // namespace lgn::studies
