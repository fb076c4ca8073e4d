#include "lgn/dynamics/systems.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/dynamics/modal.h"
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
  System system = from_law(oscillator_law(), Vector{{omega}}, {"q", "p"}, false);
  system.b = Vector::Unit(2, 1);
  return system;
}

System rlc(double omega, double gamma) {
  require(omega > 0 && std::isfinite(omega), "an RLC circuit needs a positive omega");
  require(gamma >= 0 && std::isfinite(gamma), "an RLC circuit needs gamma of at least zero");
  System system = from_law(rlc_law(), Vector{{omega * omega, gamma}}, {"q", "p"}, false);
  system.b = Vector::Unit(2, 1);
  return system;
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
  System system = from_law(ladder_law(n), constants, std::move(channels), true);
  system.b = Vector::Unit(2 * n, 0) / c[0];
  return system;
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
  system.b = Vector::Unit(2 * n, n) / mass;
  return system;
}

System bell(double strike) {
  require(strike > 0 && std::isfinite(strike), "the strike note of a bell must be positive");
  constexpr std::array<double, 12> ratios{0.5,   1,     1.183, 1.506, 2,     2.514,
                                          2.662, 3.011, 4.166, 5.433, 6.796, 8.215};
  constexpr std::size_t split = 8;
  constexpr double apart = 0.008, longest = 1.2;
  const Index pairs = ratios.size() + split;
  Vector theta(2 * pairs), start = Vector::Zero(2 * pairs);
  Index k = 0;
  const auto add = [&](double ratio, double amplitude) {
    const double decay = std::pow(ratio / ratios[0], 0.8) / longest;
    const double damped = 2 * std::numbers::pi * strike * ratio;
    theta[2 * k] = std::hypot(damped, decay);
    theta[2 * k + 1] = 2 * decay;
    start[2 * k] = amplitude;
    ++k;
  };
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    const double amplitude = 0.12 / (1 + 0.3 * static_cast<double>(i));
    add(ratios[i], amplitude);
    if (i < split) add(ratios[i] * (1 + apart), 0.6 * amplitude);
  }
  const ModalStructure structure(2 * pairs, 1,
                                 std::vector<Index>(static_cast<std::size_t>(pairs), 0));
  System system{"modal",
                {"sound"},
                structure.generator(theta),
                structure.energy(theta),
                structure.named_values(theta)};
  system.c = structure.observation(theta).matrix();
  system.start = start;
  return system;
}

System tower(Index floors, double frequency, double damping_ratio, double memory) {
  require(floors > 0, "a tower needs a floor");
  require(
      frequency > 0 && damping_ratio > 0 && memory >= 0 &&
          std::isfinite(frequency + damping_ratio + memory),
      "a tower needs a positive frequency and damping ratio, and a wind with a memory of at least zero");
  Matrix stiffness = Matrix::Zero(floors, floors);
  for (Index i = 0; i < floors; ++i) {
    stiffness(i, i) = i + 1 < floors ? 2 : 1;
    if (i > 0) stiffness(i, i - 1) = stiffness(i - 1, i) = -1;
  }
  const SymmetricEigen modes = symmetric_eigen(stiffness);
  const Index pairs = 2 * floors, n = memory > 0 ? pairs + floors : pairs;
  System system{"modal", {}, Matrix::Zero(n, n), Matrix::Identity(n, n), {}, false};
  system.c = Matrix::Zero(floors, n);
  system.forces = Matrix::Zero(n, floors);
  for (Index k = 0; k < floors; ++k) {
    const double w =
        2 * std::numbers::pi * frequency * std::sqrt(modes.values[k] / modes.values[0]);
    system.a.block(2 * k, 2 * k, 2, 2) << 0, w, -w, -2 * damping_ratio * w;
    system.c.col(2 * k) = modes.vectors.col(k) / w;
    system.forces.row(2 * k + 1) = modes.vectors.col(k).transpose();
    system.channels.push_back(fmt::format("floor{}", k + 1));
  }
  if (memory > 0) {
    // Then the forces are states, and their energy is not that of the tower.
    system.structure = "full";
    system.energy.reset();
    system.a.topRightCorner(pairs, floors) = system.forces.topRows(pairs);
    system.a.bottomRightCorner(floors, floors).diagonal().setConstant(-1 / memory);
    system.forces.topRows(pairs).setZero();
    system.forces.bottomRows(floors).diagonal().setConstant(1 / memory);
  }
  system.start = Vector::Zero(n);
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
  System system =
      system_of(ltv_oscillator_law(),
                Vector{{omega * omega, gamma, modulation, modulation_frequency}}, {"q", "p"});
  system.b = Vector::Unit(2, 1);
  return system;
}

System ltv_chain(Index masses, double stiffness, double damping, double drift, double tau) {
  require(masses > 0 && stiffness > 0 && damping >= 0 && tau > 0,
          "a chain needs masses, a positive stiffness and time of drift, and no negative damping");
  require(std::abs(drift) < 1, "the drift of a stiffness must be below one in size");
  std::vector<std::string> channels;
  for (const char* letter : {"q", "v"})
    for (Index i = 1; i <= masses; ++i) channels.push_back(fmt::format("{}{}", letter, i));
  System system = system_of(ltv_chain_law(masses), Vector{{stiffness, damping, drift, tau}},
                            std::move(channels));
  system.b = Vector::Unit(2 * masses, masses);
  return system;
}

System nonlinear_system(const KnownLaw& law) {
  const auto structure = build_nonlinear(law.recipe);
  System system;
  system.structure = law.recipe.name;
  system.channels = law.channels;
  system.a = structure->linearisation(law.theta, Vector::Zero(structure->dimension()));
  for (const NamedValue& value : structure->named_values(law.theta))
    if (value.value(0, 0) != 0) system.parameters.push_back(value);
  system.common_unit = false;
  system.law = law;
  const bool masses = law.recipe.name == "nonlinear-mechanical" || law.channels.back() == "v";
  const Index pushed = masses ? law.recipe.states / 2 : law.recipe.name == "storage" ? 1 : 0;
  system.b = Matrix::Identity(law.recipe.states, law.recipe.states).col(pushed);
  return system;
}

}  // namespace lgn
