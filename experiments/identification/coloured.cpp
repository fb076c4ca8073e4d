#include "experiments/identification/coloured.h"

#include <cmath>

#include "experiments/identification/data.h"
#include "experiments/identification/poles.h"
#include "lgn/flow/exponential.h"
#include "lgn/flow/forced_response.h"
#include "lgn/identify.h"

namespace lgn::studies {
namespace {

constexpr Index samples = 1000;
constexpr double step = 0.2;

/// Noise beside the response: forces on the states of this size, white noise, and a first-order process with this correlation.
struct Beside {
  std::string name;
  double force = 0, white = 0, slow = 0, correlation = 0;
  Index states = 4;  ///< that describe the system and its noise
};

/// Two modes, 0.16 and 0.37 per unit of time with damping ratios of 7.5% and 6.5%.
Matrix two_modes() {
  Matrix a = Matrix::Zero(4, 4);
  a.topLeftCorner(2, 2) << 0, 1, -1, -0.15;
  a.bottomRightCorner(2, 2) << 0, 2.3, -2.3, -0.3;
  return a;
}

Dataset record(const Beside& beside, std::uint64_t seed) {
  Random random(seed);
  const Matrix a = two_modes(), phi = exponential(step * a);
  const Vector times = even_times(step, samples);
  Matrix force(1, samples);
  for (Index k = 0; k < samples; k += 8)
    force.middleCols(k, 8).setConstant(random.uniform() < 0.5 ? -1.0 : 1.0);
  Matrix x = forced_states(a, 0.3 * random.normals(4), (Vector(4) << 0, 1, 0, 0.7).finished(),
                           input_course(times, force, {Hold::zoh, 0}));
  Matrix y(1, samples);
  Vector shaken = Vector::Zero(4);
  double slow = beside.slow * random.normal();
  for (Index k = 0; k < samples; ++k) {
    y(0, k) =
        0.3 + x(0, k) + x(2, k) + shaken[0] + shaken[2] + slow + beside.white * random.normal();
    shaken = phi * shaken + beside.force * random.normals(4);
    slow = beside.correlation * slow +
           std::sqrt(1 - beside.correlation * beside.correlation) * beside.slow * random.normal();
  }
  return Dataset({"y"}, {Trajectory("1", times, y, force)}, {"u"});
}

FitOptions options_of(const Beside& beside, NoiseModel noise) {
  FitOptions options;
  options.states = States::given;
  options.state_count = noise == NoiseModel::innovation ? beside.states : 4;
  options.hold = InputHold::zoh;
  options.feedthrough = Feedthrough::no;
  options.noise_model = noise;
  return options;
}

const std::vector<Beside>& kinds() {
  static const std::vector<Beside> all{{"forces on the states", 0.05, 0.02, 0, 0, 4},
                                       {"forces on the states, more noise", 0.05, 0.2, 0, 0, 4},
                                       {"a first-order process, ρ = 0.9", 0, 0.02, 0.2, 0.9, 5}};
  return all;
}

}  // namespace

std::vector<ColouredRecovery> study_coloured(int repeats) {
  const ComplexVector truth = eigenvalues(two_modes());
  std::vector<ColouredRecovery> result;
  for (const Beside& beside : kinds())
    for (const NoiseModel noise : {NoiseModel::output, NoiseModel::innovation}) {
      ColouredRecovery found;
      found.noise = beside.name;
      found.innovation = noise == NoiseModel::innovation;
      double modes = 0;
      for (int seed = 0; seed < repeats; ++seed) {
        const Model model = identify(record(beside, static_cast<std::uint64_t>(seed) + 1),
                                     options_of(beside, noise));
        // The pole of the noise itself is none of the system.
        Model oscillating = model;
        std::erase_if(oscillating.modes, [](const Mode& mode) { return mode.pole.imag() == 0; });
        ComplexVector poles(static_cast<Index>(oscillating.modes.size()));
        for (Index k = 0; k < poles.size(); ++k)
          poles[k] = oscillating.modes[static_cast<std::size_t>(k)].pole;
        double apart = 0;
        for (const Complex pole : truth)
          apart +=
              poles.size() > 0 ? (poles.array() - pole).abs().minCoeff() / std::abs(pole) : 1.0;
        found.error += apart / static_cast<double>(truth.size()) / repeats;
        const IntervalCoverage covered = interval_coverage(oscillating, truth);
        modes += covered.modes;
        found.frequency += covered.frequency;
        found.damping += covered.damping;
        found.next += (found.innovation ? std::sqrt(model.innovation.covariance(0, 0))
                                        : model.fit.noise_sigma) /
                      repeats;
        found.seconds += model.fit.seconds / repeats;
      }
      found.frequency /= modes;
      found.damping /= modes;
      result.push_back(found);
    }
  return result;
}

ColouredChoice study_choice(int repeats) {
  ColouredChoice choice;
  for (int seed = 0; seed < repeats; ++seed) {
    const auto number = static_cast<std::uint64_t>(seed) + 1000;
    const auto chosen = [&](const Beside& beside) {
      FitOptions options;
      options.hold = InputHold::zoh;
      options.feedthrough = Feedthrough::no;
      return identify(record(beside, number), options).innovation.active() ? 1 : 0;
    };
    choice.coloured += chosen(kinds().front());
    choice.white += chosen({"white", 0, 0.1, 0, 0, 4});
    ++choice.tried;
  }
  return choice;
}

}  // namespace lgn::studies
