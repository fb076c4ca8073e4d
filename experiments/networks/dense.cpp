#include "experiments/networks/dense.h"

#include <algorithm>

#include "experiments/identification/poles.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify.h"

namespace lgn::studies {

Dense study_dense(const DenseOptions& options) {
  Random random(options.seed);
  const System system = random_dissipative(options.states, random);
  const Dataset data =
      sample_runs(system, {.runs = options.runs, .noise = options.noise, .seed = options.seed});
  const Model chosen = identify(data), asked = identify(data, {.structure = "network"});
  Dense result;
  for (const auto& candidate : chosen.candidates)
    if (candidate.structure == "network") result.verdict = candidate.verdict;
  result.structure = chosen.structure;
  result.instead = asked.structure;
  result.warns = std::any_of(asked.warnings.begin(), asked.warnings.end(),
                             [](const Warning& w) { return w.code == "not-sparse"; });
  result.error = compare_poles(chosen.a, system.a).absolute.mean();
  result.generator_error = (chosen.a - system.a).norm() / system.a.norm();
  return result;
}

}  // namespace lgn::studies
