#include "experiments/networks/elements.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lgn/core/median.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify.h"

namespace lgn::studies {

Elements study_elements(const ElementsOptions& options) {
  const NetworkSystem truth = network_system({.topology = Topology::ladder,
                                              .size = options.sections,
                                              .spread = options.spread,
                                              .seed = options.seed});
  const Dataset data = sample_runs(
      truth.system, {.runs = options.runs, .noise = options.noise, .seed = options.seed});
  const Model model = identify(data, {.structure = "network"});

  Elements result;
  result.wiring = compare_wiring(model, truth);
  result.fastest = eigenvalues(truth.system.a).cwiseAbs().maxCoeff();
  result.seconds = model.fit.seconds;
  if (!model.network) return result;
  const Matrix &storage = true_value(truth, "storage"), &loss = true_value(truth, "d");
  std::vector<double> relative;
  for (const auto& element : model.network->elements) {
    const bool stores = element.type == ElementType::storage;
    const double value = stores                              ? storage(element.from, 0)
                         : element.type == ElementType::loss ? loss(element.from, 0)
                                                             : 0;
    if (value == 0 || !(element.se > 0)) continue;
    const double error = std::abs(element.value - value);
    relative.push_back(error / value);
    result.worst = std::max(result.worst, error / element.se);
  }
  result.values = static_cast<Index>(relative.size());
  if (relative.empty()) return result;
  result.largest = *std::max_element(relative.begin(), relative.end());
  result.median = median(relative);
  return result;
}

}  // namespace lgn::studies
