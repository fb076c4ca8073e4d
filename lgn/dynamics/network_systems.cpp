#include "lgn/dynamics/network_systems.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "lgn/core/error.h"
#include "lgn/dynamics/network.h"

namespace lgn {
namespace {

/// In the order of the enumeration.
constexpr std::array<const char*, 6> kTopologies = {"ladder", "chain", "ring",
                                                    "grid",   "tree",  "rlc-grid"};

void require(bool condition, const std::string& problem) {
  if (!condition) throw Error(problem);
}

/// Values of elements.
class Values {
 public:
  // Another stream than that of sample_runs, which draws starts from the same seed.
  Values(std::uint64_t seed, double spread)
      : random_(seed ^ 0xbf58476d1ce4e5b9u), spread_(spread) {}

  /// Log-uniform over the spread, around this geometric mean.
  double value(double mean = 1) { return mean * std::pow(spread_, random_.uniform() - 0.5); }
  Vector values(Index n, double mean = 1) {
    return Vector::NullaryExpr(n, [&] { return value(mean); });
  }
  double sign() { return random_.uniform() < 0.5 ? -1 : 1; }
  /// One of 0 … n − 1.
  Index choice(Index n) { return static_cast<Index>(random_.uniform() * static_cast<double>(n)); }

 private:
  Random random_;
  double spread_;
};

NamedValue vector_value(const char* name, const Vector& value) {
  return {name, value, NamedValue::Shape::vector};
}

/// What a network is made of, where it is too large for matrices.
struct Parts {
  std::vector<NetworkElement> elements = {};
  std::vector<double> values = {};
  Vector storage = {};  ///< of every node; empty: all one, and no parameters

  void add(NetworkElement element, double value) {
    elements.push_back(element);
    values.push_back(value);
  }
};

/// A system on its pattern. Where storages show only relative to one another, they and all values are relative to the first:
/// A is the same.
NetworkSystem on_pattern(std::vector<NetworkNode> nodes, const Parts& parts,
                         std::vector<ChannelPair> wiring, std::vector<std::string> channels,
                         bool common_unit) {
  const bool storages = parts.storage.size() > 0;
  NetworkSystem result;
  result.large = std::make_shared<NetworkStructure>(std::move(nodes), parts.elements, storages);
  const NetworkStructure& network = *result.large;
  const double unit = network.relative() && storages ? parts.storage[0] : 1.0;
  result.theta = Vector::Zero(network.parameters());
  for (std::size_t e = 0; e < parts.values.size(); ++e)
    if (const Index k = network.parameter_of_element(e); k != NetworkStructure::fixed)
      result.theta[k] = parts.values[e] / unit;
  for (std::size_t i = 0; i < network.nodes().size(); ++i)
    if (const Index k = network.parameter_of_storage(i); k != NetworkStructure::fixed)
      result.theta[k] = std::log(parts.storage[static_cast<Index>(i)] / unit);
  result.system.structure = network.name();
  result.system.channels = std::move(channels);
  result.system.common_unit = common_unit;
  result.wiring = std::move(wiring);
  return result;
}

/// prefix1 … prefixN behind what is there.
void name_channels(std::vector<std::string>& channels, const char* prefix, Index count) {
  for (Index i = 1; i <= count; ++i) channels.push_back(fmt::format("{}{}", prefix, i));
}

/// Couplings of known size between storages, and losses: M ẋ = (S − D) x.
NetworkSystem circuit(const Parts& parts, std::vector<ChannelPair> wiring,
                      std::vector<std::string> channels, bool common_unit) {
  const Index n = parts.storage.size();
  if (n > most_dense_states)
    return on_pattern(single_states(n), parts, std::move(wiring), std::move(channels), common_unit);
  Matrix s = Matrix::Zero(n, n);
  Vector d = Vector::Zero(n);
  for (std::size_t e = 0; e < parts.elements.size(); ++e) {
    const auto& [type, from, to, sign] = parts.elements[e];
    if (type == ElementType::loss) {
      d[from] = parts.values[e];
    } else {
      s(from, to) = sign;
      s(to, from) = -sign;
    }
  }
  Matrix a = parts.storage.cwiseInverse().asDiagonal() * (s - Matrix(d.asDiagonal()));
  System system{"network", std::move(channels), std::move(a), Matrix(parts.storage.asDiagonal()),
                {},        common_unit};
  system.parameters = {{"S", s}, vector_value("d", d), vector_value("storage", parts.storage)};
  return {std::move(system), std::move(wiring)};
}

NetworkSystem large_ladder(const NetworkRecipe& recipe, const Vector& storage, const Vector& d) {
  Parts parts{{}, {}, storage};
  std::vector<ChannelPair> wiring;
  std::vector<std::string> channels;
  for (Index k = 0; k < storage.size(); ++k) {
    channels.push_back(fmt::format("{}{}", k % 2 == 0 ? "v" : "i", k / 2 + 1));
    if (k % 2 == 1) parts.add({ElementType::loss, k}, d[k]);
    if (k + 1 == storage.size()) break;
    parts.add({ElementType::coupling, k, k + 1, -1}, -1);
    wiring.emplace_back(k, k + 1);
  }
  return circuit(parts, std::move(wiring), std::move(channels), recipe.spread == 1);
}

NetworkSystem rlc_grid(const NetworkRecipe& recipe, Values& draw) {
  const Index rows = recipe.size, columns = recipe.columns > 0 ? recipe.columns : rows;
  const Index capacitors = rows * columns, inductors = rows * (columns - 1) + (rows - 1) * columns;
  Parts parts;
  parts.storage = draw.values(capacitors + inductors);
  std::vector<ChannelPair> wiring;
  Index current = capacitors;
  const auto join = [&](Index from, Index to) {
    // C v̇ = … − i at its beginning and + i at its end; L i̇ = v_from − v_to − R i.
    parts.add({ElementType::coupling, from, current, -1}, -1);
    parts.add({ElementType::coupling, to, current, 1}, 1);
    parts.add({ElementType::loss, current}, draw.value(recipe.loss));
    wiring.emplace_back(from, current);
    wiring.emplace_back(to, current);
    ++current;
  };
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) {
      const Index here = i * columns + j;
      if (j + 1 < columns) join(here, here + 1);
      if (i + 1 < rows) join(here, here + columns);
    }
  std::sort(wiring.begin(), wiring.end());
  std::vector<std::string> channels;
  name_channels(channels, "v", capacitors);
  name_channels(channels, "i", inductors);
  return circuit(parts, std::move(wiring), std::move(channels), recipe.spread == 1);
}

NetworkSystem ladder_network(const NetworkRecipe& recipe, Values& draw) {
  const Index sections = recipe.size, n = 2 * sections;
  Vector r(sections), l(sections), c(sections), storage(n), d = Vector::Zero(n);
  for (Index k = 0; k < sections; ++k) {
    storage[2 * k] = c[k] = draw.value();
    storage[2 * k + 1] = l[k] = draw.value();
    d[2 * k + 1] = r[k] = draw.value(recipe.loss);
  }
  if (n > most_dense_states) return large_ladder(recipe, storage, d);
  NetworkSystem network{ladder(r, l, c)};
  Matrix s = Matrix::Zero(n, n);
  for (Index k = 0; k + 1 < n; ++k) {
    s(k, k + 1) = -1;
    s(k + 1, k) = 1;
    network.wiring.emplace_back(k, k + 1);
  }
  System& system = network.system;
  system.structure = "network";
  system.common_unit = recipe.spread == 1;
  system.parameters = {{"S", s}, vector_value("d", d), vector_value("storage", storage)};
  return network;
}

/// Masses at 0 … n − 1 with these springs between them, and springs to the wall where `walled`.
NetworkSystem masses(const NetworkRecipe& recipe, std::vector<ChannelPair> springs,
                     const std::vector<bool>& walled, Values& draw) {
  const auto n = static_cast<Index>(walled.size());
  Parts parts;
  const Vector mass = parts.storage = draw.values(n);
  for (const auto& [i, j] : springs) parts.add({ElementType::spring, i, j}, draw.value());
  for (Index i = 0; i < n; ++i)
    if (walled[static_cast<std::size_t>(i)]) parts.add({ElementType::spring, i}, draw.value());
  const Vector damping = draw.values(n, recipe.loss);
  if (2 * n > most_dense_states) {
    std::vector<NetworkNode> nodes;
    for (Index i = 0; i < n; ++i) {
      nodes.push_back({i, n + i});
      parts.add({ElementType::damper, i}, damping[i]);
    }
    std::vector<std::string> channels;
    name_channels(channels, "q", n);
    name_channels(channels, "v", n);
    return on_pattern(std::move(nodes), parts, std::move(springs), std::move(channels), false);
  }
  Matrix k = Matrix::Zero(n, n);
  for (std::size_t e = 0; e < parts.elements.size(); ++e) {
    const Index i = parts.elements[e].from, j = parts.elements[e].to;
    k(i, i) += parts.values[e];
    if (j == NetworkElement::ground) continue;
    k(j, j) += parts.values[e];
    k(i, j) = k(j, i) = -parts.values[e];
  }

  System system = mass_spring(n, 1, 1, 0);  // for its channels, and q̇ = v
  system.structure = "mechanical";
  system.a.bottomLeftCorner(n, n) = -(mass.cwiseInverse().asDiagonal() * k);
  system.a.bottomRightCorner(n, n).diagonal() = -damping.cwiseQuotient(mass);
  system.energy->topLeftCorner(n, n) = k;
  system.energy->bottomRightCorner(n, n).diagonal() = mass;
  system.parameters = {vector_value("M", mass), {"K", k}, {"C", damping.asDiagonal()}};
  return {std::move(system), std::move(springs)};
}

NetworkSystem chain(const NetworkRecipe& recipe, Values& draw) {
  std::vector<ChannelPair> springs;
  for (Index i = 0; i + 1 < recipe.size; ++i) springs.emplace_back(i, i + 1);
  std::vector<bool> walled(static_cast<std::size_t>(recipe.size), false);
  walled.front() = walled.back() = true;
  return masses(recipe, std::move(springs), walled, draw);
}

NetworkSystem grid(const NetworkRecipe& recipe, Values& draw) {
  const Index rows = recipe.size, columns = recipe.columns > 0 ? recipe.columns : rows;
  std::vector<ChannelPair> springs;
  std::vector<bool> walled;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) {
      const Index here = i * columns + j;
      if (j + 1 < columns) springs.emplace_back(here, here + 1);
      if (i + 1 < rows) springs.emplace_back(here, here + columns);
      walled.push_back(i == 0 || j == 0 || i + 1 == rows || j + 1 == columns);
    }
  return masses(recipe, std::move(springs), walled, draw);
}

/// Half of the states, at least one, chosen at random: 1 for these, else 0.
Vector random_half(Index n, Values& draw) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  Vector chosen = Vector::Zero(n);
  for (Index k = 0; k < std::max<Index>(1, n / 2); ++k) {
    std::swap(order[static_cast<std::size_t>(k)],
              order[static_cast<std::size_t>(k + draw.choice(n - k))]);
    chosen[order[static_cast<std::size_t>(k)]] = 1;
  }
  return chosen;
}

/// S − D in states of one unit, coupled along these pairs.
NetworkSystem coupled_states(const NetworkRecipe& recipe, std::vector<ChannelPair> pairs,
                             Values& draw) {
  const Index n = recipe.size;
  std::sort(pairs.begin(), pairs.end());
  Parts parts;
  for (const auto& [i, j] : pairs) {
    const double sign = draw.sign();
    parts.add({ElementType::coupling, i, j}, sign * draw.value());
  }
  const Vector d = random_half(n, draw).cwiseProduct(draw.values(n, recipe.loss));
  if (n > most_dense_states) {
    for (Index i = 0; i < n; ++i)
      if (d[i] > 0) parts.add({ElementType::loss, i}, d[i]);
    std::vector<std::string> channels;
    name_channels(channels, "x", n);
    return on_pattern(single_states(n), parts, std::move(pairs), std::move(channels), true);
  }
  Matrix s = Matrix::Zero(n, n);
  for (std::size_t e = 0; e < pairs.size(); ++e) {
    s(pairs[e].first, pairs[e].second) = parts.values[e];
    s(pairs[e].second, pairs[e].first) = -parts.values[e];
  }
  Matrix a = s;
  a.diagonal() = -d;
  System system{"network", {}, std::move(a), Matrix::Identity(n, n), {}, true};
  name_channels(system.channels, "x", n);
  system.parameters = {{"S", s}, vector_value("d", d), vector_value("storage", Vector::Ones(n))};
  return {std::move(system), std::move(pairs)};
}

NetworkSystem ring(const NetworkRecipe& recipe, Values& draw) {
  require(recipe.size >= 3, "a ring needs at least three states");
  std::vector<ChannelPair> pairs = {{0, recipe.size - 1}};
  for (Index i = 0; i + 1 < recipe.size; ++i) pairs.emplace_back(i, i + 1);
  return coupled_states(recipe, std::move(pairs), draw);
}

NetworkSystem tree(const NetworkRecipe& recipe, Values& draw) {
  require(recipe.size >= 2, "a tree needs at least two states");
  std::vector<ChannelPair> pairs;
  for (Index k = 1; k < recipe.size; ++k) pairs.emplace_back(draw.choice(k), k);
  return coupled_states(recipe, std::move(pairs), draw);
}

}  // namespace

Index NetworkSystem::dimension() const { return large ? large->dimension() : system.a.rows(); }

Topology find_topology(const std::string& name) {
  const auto found = std::find(kTopologies.begin(), kTopologies.end(), name);
  if (found == kTopologies.end())
    throw Error(fmt::format("unknown topology \"{}\"", name),
                fmt::format("topologies are {}", fmt::join(kTopologies, ", ")));
  return static_cast<Topology>(found - kTopologies.begin());
}

NetworkSystem network_system(const NetworkRecipe& recipe) {
  constexpr double largest = 1e6;
  require(recipe.size >= 1, "the size of a network must be at least 1");
  require(recipe.columns >= 0, "a grid needs at least one column");
  require(recipe.columns == 0 || recipe.topology == Topology::grid ||
              recipe.topology == Topology::rlc_grid,
          "only a grid has columns");
  require(recipe.spread >= 1 && recipe.spread <= largest,
          fmt::format("the spread of element values must be from 1 to {:g}", largest));
  require(recipe.loss >= 0 && recipe.loss <= largest,
          fmt::format("the loss must be from 0 to {:g}", largest));
  Values draw(recipe.seed, recipe.spread);
  switch (recipe.topology) {
    case Topology::ladder:
      return ladder_network(recipe, draw);
    case Topology::chain:
      return chain(recipe, draw);
    case Topology::ring:
      return ring(recipe, draw);
    case Topology::grid:
      return grid(recipe, draw);
    case Topology::tree:
      return tree(recipe, draw);
    case Topology::rlc_grid:
      return rlc_grid(recipe, draw);
  }
  throw Error("unknown topology");
}

}  // namespace lgn
