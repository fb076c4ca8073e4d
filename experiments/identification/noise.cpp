#include "experiments/identification/noise.h"

#include <algorithm>
#include <cmath>

#include "experiments/identification/data.h"
#include "experiments/identification/poles.h"
#include "lgn/identify.h"

namespace lgn::studies {
namespace {

bool warns(const Model& model, const std::string& code) {
  return std::any_of(model.warnings.begin(), model.warnings.end(),
                     [&](const Warning& warning) { return warning.code == code; });
}

/// Whether both modes of the highest frequency are marked as not determined. Modes stand in order of
/// frequency.
bool fastest_is_open(const Model& model) {
  const auto open = [](const Mode& mode) { return !mode.identifiable.value_or(true); };
  return open(model.modes[model.modes.size() - 1]) && open(model.modes[model.modes.size() - 2]);
}

}  // namespace

NoiseStudy study_noise(const NoiseOptions& options) {
  const System system = uniform_ladder(3);
  NoiseStudy study;
  for (int seed = 1; seed <= options.seeds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    std::vector<Vector> times;
    for (Index r = 0; r < options.runs; ++r)
      times.push_back(options.uneven
                          ? uneven_times(static_cast<double>(options.samples) * options.step,
                                         options.samples, random)
                          : even_times(options.step, options.samples));
    const Dataset complete = exact_runs(system, times, random);
    const double sigma = options.noise * deviation(complete);
    const Dataset exact =
        options.missing > 0 ? with_gaps(complete, options.missing, random) : complete;
    const Model model =
        identify(with_noise(exact, sigma, random), {.structure = options.structure});
    const double error = compare_poles(model.a, system.a).relative.mean();
    study.error += error / options.seeds;
    study.bound += pole_error_bound(system.a, exact, sigma) / options.seeds;
    study.worst = std::max(study.worst, error);
    study.aliasing += warns(model, "aliasing") ? 1 : 0;
    study.fastest_open += fastest_is_open(model) ? 1 : 0;
    study.not_converged += model.fit.converged ? 0 : 1;
  }
  return study;
}

std::vector<ModeCoverage> study_coverage(const CoverageOptions& options) {
  const System system = uniform_ladder(3);
  Random random(options.seed);
  const Dataset exact = exact_runs(system,
                                   std::vector<Vector>(static_cast<std::size_t>(options.runs),
                                                       even_times(options.step, options.samples)),
                                   random);
  const double sigma = options.noise * deviation(exact);
  const std::vector<Mode> truth = find_modes(system.a);
  std::vector<ModeCoverage> coverage;
  for (std::size_t k = 1; k < truth.size(); k += 2) coverage.push_back({truth[k].pole});
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    const Model model = identify(with_noise(exact, sigma, random), {.structure = "sd"});
    // Conjugates stand side by side, Im λ > 0 second, and noise of this size changes no order.
    for (std::size_t k = 1; k < truth.size(); k += 2) {
      const Mode& mode = model.modes[k];
      const auto holds = [&](double found, double error, double value) {
        return std::abs(found - value) <= model.fit.interval * error ? 1.0 / options.repeats : 0.0;
      };
      coverage[k / 2].frequency +=
          holds(mode.frequency_hz, mode.se->frequency_hz, truth[k].frequency_hz);
      coverage[k / 2].damping +=
          holds(mode.damping_ratio, mode.se->damping_ratio, truth[k].damping_ratio);
    }
  }
  return coverage;
}

}  // namespace lgn::studies
