#include "lgn/dynamics/systems.h"

#include <fmt/format.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/dynamics/parametric.h"
#include "lgn/dynamics/structures.h"
#include "lgn/dynamics/varying_law.h"

namespace lgn {
namespace {

System from_law(const Law& law, const Vector& constants, std::vector<std::string> channels,
                bool common_unit) {
  const ParametricStructure structure(law);
  return {structure.name(),
          std::move(channels),
          law.generator(constants),
          law.energy(constants),
          structure.named_values(structure.parameters_of(constants)),
          common_unit};
}

void require(bool condition, const char* problem) {
  if (!condition) throw Error(problem);
}

}  // namespace

System oscillator(double omega) {
  require(omega > 0 && std::isfinite(omega), "an oscillator needs a positive omega");
  return from_law(oscillator_law(), Vector{{omega}}, {"q", "p"}, false);
}

System rlc(double omega, double gamma) {
  require(omega > 0 && std::isfinite(omega), "an RLC circuit needs a positive omega");
  require(gamma >= 0 && std::isfinite(gamma), "an RLC circuit needs gamma of at least zero");
  return from_law(rlc_law(), Vector{{omega * omega, gamma}}, {"q", "p"}, false);
}

System ladder(const Vector& r, const Vector& l, const Vector& c) {
  const Index n = r.size();
  require(n > 0 && l.size() == n && c.size() == n, "a ladder needs one R, L and C per section");
  require((r.array() >= 0).all() && (l.array() > 0).all() && (c.array() > 0).all() &&
              r.allFinite() && l.allFinite() && c.allFinite(),
          "a ladder needs positive L and C, and R of at least zero");
  std::vector<std::string> channels;
  for (Index k = 1; k <= n; ++k) {
    channels.push_back(fmt::format("v{}", k));
    channels.push_back(fmt::format("i{}", k));
  }
  Vector constants(3 * n);
  constants << r, l, c;
  return from_law(ladder_law(n), constants, std::move(channels), true);
}

System mass_spring(Index masses, double mass, double stiffness, double damping) {
  const Index n = masses;
  require(n > 0, "a chain needs at least one mass");
  require(mass > 0 && stiffness > 0 && damping >= 0 && std::isfinite(mass + stiffness + damping),
          "a chain needs a positive mass and stiffness, and damping of at least zero");
  Matrix k = Matrix::Zero(n, n);
  k.diagonal().setConstant(2 * stiffness);
  if (n > 1) {
    k.diagonal(1).setConstant(-stiffness);
    k.diagonal(-1).setConstant(-stiffness);
  }
  System system{"full", {}, Matrix::Zero(2 * n, 2 * n), Matrix::Zero(2 * n, 2 * n), {}, false};
  system.a.topRightCorner(n, n).setIdentity();
  system.a.bottomLeftCorner(n, n) = -k / mass;
  system.a.bottomRightCorner(n, n).diagonal().setConstant(-damping / mass);
  system.energy->topLeftCorner(n, n) = k;
  system.energy->bottomRightCorner(n, n).diagonal().setConstant(mass);
  for (const char* letter : {"q", "v"})
    for (Index i = 1; i <= n; ++i) system.channels.push_back(fmt::format("{}{}", letter, i));
  for (const auto& [name, value] :
       {std::pair{"mass", mass}, {"stiffness", stiffness}, {"damping", damping}})
    system.parameters.push_back({name, Matrix::Constant(1, 1, value), NamedValue::Shape::scalar});
  return system;
}

System random_dissipative(Index states, Random& random) {
  require(states > 0, "a system needs at least one state");
  const SdStructure structure(states);
  const Index couplings = structure.parameters() - states;
  Vector theta(structure.parameters());
  theta.head(couplings) = random.normals(couplings) / std::sqrt(static_cast<double>(states));
  for (Index i = 0; i < states; ++i) theta[couplings + i] = 0.2 * random.uniform();
  System system{
      "sd", {}, structure.generator(theta), structure.energy(theta), structure.named_values(theta),
      true};
  for (Index i = 1; i <= states; ++i) system.channels.push_back(fmt::format("x{}", i));
  return system;
}

namespace {

System system_of(VaryingLaw law, const Vector& constants, std::vector<std::string> channels) {
  const auto structure = std::make_shared<const VaryingParametric>(std::move(law));
  const Vector theta = structure->constants().parameters(constants);
  return {structure->name(),
          std::move(channels),
          structure->generator(theta, 0),
          structure->energy(theta),
          structure->named_values(theta),
          false,
          structure,
          theta};
}

}  // namespace

System ltv_oscillator(double omega, double gamma, double modulation, double modulation_frequency) {
  require(omega > 0 && gamma >= 0, "the frequency must be positive, the damping not negative");
  require(std::abs(modulation) < 1, "the modulation of a damping must be below one in size");
  require(modulation_frequency > 0, "the frequency of the modulation must be positive");
  return system_of(ltv_oscillator_law(),
                   Vector{{omega * omega, gamma, modulation, modulation_frequency}}, {"q", "p"});
}

System ltv_chain(Index masses, double stiffness, double damping, double drift, double tau) {
  require(masses > 0 && stiffness > 0 && damping >= 0 && tau > 0,
          "a chain needs masses, a positive stiffness and time of drift, and no negative damping");
  require(std::abs(drift) < 1, "the drift of a stiffness must be below one in size");
  std::vector<std::string> channels;
  for (const char* letter : {"q", "v"})
    for (Index i = 1; i <= masses; ++i) channels.push_back(fmt::format("{}{}", letter, i));
  return system_of(ltv_chain_law(masses), Vector{{stiffness, damping, drift, tau}},
                   std::move(channels));
}

}  // namespace lgn
