#include "experiments/baselines/even_step.h"

#include <fmt/format.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/flow/time_steps.h"

namespace lgn::studies {

double even_step(const Trajectory& run) {
  const auto lattice = find_lattice(run.times());
  if (!lattice || lattice->length() != run.samples())
    throw Error(fmt::format("the samples of run {} are not evenly spaced", run.label()),
                "this method needs one step from sample to sample");
  if (run.states().array().isNaN().any())
    throw Error(fmt::format("run {} has missing values", run.label()),
                "this method needs all channels at every time");
  return lattice->step;
}

double common_step(const Dataset& data) {
  const double step = even_step(data.runs().front());
  for (const Trajectory& run : data.runs())
    if (std::abs(even_step(run) - step) > 1e-13 * step)
      throw Error(fmt::format("run {} has another step than the first", run.label()),
                  "this method needs one step for all runs");
  return step;
}

}  // namespace lgn::studies
