#pragma once

#include <string>

#include "lgn/physics/measurement_plan.h"

namespace lgn {

/// The relative standard errors to expect against the length of the record and against the sampling rate, on logarithmic axes: a line for each of the first
/// modes, the plan and the wants marked.
std::string plan_svg(const MeasurementPlan& plan);

}  // namespace lgn
