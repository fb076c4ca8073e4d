#include "experiments/networks/ladder.h"

#include <algorithm>
#include <cmath>

#include "experiments/identification/data.h"
#include "experiments/identification/poles.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify.h"
#include "lgn/physics/metrics.h"

namespace lgn::studies {
namespace {

bool is_lawful(const Model& model) {
  if (!model.network) return false;
  Index storages = 0;
  for (const auto& element : model.network->elements) {
    if (element.type == ElementType::coupling && std::abs(element.value) != 1) return false;
    storages += element.type == ElementType::storage ? 1 : 0;
  }
  return storages == model.dimension();
}

}  // namespace

LadderStudy study_ladder(const LadderOptions& options) {
  const NetworkSystem truth = equal_ladder(options.sections, options.named);
  const System& system = truth.system;
  const NetworkStructure structure = true_structure(truth, options.named);
  const std::vector<Vector> times(static_cast<std::size_t>(options.runs),
                                  even_times(options.step, options.samples));
  const Vector start = test_start(system.a.rows());
  const Vector test =
      even_times(options.step, static_cast<Index>(std::round(options.test_end / options.step)));
  const Matrix ahead = propagate(system.a, start, test);
  LadderStudy study;
  for (int seed = 1; seed <= options.seeds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Dataset exact = exact_runs(system, times, random);
    const double sigma = options.noise * deviation(exact);
    const Model model = identify(with_noise(exact, sigma, random), {.structure = "network"});
    study.wiring.add(compare_wiring(model, truth));
    study.lawful += is_lawful(model) ? 1 : 0;
    study.error += compare_poles(model.a, system.a).absolute.mean() / options.seeds;
    const PoleCovariances covariances = least_covariances(structure, system.a, exact, sigma);
    const double share = 1.0 / (options.seeds * static_cast<double>(covariances.size()));
    for (const auto& covariance : covariances) {
      study.bound += share * expected_modulus(covariance);
      study.deviation += share * std::sqrt(covariance.trace());
    }
    const double error = nrmse(simulate(model, start, test), ahead);
    study.nrmse += error / options.seeds;
    study.worst_nrmse = std::max(study.worst_nrmse, error);
    study.seconds += model.fit.seconds / options.seeds;
    study.not_converged += model.fit.converged ? 0 : 1;
  }
  return study;
}

}  // namespace lgn::studies
