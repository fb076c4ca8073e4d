#include "experiments/networks/topologies.h"

#include <algorithm>

#include "lgn/flow/sample_runs.h"
#include "lgn/identify.h"

namespace lgn::studies {

TopologyStudy study_topology(const TopologyOptions& options) {
  TopologyStudy study;
  for (int seed = 1; seed <= options.seeds; ++seed) {
    NetworkRecipe recipe = options.recipe;
    recipe.seed = static_cast<std::uint64_t>(seed);
    const NetworkSystem truth = network_system(recipe);
    const Dataset data = sample_runs(
        truth.system, {.runs = options.runs, .noise = options.noise, .seed = recipe.seed});
    const Model model = identify(data, {.structure = truth.system.structure});
    const WiringErrors found = compare_wiring(model, truth);
    study.states = truth.system.a.rows();
    study.pairs += static_cast<Index>(truth.wiring.size());
    study.wiring.add(found);
    study.wrong += found.exact() ? 0 : 1;
    study.nrmse = std::max(study.nrmse, model.fit.nrmse_train);
    study.seconds += model.fit.seconds / options.seeds;
  }
  return study;
}

}  // namespace lgn::studies
