#include "experiments/identification/outliers.h"

#include "experiments/identification/data.h"
#include "experiments/identification/poles.h"
#include "lgn/identify.h"

namespace lgn::studies {
namespace {

void add_spikes(Matrix& states, double fraction, double size, Random& random) {
  for (double& x : states.reshaped())
    if (random.uniform() < fraction)
      x = (random.uniform() < 0.5 ? -1 : 1) * (10 + 40 * random.uniform()) * size;
}

void stick(Matrix& states, double fraction, Random& random) {
  const auto uniform = [&](Index count) {
    return static_cast<Index>(random.uniform() * static_cast<double>(count));
  };
  const Index channel = uniform(states.rows());
  const auto length = static_cast<Index>(fraction * static_cast<double>(states.cols()));
  const Index first = uniform(states.cols() - length);
  states.row(channel).segment(first + 1, length).setConstant(states(channel, first));
}

Dataset with_faults(const Dataset& data, const OutlierOptions& options, double size,
                    Random& random) {
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs()) {
    Matrix states = run.states();
    if (options.fault == OutlierOptions::Fault::spikes)
      add_spikes(states, options.fraction, size, random);
    else
      stick(states, options.fraction, random);
    runs.emplace_back(run.label(), run.times(), std::move(states));
  }
  return Dataset(data.channels(), std::move(runs));
}

}  // namespace

OutlierStudy study_outliers(const OutlierOptions& options) {
  const System system = uniform_ladder(3);
  const std::vector<Vector> times(static_cast<std::size_t>(options.runs),
                                  even_times(options.step, options.samples));
  const auto error = [&](const Dataset& data, Loss loss) {
    const Model model = identify(data, {.structure = "sd", .loss = loss});
    return compare_poles(model.a, system.a).relative.mean() / options.seeds;
  };
  OutlierStudy study;
  for (int seed = 1; seed <= options.seeds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Dataset exact = exact_runs(system, times, random);
    const double size = deviation(exact);
    const Dataset clean = with_noise(exact, options.noise * size, random);
    const Dataset faulty = with_faults(clean, options, size, random);
    study.clean_squares += error(clean, Loss::squares);
    study.huber += error(faulty, Loss::huber);
    study.squares += error(faulty, Loss::squares);
  }
  return study;
}

}  // namespace lgn::studies
