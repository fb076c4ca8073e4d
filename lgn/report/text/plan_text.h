#pragma once

#include <string>

#include "lgn/physics/measurement_plan.h"

namespace lgn {

/// A plan as a page for the terminal: the standard errors to expect of every mode, then the largest of them for other lengths, rates, numbers of
/// runs and noise, what would meet the wants, and which sensor and input tell most.
std::string plan_text(const MeasurementPlan& plan);

/// The same as JSON, "lgn-plan/1", with every mode for every length and rate. What does not exist is null.
std::string plan_json(const MeasurementPlan& plan);

/// What was taken for granted, in one line.
std::string plan_assumptions(const MeasurementPlan& plan);

/// Sampling rates in Hz for one per unit of time, and the name of that unit: Hz, or 1/unit where the length of the unit is unknown.
struct RateUnit {
  double factor;
  std::string name;
};
RateUnit rate_unit(const PlannedSystem& system);

}  // namespace lgn
