#include "experiments/design/coverage.h"

#include <fmt/format.h>

#include <cmath>

#include "lgn/design/design.h"
#include "lgn/design/robust_internal.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify.h"

namespace lgn::studies {

std::vector<RobustCase> robust_cases() {
  std::vector<RobustCase> cases;
  const System circuit = ladder(Vector::Constant(3, 0.1), Vector::Ones(3), Vector::Ones(3));
  for (const double noise : {0.01, 0.05})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Dataset data = sample_runs(circuit, {.runs = 3, .noise = noise, .seed = seed});
      const Model model = identify(data, {.structure = "network"});
      DesignOptions options;
      options.free = {"R*"};
      options.bounds = {"R*=1e-3:10"};
      options.targets = {"zeta>=0.2"};
      options.minimise = "sum(R*)";
      options.seed = seed;
      const Model plain = design(model, options);
      options.robust = true;
      const Model robust = design(model, options);
      // The values of the plain design, drawn as those of the robust one are.
      Search search(model, options);
      Vector u(search.free().groups());
      for (std::size_t k = 0; k < plain.design->values.size(); ++k)
        u[search.free().group[k]] = std::log(plain.design->values[k].after);
      DesignRecord record = *plain.design;
      record_draws(search, {u, search.evaluate(u)}, 0.95, seed + 1, record);
      cases.push_back({fmt::format("noise {:g}%, seed {}", 100 * noise, seed), record.draws->held,
                       robust.design->draws->held,
                       robust.design->objective.after / plain.design->objective.after,
                       robust.design->draws->count});
    }
  return cases;
}

}  // namespace lgn::studies
