#include "experiments/design/systems.h"

#include <string>

#include "lgn/dynamics/law.h"

namespace lgn::studies {
namespace {

using Type = Network::Type;

Model finished(Model model) {
  model.starts = Matrix::Zero(model.a.rows(), 1);
  model.guarantee = {true, true, false};
  model.modes = find_modes(model.a, model.guarantee);
  return model;
}

/// M q̈ = −K q − C q̇ as its elements say.
Model mechanical(const Network& network) {
  const Index masses = std::ssize(network.nodes);
  Model model;
  model.structure = "mechanical";
  model.a = Matrix::Zero(2 * masses, 2 * masses);
  for (const char* letter : {"q", "v"})
    for (Index k = 1; k <= masses; ++k) model.channels.push_back(letter + std::to_string(k));
  Vector mass = Vector::Ones(masses);
  for (const auto& element : network.elements) {
    const Index i = element.from, j = element.to;
    if (element.type == Type::storage) {
      mass[i] = element.value;
      continue;
    }
    const Index shift = element.type == Type::damper ? masses : 0;
    const auto add = [&](Index row, Index column, double value) {
      model.a(masses + row, shift + column) += value;
    };
    add(i, i, -element.value);
    if (j == Network::ground) continue;
    add(i, j, element.value);
    add(j, j, -element.value);
    add(j, i, element.value);
  }
  for (Index k = 0; k < masses; ++k) {
    model.a.row(masses + k) /= mass[k];
    model.a(k, masses + k) = 1;
  }
  model.network = network;
  return finished(std::move(model));
}

Network masses(Index count) {
  Network network;
  for (Index k = 0; k < count; ++k)
    network.nodes.push_back({"q" + std::to_string(k + 1), ChannelKind::position, k, count + k});
  return network;
}

}  // namespace

Model ladder_to_design(Index sections, double r) {
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
  return finished(std::move(model));
}

Model absorber_to_design(double mu) {
  Network network = masses(2);
  network.elements = {{Type::storage, 0, Network::ground, 1},
                      {Type::storage, 1, Network::ground, mu},
                      {Type::spring, 0, Network::ground, 1},
                      {Type::spring, 0, 1, mu},
                      {Type::damper, 0, 1, 0.1 * mu}};
  return mechanical(network);
}

Model chain_to_design() {
  Network network = masses(3);
  for (Index k = 0; k < 3; ++k) {
    network.elements.push_back({Type::storage, k, Network::ground, 1});
    network.elements.push_back({Type::damper, k, Network::ground, 0.01});
  }
  network.elements.push_back({Type::spring, 0, Network::ground, 1});
  network.elements.push_back({Type::spring, 0, 1, 1});
  network.elements.push_back({Type::spring, 1, 2, 1});
  network.elements.push_back({Type::spring, 2, Network::ground, 1});
  return mechanical(network);
}

}  // namespace lgn::studies
