#pragma once

// How a plan's quantities are written; not installed.

#include <optional>
#include <string>
#include <vector>

#include "lgn/physics/measurement_plan.h"

namespace lgn::plan_internal {

/// A list with commas, without blanks around its parts.
std::vector<std::string> split(const std::string& text);

/// A finite number and the word after it; nothing for another text.
struct Quantity {
  double value;
  std::string unit;
};
std::optional<Quantity> quantity_of(const std::string& text);

/// A number, or one in per cent as a fraction; nothing for another text.
std::optional<double> fraction_of(const std::string& text);

/// A positive length of time, "20s", in `unit`. Throws Error for another text.
double duration_of(const std::string& text, const std::string& unit);

/// A positive rate, "200Hz", per `unit`. Throws Error, that it is no `what`, with this help.
double rate_of(const std::string& text, const std::string& unit, const std::string& what,
               const std::string& help);

/// The system that has the modes as they were typed, each released from rest. Throws Error where one is none.
PlannedSystem typed_system(const std::vector<std::string>& modes);

}  // namespace lgn::plan_internal
