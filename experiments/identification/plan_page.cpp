#include <fmt/format.h>

#include "experiments/identification/page.h"
#include "experiments/identification/plan.h"

namespace lgn::studies {

std::string plan_section() {
  constexpr int repeats = 200;
  std::string text = fmt::format(R"(
## Planned standard errors

What `lgn plan` expects before a measurement, beside the scatter of fits to {} simulated records each with fresh noise, which are told the number of states and nothing else: the largest planned standard error relative to its quantity, and the root mean square of errors over planned ones, all modes together. The scatter
of {} repeats is itself known to 5% for one quantity; within 10% is asked for of both together.

| record | planned: frequency | damping ratio | scatter / planned: frequency | damping ratio | both (limits 0.9 to 1.1) |
|---|---|---|---|---|---|
)",
                                 repeats, repeats);
  for (const PlanCheck& found : study_plan(repeats))
    text += fmt::format("| {} | {:.2g}% | {:.2g}% | {:.2f} | {:.2f} | {:.3f} |\n", found.record,
                        100 * found.frequency, 100 * found.damping, found.frequency_ratio,
                        found.damping_ratio, found.ratio);
  return text;
}

}  // namespace lgn::studies
