#pragma once

#include <vector>

#include "lgn/physics/driven_system.h"

namespace lgn {

/// What one output does over time after one input moved, from rest.
struct TimeResponse {
  Vector times, values;
  Vector errors;  ///< standard errors; empty where not known
};

/// Responses to an input that is 0 before t = 0 and 1 from then on, and to a unit impulse at t = 0, by the exact flow and its exact derivatives
/// (flow.h), the input of a step being a state that keeps its value; the delay shifts both. The impulse response is C exp(A t) B; where D is not zero there is an impulse
/// D δ(t) besides, which no curve shows. All pairs: that of output i and input j at place j outputs + i.
///
/// `times` increase from zero or later. O(n³ r + times n² r) for r columns of the errors' root.
std::vector<TimeResponse> step_responses(const DrivenSystem& system, const SystemErrors& errors,
                                         const Vector& times);
std::vector<TimeResponse> impulse_responses(const DrivenSystem& system, const SystemErrors& errors,
                                            const Vector& times);

}  // namespace lgn
