#include "experiments/identification/recovery.h"

#include <cmath>

#include "experiments/identification/data.h"
#include "experiments/identification/poles.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify.h"
#include "lgn/physics/metrics.h"

namespace lgn::studies {
namespace {

Index samples_before(double end, double step) {
  return static_cast<Index>(std::ceil(end / step - 1e-9));  // 30/0.1 is 300, rounding or not
}

}  // namespace

Recovery study_recovery(const System& system, const RecoveryOptions& options) {
  const Index n = system.a.rows();
  Random random(options.seed);
  const Vector times = even_times(options.step, samples_before(options.end, options.step));
  const Dataset exact = exact_runs(
      system, std::vector<Vector>(static_cast<std::size_t>(options.runs), times), random);
  const Dataset data = integrated(system, exact);
  const Model model = identify(data, {.structure = options.structure});

  Recovery result;
  result.data_error = relative_error(data, exact);
  result.generator_error = (model.a - system.a).norm() / system.a.norm();
  const PoleErrors poles = compare_poles(model.a, system.a);
  result.pole_error = poles.absolute.mean();
  result.decay_error = (sorted_real_parts(model.a) - sorted_real_parts(system.a)).cwiseAbs().mean();
  for (const Mode& mode : model.modes) result.unstable += mode.pole.real() > 0 ? 1 : 0;
  const Vector start = test_start(n);
  const Vector test = even_times(options.step, samples_before(options.test_end, options.step));
  result.test_nrmse = nrmse(simulate(model, start, test), propagate(system.a, start, test));
  result.converged = model.fit.converged;
  return result;
}

StiffPoles study_stiff(const StiffOptions& options) {
  const Vector ones = Vector::Ones(options.resistances.size());
  const System system = ladder(options.resistances, ones, ones);
  Random random(options.seed);
  const Vector times = even_times(options.step, samples_before(options.end, options.step));
  const Dataset data = exact_runs(
      system, std::vector<Vector>(static_cast<std::size_t>(options.runs), times), random);
  const PoleErrors errors = compare_poles(identify(data, {.structure = "sd"}).a, system.a);
  return {errors.truth, errors.relative};
}

}  // namespace lgn::studies
