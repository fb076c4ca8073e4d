#pragma once

#include <cmath>
#include <string>

#include "lgn/core/random.h"
#include "lgn/physics/network_elements.h"

namespace lgn::testing {

using Type = Network::Type;

/// A value that differs from element to element, with an error and an evidence.
inline Network::Element element(Type type, Index from, Index to, double value) {
  const double change = std::sin(7.0 * static_cast<double>(from) + 3.0 * static_cast<double>(to));
  const double v = value * (1 + 0.3 * change);
  return {type, from, to, v, 0.02 * std::abs(v), 40 + 20 * change};
}
/// A coupling that a law of the field gives exactly.
inline Network::Element law(Index from, Index to, double value) {
  return {Type::coupling, from, to, value, 0, Network::unknown};
}

/// i1 – v1 – i2 – v2 – …, from a source at zero to an open end; the voltages have losses where `leaky`.
inline Network ladder(Index sections, bool leaky = false) {
  Network network;
  const auto node = [&](const std::string& name, ChannelKind kind) {
    network.nodes.push_back({name, kind, static_cast<Index>(network.nodes.size())});
  };
  for (Index k = 0; k < sections; ++k) {
    node("i" + std::to_string(k + 1), ChannelKind::current);
    node("v" + std::to_string(k + 1), ChannelKind::voltage);
    const Index i = 2 * k, v = i + 1;
    network.elements.push_back(element(Type::storage, i, -1, 0.5));
    network.elements.push_back(element(Type::storage, v, -1, 1));
    network.elements.push_back(element(Type::loss, i, -1, 0.1));
    if (leaky) network.elements.push_back(element(Type::loss, v, -1, 0.05));
    network.elements.push_back(law(v, i, 1));
    if (k > 0) network.elements.push_back(law(v - 2, i, -1));
  }
  return network;
}

/// Nodes of one kind, each with a storage; masses where the kind is position.
inline Network nodes_of(Index count, ChannelKind kind, const std::string& letter) {
  Network network;
  for (Index k = 0; k < count; ++k) {
    const bool mass = kind == ChannelKind::position;
    network.nodes.push_back({letter + std::to_string(k + 1), kind, k, mass ? count + k : -1});
    network.elements.push_back(element(Type::storage, k, -1, 1));
  }
  return network;
}

/// Masses in a row between two walls, springs and dampers between them.
inline Network mass_chain(Index masses) {
  Network network = nodes_of(masses, ChannelKind::position, "q");
  for (Index k = 0; k + 1 < masses; ++k) {
    network.elements.push_back(element(Type::spring, k, k + 1, 4));
    network.elements.push_back(element(Type::damper, k, k + 1, 0.2));
  }
  network.elements.push_back(element(Type::spring, 0, -1, 3));
  if (masses > 1) network.elements.push_back(element(Type::spring, masses - 1, -1, 3));
  return network;
}

inline Network mass_ring(Index masses) {
  Network network = nodes_of(masses, ChannelKind::position, "q");
  for (Index k = 0; k < masses; ++k)
    network.elements.push_back(element(Type::spring, k, (k + 1) % masses, 4));
  return network;
}

/// A grid of temperatures; the corners lose heat.
inline Network heat_grid(Index width, Index height) {
  Network network = nodes_of(width * height, ChannelKind::temperature, "T");
  for (Index y = 0; y < height; ++y)
    for (Index x = 0; x < width; ++x) {
      const Index k = y * width + x;
      if (x + 1 < width) network.elements.push_back(element(Type::exchange, k, k + 1, 2));
      if (y + 1 < height) network.elements.push_back(element(Type::exchange, k, k + width, 2));
      if ((x == 0 || x + 1 == width) && (y == 0 || y + 1 == height))
        network.elements.push_back(element(Type::loss, k, -1, 0.1));
    }
  return network;
}

/// Every node hangs on an earlier one.
inline Network random_tree(Index count, std::uint64_t seed) {
  Network network = nodes_of(count, ChannelKind::plain, "x");
  Random random(seed);
  for (Index k = 1; k < count; ++k) {
    const auto parent = static_cast<Index>(random.uniform() * static_cast<double>(k));
    network.elements.push_back(element(Type::coupling, k, parent, 1));
  }
  return network;
}

/// A tree with `more` other edges.
inline Network random_graph(Index count, Index more, std::uint64_t seed) {
  Network network = random_tree(count, seed);
  Random random(seed + 1);
  for (Index k = 0; k < more;) {
    const auto a = static_cast<Index>(random.uniform() * static_cast<double>(count));
    const auto b = static_cast<Index>(random.uniform() * static_cast<double>(count));
    bool taken = a == b;
    for (const auto& e : network.elements)
      taken = taken || (e.from == a && e.to == b) || (e.from == b && e.to == a);
    if (taken) continue;
    network.elements.push_back(element(Type::coupling, a, b, -1));
    ++k;
  }
  return network;
}

/// A of ẋ = A x for a network that is not mechanical, states in the order of the channels.
inline Matrix generator(const Network& network) {
  const auto n = static_cast<Index>(network.nodes.size());
  Vector storage = Vector::Ones(n);
  Matrix a = Matrix::Zero(n, n);
  const auto state = [&](Index node) {
    return network.nodes[static_cast<std::size_t>(node)].state;
  };
  for (const auto& e : network.elements) {
    const Index i = state(e.from), j = e.to == Network::ground ? -1 : state(e.to);
    if (e.type == Type::storage) storage[i] = e.value;
    if (e.type == Type::loss) a(i, i) -= e.value;
    if (e.type == Type::coupling) {
      a(i, j) += e.value;
      a(j, i) -= e.value;
    }
    if (e.type == Type::exchange) {
      a(i, i) -= e.value;
      a(j, j) -= e.value;
      a(i, j) += e.value;
      a(j, i) += e.value;
    }
  }
  return storage.cwiseInverse().asDiagonal() * a;
}

}  // namespace lgn::testing
