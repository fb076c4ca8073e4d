#pragma once

#include <string>
#include <vector>

namespace lgn::studies {

/// Scatter of fits to repeated simulated records, over the standard errors that were planned: root mean square over the modes.
struct PlanCheck {
  std::string record;
  double frequency = 0, damping = 0;  ///< planned standard errors, the largest relative one
  double frequency_ratio = 0, damping_ratio = 0;
  double ratio = 0;  ///< of both together
  int fits = 0;
};
/// Ten records: one to three modes, one to three sensors, several runs, short and slow ones, much noise, an offset, inputs.
/// Fits know the number of states alone; `quick` ones also begin their search at the truth, which costs a hundredth.
std::vector<PlanCheck> study_plan(int repeats = 200, bool quick = false);

}  // namespace lgn::studies
