#pragma once

// Systems that the tests of designs share.

#include <cmath>
#include <string>
#include <vector>

#include "lgn/design/design.h"
#include "lgn/dynamics/law.h"

namespace lgn {

/// A model of a known network; its A is what the elements say.
inline Model network_model(Network network, const std::vector<std::string>& channels,
                           const Matrix& a) {
  Model model;
  model.structure = network.mechanical() ? "mechanical" : "network";
  model.channels = channels;
  model.a = a;
  model.network = std::move(network);
  model.starts = Matrix::Zero(a.rows(), 1);
  model.guarantee = {true, true, false};
  model.modes = find_modes(model.a, model.guarantee);
  return model;
}

/// A unit mass on a unit spring, and an absorber of mass mu on a spring k and a damper c.
inline Model absorber(double mu, double k, double c) {
  Network network;
  network.nodes = {{"q1", ChannelKind::position, 0, 2}, {"q2", ChannelKind::position, 1, 3}};
  network.elements = {{Network::Type::storage, 0, Network::ground, 1},
                      {Network::Type::storage, 1, Network::ground, mu},
                      {Network::Type::spring, 0, Network::ground, 1},
                      {Network::Type::spring, 0, 1, k},
                      {Network::Type::damper, 0, 1, c}};
  const Matrix a{
      {0, 0, 1, 0}, {0, 0, 0, 1}, {-(1 + k), k, -c, c}, {k / mu, -k / mu, c / mu, -c / mu}};
  return network_model(network, {"q1", "q2", "v1", "v2"}, a);
}

inline Model ladder_model(Index sections, double r) {
  const Law law = ladder_law(sections);
  Model model;
  model.structure = "parametric:ladder";
  Vector p = Vector::Ones(3 * sections);
  p.head(sections).setConstant(r);
  for (Index k = 0; k < p.size(); ++k)
    model.parameters.push_back({law.constants()[static_cast<std::size_t>(k)].name,
                                Matrix::Constant(1, 1, p[k]), NamedValue::Shape::scalar});
  model.a = law.generator(p);
  for (Index k = 1; k <= sections; ++k) {
    model.channels.push_back("v" + std::to_string(k));
    model.channels.push_back("i" + std::to_string(k));
  }
  model.starts = Matrix::Zero(model.a.rows(), 1);
  model.guarantee = {true, true, false};
  model.modes = find_modes(model.a, model.guarantee);
  return model;
}

inline double after(const Model& designed, const std::string& name) {
  for (const DesignedValue& value : designed.design->values)
    if (value.name == name) return value.after;
  return std::nan("");
}

/// A unit mass on a spring and a damper.
inline Model single_mass(double k, double c) {
  Network network;
  network.nodes = {{"q1", ChannelKind::position, 0, 1}};
  network.elements = {{Network::Type::storage, 0, Network::ground, 1},
                      {Network::Type::spring, 0, Network::ground, k},
                      {Network::Type::damper, 0, Network::ground, c}};
  return network_model(network, {"q1", "v1"}, Matrix{{0, 1}, {-k, -c}});
}

}  // namespace lgn
