#pragma once

#include <string>
#include <vector>

#include "lgn/model/model.h"

namespace lgn {

/// One transfer function of a system before and after its design: |H(iω)|, and the response to a step.
struct DesignedResponse {
  std::string output, input;
  Vector omega = {}, before = {}, after = {};            ///< in radians per unit of time
  Vector times = {}, step_before = {}, step_after = {};  ///< empty where a response does not settle
};

/// Those that targets and objective name; where they name none, those from the model's inputs to its first channels, a dozen at
/// most; none where there are no inputs either. `after` must be a design of `before`. O(n³ + points n²) each.
std::vector<DesignedResponse> design_responses(const Model& before, const Model& after);

}  // namespace lgn
