#include "experiments/identification/honesty.h"

#include <algorithm>
#include <cmath>

#include "experiments/identification/data.h"
#include "lgn/flow/propagate.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify.h"

namespace lgn::studies {

Honesty study_honesty(const HardSystem& observed, const HonestyOptions& options) {
  const System& system = observed.system;
  FitOptions thorough;
  thorough.thorough = true;
  const Model model = identify(sample_runs(system, {.runs = options.runs,
                                                    .end = observed.end,
                                                    .step = observed.step,
                                                    .noise = options.noise,
                                                    .seed = options.seed}),
                               thorough);
  const ComplexVector truth = eigenvalues(system.a);
  Honesty result;
  result.structure = model.structure;
  result.modes = static_cast<Index>(model.modes.size());
  result.nrmse = model.fit.nrmse_train;
  result.converged = model.fit.converged;
  for (const Mode& mode : model.modes) {
    if (!mode.identifiable) {
      ++result.unexamined;
    } else if (!*mode.identifiable) {
      result.unexplained += mode.reason.empty() ? 1 : 0;
    } else {
      ++result.identifiable;
      const double distance = (truth.array() - mode.pole).abs().minCoeff();
      const double error = mode.se ? std::hypot(mode.se->re, mode.se->im) : 0;
      const double ratio = distance / std::max(5 * error, 1e-6 * std::abs(mode.pole));
      result.worst = std::max(result.worst, ratio);
      result.wrong += ratio > 1 ? 1 : 0;
    }
  }
  return result;
}

Jitter study_jitter(const JitterOptions& options) {
  const double omega = options.omega;
  const System system = rlc(omega, 2 * options.damping_ratio * omega);
  const Complex pole(-options.damping_ratio * omega,
                     omega * std::sqrt(1 - options.damping_ratio * options.damping_ratio));
  Jitter result;
  for (int seed = 1; seed <= options.seeds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Vector times = Vector::Zero(options.samples);
    for (Index k = 1; k < options.samples; ++k)
      times[k] = times[k - 1] + (random.uniform() < 0.5 ? 0.033 : 0.034);
    Matrix states = propagate(system.a, training_start(2, random), times);
    for (Index c = 0; c < 2; ++c) {
      const double mean = states.row(c).mean();
      const double size = std::sqrt((states.row(c).array() - mean).square().mean());
      states.row(c) += options.noise * size * random.normals(options.samples).transpose();
    }
    const Model model = identify(Dataset({"x", "v"}, {Trajectory("1", times, states)}));
    const Mode& mode = model.modes.back();  // Im λ > 0
    result.metric += model.structure == "metric" ? 1 : 0;
    result.converged += model.fit.converged ? 1 : 0;
    const Complex error = mode.pole - pole;
    result.worst = std::max(
        {result.worst, std::abs(error.real()) / mode.se->re, std::abs(error.imag()) / mode.se->im});
  }
  return result;
}

}  // namespace lgn::studies
