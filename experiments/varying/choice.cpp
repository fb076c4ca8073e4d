#include "experiments/varying/choice.h"

#include <set>

#include "experiments/identification/data.h"
#include "experiments/varying/modulation.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify.h"

namespace lgn::studies {
namespace {

struct Named {
  std::string name;
  System system;
};

std::vector<Named> constant_systems(std::uint64_t seed) {
  Random random(seed);
  return {{"RLC, n = 2", rlc(1, 0.1)},
          {"ladder, n = 6", uniform_ladder(3)},
          {"random S − D, n = 4", random_dissipative(4, random)}};
}

}  // namespace

std::vector<FalseAlarms> study_false_alarms(const FalseAlarmOptions& options) {
  std::vector<FalseAlarms> found;
  for (std::size_t s = 0; s < constant_systems(1).size(); ++s)
    for (const double noise : options.noises) {
      FalseAlarms row;
      row.noise = noise;
      std::set<std::string> chosen;
      for (int k = 1; k <= options.seeds; ++k) {
        const auto seed = static_cast<std::uint64_t>(k);
        const auto [name, system] = constant_systems(seed)[s];
        row.system = name;
        const Dataset data = sample_runs(system, {.noise = noise, .seed = seed});
        const Model model = identify(data);
        ++row.data_sets;
        row.alarms += model.variation ? 1 : 0;
        chosen.insert(model.structure);
      }
      row.chosen.assign(chosen.begin(), chosen.end());
      found.push_back(std::move(row));
    }
  return found;
}

Detection study_detection(const DetectionOptions& options) {
  Detection study;
  for (int seed = 1; seed <= options.seeds; ++seed) {
    const Modulation found = study_modulation({.structure = "auto",
                                               .noise = options.noise,
                                               .modulation = options.modulation,
                                               .seed = static_cast<std::uint64_t>(seed)});
    study.found += found.structure.starts_with("ltv-") ? 1 : 0;
    study.as_it_is += found.as_it_is() ? 1 : 0;
  }
  return study;
}

}  // namespace lgn::studies
