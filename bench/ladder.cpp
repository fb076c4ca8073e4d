#include "ladder.h"

#include <cmath>

#include "lgn/dynamics/law.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/exponential.h"

namespace lgn::bench {
namespace {

/// Starts of energy ½‖x‖² = 1 in random directions.
Matrix unit_energy_starts(Random& random) {
  Matrix starts = random.normals(Ladder::dimension, Ladder::runs);
  starts.colwise().normalize();
  return std::sqrt(2.0) * starts;
}

Dataset simulate(const Matrix& starts) {
  Vector constants = Vector::Ones(3 * Ladder::sections);
  constants.head(Ladder::sections).setConstant(0.1);  // R; L = C = 1
  const Matrix map = exponential(Ladder::step * ladder_law(Ladder::sections).generator(constants));
  std::vector<std::string> channels;
  for (Index k = 1; k <= Ladder::sections; ++k) {
    channels.push_back("v" + std::to_string(k));
    channels.push_back("i" + std::to_string(k));
  }
  const Vector times = Vector::LinSpaced(Ladder::samples, 0,
                                         Ladder::step * static_cast<double>(Ladder::samples - 1));
  std::vector<Trajectory> runs;
  for (Index r = 0; r < starts.cols(); ++r) {
    Matrix states(Ladder::dimension, Ladder::samples);
    states.col(0) = starts.col(r);
    for (Index k = 1; k < Ladder::samples; ++k) states.col(k).noalias() = map * states.col(k - 1);
    runs.emplace_back(std::to_string(r + 1), times, states);
  }
  return Dataset(channels, runs);
}

}  // namespace

Ladder make_ladder() {
  Random random(1);
  const Matrix starts = unit_energy_starts(random);
  return {starts, SdStructure(Ladder::dimension).random_start(random), simulate(starts)};
}

}  // namespace lgn::bench
