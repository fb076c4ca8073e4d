#include "experiments/varying/modulation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/identification/data.h"
#include "experiments/varying/truth.h"
#include "lgn/core/median.h"
#include "lgn/dynamics/modulated.h"
#include "lgn/identify.h"
#include "lgn/physics/metrics.h"

namespace lgn::studies {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// What the model says of d₂.
void read_variation(Modulation& found, const ModelVariation& variation) {
  found.parameters = variation.theta.size();
  const ModulatedStructure* structure = variation.structure->modulated();
  if (structure == nullptr || structure->basis().name() != "harmonics") return;
  found.frequencies = structure->basis().parameters();
  for (const EntryCourse& entry : variation.course.entries) {
    if (!entry.varies) continue;
    found.varying.push_back(entry.name);
    if (entry.name != "d2") continue;
    const HarmonicPart& part = *std::max_element(
        entry.harmonics.begin(), entry.harmonics.end(),
        [](const HarmonicPart& a, const HarmonicPart& b) { return a.amplitude < b.amplitude; });
    found.frequency.value = variation.theta[part.frequency];
    found.frequency.se = variation.errors[part.frequency];
    found.mean.value = entry.mean;
    found.mean.se = entry.mean_error;
    found.amplitude.value = part.amplitude;
    found.amplitude.se = part.amplitude_error;
  }
}

}  // namespace

double Found::error() const { return std::abs(value - truth); }

double Found::pull() const { return (value - truth) / se; }

bool Modulation::as_it_is() const {
  return frequencies == 1 && varying == std::vector<std::string>{"d2"};
}

Modulation study_modulation(const ModulationOptions& options) {
  PaperOscillator truth;
  truth.modulation = options.modulation;
  const Dataset exact_run = truth.run(training_times());
  Dataset data = options.integrated ? truth.run(training_times(), Tolerances{}) : exact_run;
  Random random(options.seed);
  if (options.noise > 0) data = with_noise(data, options.noise * deviation(exact_run), random);
  const Model model = identify(data, {.structure = options.structure});

  Modulation found;
  found.structure = model.structure;
  found.frequency = {unknown, unknown, truth.frequency};
  found.mean = {unknown, unknown, truth.gamma};
  found.amplitude = {unknown, unknown, truth.amplitude()};
  if (model.variation) read_variation(found, *model.variation);
  found.data_error = relative_error(options.integrated ? data : exact_run, exact_run);
  found.test_nrmse =
      nrmse(simulate(model, model.starts.col(0), test_times()),
            options.modulation == PaperOscillator{}.modulation ? test_states()
                                                               : truth.states(test_times()));
  found.seconds = model.fit.seconds;
  return found;
}

ModulationNoise study_modulation_noise(const ModulationNoiseOptions& options) {
  ModulationNoise study;
  std::vector<std::vector<double>> pulls(3);
  std::vector<double> errors;
  for (int seed = 1; seed <= options.seeds; ++seed) {
    const Modulation found =
        study_modulation({.noise = options.noise, .seed = static_cast<std::uint64_t>(seed)});
    const Found* const values[] = {&found.frequency, &found.mean, &found.amplitude};
    for (std::size_t k = 0; k < pulls.size(); ++k) {
      const double pull = std::abs(values[k]->pull());
      study.beyond += pull <= 3 ? 0 : 1;
      pulls[k].push_back(std::isnan(pull) ? std::numeric_limits<double>::infinity() : pull);
    }
    study.as_it_is += found.as_it_is() ? 1 : 0;
    errors.push_back(found.test_nrmse);
    study.seconds += found.seconds / options.seeds;
  }
  study.median_pulls.resize(3);
  study.largest_pulls.resize(3);
  for (std::size_t k = 0; k < pulls.size(); ++k) {
    study.median_pulls[static_cast<Index>(k)] = median(pulls[k]);
    study.largest_pulls[static_cast<Index>(k)] =
        *std::max_element(pulls[k].begin(), pulls[k].end());
  }
  study.median_nrmse = median(errors);
  study.largest_nrmse = *std::max_element(errors.begin(), errors.end());
  return study;
}

}  // namespace lgn::studies
