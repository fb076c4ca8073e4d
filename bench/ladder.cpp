#include "ladder.h"

#include <cmath>

#include "claim.h"
#include "lgn/dynamics/structures.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/exponential.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify/regression/closed_form.h"

namespace lgn::bench {
namespace {

/// R = 0.1, L = C = 1 in every section.
System ladder_of(Index sections) {
  const Vector ones = Vector::Ones(sections);
  return ladder(0.1 * ones, ones, ones);
}

/// Starts of energy ½‖x‖² = 1 in random directions.
Matrix unit_energy_starts(Random& random) {
  Matrix starts = random.normals(Ladder::dimension, Ladder::runs);
  starts.colwise().normalize();
  return std::sqrt(2.0) * starts;
}

Dataset simulate(const System& system, const Matrix& starts) {
  const Matrix map = exponential(Ladder::step * system.a);
  const Vector times = Vector::LinSpaced(Ladder::samples, 0,
                                         Ladder::step * static_cast<double>(Ladder::samples - 1));
  std::vector<Trajectory> runs;
  for (Index r = 0; r < starts.cols(); ++r) {
    Matrix states(Ladder::dimension, Ladder::samples);
    states.col(0) = starts.col(r);
    for (Index k = 1; k < Ladder::samples; ++k) states.col(k).noalias() = map * states.col(k - 1);
    runs.emplace_back(std::to_string(r + 1), times, states);
  }
  return Dataset(system.channels, runs);
}

}  // namespace

Ladder make_ladder() {
  Random random(1);
  const System system = ladder_of(Ladder::sections);
  const Matrix starts = unit_energy_starts(random);
  return {system.a, starts, SdStructure(Ladder::dimension).random_start(random),
          simulate(system, starts)};
}

void write_ladder(const Ladder& ladder, const std::string& folder) {
  write_numbers(folder, "starts", ladder.starts);
  write_numbers(folder, "theta", ladder.theta);
  write_numbers(folder, "samples", all_samples(ladder.data));
}

NoisyLadder make_noisy_ladder() {
  const Dataset data = sample_runs(
      ladder_of(NoisyLadder::sections),
      {.runs = NoisyLadder::runs, .step = NoisyLadder::step, .noise = NoisyLadder::noise});
  return {data, regress_sd(central_differences(data, 1))};
}

Matrix all_samples(const Dataset& data) {
  Matrix samples(data.dimension(), data.samples());
  Index first = 0;
  for (const Trajectory& run : data.runs()) {
    samples.middleCols(first, run.samples()) = run.states();
    first += run.samples();
  }
  return samples;
}

}  // namespace lgn::bench
