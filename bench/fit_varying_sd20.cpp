// Maximum likelihood of a generator that varies in time: a chain of 20 states with unit couplings, of
// which one loses energy at a rate that is modulated.

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "claim.h"
#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/modulated.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"

namespace lgn::bench {
namespace {

constexpr Index states = 20, runs = 3, samples = 300;
constexpr double step = 0.1, noise = 0.01, frequency = 1;

/// ltv-sd where the last damping has a harmonic: 1 + 210 + 2 parameters.
std::shared_ptr<const ModulatedStructure> modulated_chain() {
  const auto base = std::make_shared<SdStructure>(states);
  std::vector<std::vector<Index>> active(static_cast<std::size_t>(base->parameters()), {0});
  active.back() = {0, 1, 2};
  return std::make_shared<ModulatedStructure>(base, std::make_shared<Harmonics>(1), active);
}

/// Dampings 0.1, the last one 0.3 + `amplitude` sin ωt.
Vector chain_theta(const ModulatedStructure& structure, double omega, double amplitude) {
  Matrix chain = -0.1 * Matrix::Identity(states, states);
  chain(states - 1, states - 1) = -0.3;
  chain.diagonal(1).setConstant(1);
  chain.diagonal(-1).setConstant(-1);
  Matrix coefficients = Matrix::Zero(structure.entries(), structure.basis().size());
  coefficients.col(0) = structure.course_values(structure.base().project(chain));
  coefficients(structure.entries() - 1, 2) = amplitude;
  return structure.theta_of(Vector::Constant(1, omega), coefficients);
}

Dataset chain_data(const ModulatedStructure& structure) {
  Random random(1);
  const Vector truth = chain_theta(structure, frequency, 0.15);
  const Vector times = Vector::LinSpaced(samples, 0, step * static_cast<double>(samples - 1));
  std::vector<std::string> channels;
  for (Index c = 0; c < states; ++c) channels.push_back(fmt::format("x{}", c + 1));
  std::vector<Trajectory> found;
  for (Index r = 0; r < runs; ++r) {
    const Vector start = std::sqrt(2.0) * random.normals(states).normalized();
    Matrix x = propagate(structure, truth, start, times);
    const double size = x.norm() / std::sqrt(static_cast<double>(x.size()));
    x += noise * size * random.normals(states, samples);
    found.emplace_back(std::to_string(r + 1), times, std::move(x));
  }
  return Dataset(channels, std::move(found));
}

}  // namespace

Claim fit_varying_sd20(const std::string&) {
  const auto structure = modulated_chain();
  const auto data = std::make_shared<const Dataset>(chain_data(*structure));
  const Vector start = chain_theta(*structure, 1.05 * frequency, 0.05);
  const auto theta = std::make_shared<Vector>();
  return {[=] { *theta = maximum_likelihood(*data, structure, {.theta = {start}}).theta; },
          [=] {
            // Its standard error is about 3e-3.
            constexpr double allowed = 0.02;
            const double error = std::abs(structure->omega(*theta)[0] - frequency);
            if (!(error <= allowed))
              throw Error(fmt::format("the frequency is wrong by {:.1e} > {:.1e}", error, allowed));
            return std::map<std::string, Matrix>{{"theta", *theta}};
          }};
}

}  // namespace lgn::bench
