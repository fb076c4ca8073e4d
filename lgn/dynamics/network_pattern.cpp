#include "lgn/dynamics/network_pattern.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/log_scale.h"

namespace lgn {
namespace {

using Place = SparsePattern::Place;

constexpr Index fixed = NetworkStructure::fixed;

double largest_row_sum(const SparsePattern& pattern, const Vector& b, const Partition& partition) {
  // Copies of rows lack entries, so that their sums are not above those of their owners.
  double largest = 0;
  for (Index i = 0; i < pattern.n; ++i) {
    double sum = 0;
    for (Place e = pattern.start[at(i)]; e < pattern.start[at(i) + 1]; ++e) sum += std::abs(b[e]);
    largest = std::max(largest, sum);
  }
  return partition.largest(largest);
}

/// ‖B‖ of a matrix on the pattern that is skew or symmetric, by power iteration from a random state: what is found is below
/// the norm by less than the margin, and row sums are never below it.
double norm_with_margin(const SparsePattern& pattern, const Vector& b, const Partition& partition) {
  constexpr int steps = 60;
  constexpr double margin = 1.05;
  Random random(1);
  Vector x = partition.draw_states(random, pattern.n), y(pattern.n);
  const double largest_sum = largest_row_sum(pattern, b, partition);
  double norm = 0;
  if (!(largest_sum > 0)) return 0;
  for (int step = 0; step < steps; ++step) {
    x /= partition.norm_of_states(x);
    partition.refresh_states(x);
    for (Index i = 0; i < pattern.n; ++i) {
      double sum = 0;
      for (Place e = pattern.start[at(i)]; e < pattern.start[at(i) + 1]; ++e)
        sum += b[e] * x[pattern.column[at(e)]];
      y[i] = sum;
    }
    norm = partition.norm_of_states(y);
    if (!(norm > 0)) return 0;
    std::swap(x, y);
  }
  return std::min(margin * norm, largest_sum);
}

}  // namespace

NetworkPattern::NetworkPattern(const NetworkStructure& structure,
                               std::shared_ptr<const Partition> partition)
    : structure_(structure), partition_(std::move(partition)) {
  std::vector<std::pair<Index, Index>> places;
  std::vector<Index> node_of(at(structure.dimension()), fixed);
  const auto& nodes = structure.nodes();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool mass = nodes[i].velocity != NetworkNode::none;
    node_of[at(mass ? nodes[i].velocity : nodes[i].state)] = static_cast<Index>(i);
    if (mass) places.emplace_back(nodes[i].state, nodes[i].velocity);
  }
  const std::size_t kinematic = places.size();
  const Vector ones = Vector::Ones(static_cast<Index>(nodes.size()));
  for (std::size_t e = 0; e < structure.elements().size(); ++e) {
    if (structure.elements()[e].type == ElementType::stiffness)
      throw Error("stiffnesses of either sign have no sparse generator");
    for (const auto& [row, col, sign] : structure.element_entries(structure.elements()[e], ones)) {
      places.emplace_back(row, col);
      terms_.push_back({static_cast<Place>(e), 0, static_cast<Place>(node_of[at(row)]), sign});
    }
  }
  pattern_ = SparsePattern::around(structure.dimension(), places);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto entry = static_cast<Place>(pattern_.find(places[k].first, places[k].second));
    if (k < kinematic)
      kinematic_.push_back(entry);
    else
      terms_[k - kinematic].entry = entry;
  }
}

bool NetworkPattern::moves_element(const Vector& theta, Index element) const {
  const Index k = structure_.parameter_of_element(at(element));
  return k != fixed && !(structure_.elements()[at(element)].bounded() && theta[k] < 0);
}

bool NetworkPattern::moves_storage(const Vector& theta, Index node) const {
  const Index k = structure_.parameter_of_storage(at(node));
  return k != fixed && std::abs(theta[k]) <= largest_log_scale;
}

Vector NetworkPattern::element_values(const Vector& theta) const {
  Vector values(static_cast<Index>(structure_.elements().size()));
  for (Index e = 0; e < values.size(); ++e) values[e] = structure_.element_value(theta, at(e));
  return values;
}

Vector NetworkPattern::values(const Vector& theta) const {
  const Vector elements = element_values(theta), m = structure_.storages(theta);
  Vector a = Vector::Zero(pattern_.entries());
  for (const Term& t : terms_) a[t.entry] += t.sign * elements[t.element] / m[t.node];
  for (const Place entry : kinematic_) a[entry] = 1;
  return a;
}

Vector NetworkPattern::pushforward(const Vector& theta, const Vector& delta) const {
  const Vector elements = element_values(theta), m = structure_.storages(theta);
  Vector change = Vector::Zero(elements.size()), stretch = Vector::Zero(m.size());
  for (Index e = 0; e < change.size(); ++e)
    if (moves_element(theta, e)) change[e] = delta[structure_.parameter_of_element(at(e))];
  for (Index i = 0; i < stretch.size(); ++i)
    if (moves_storage(theta, i)) stretch[i] = delta[structure_.parameter_of_storage(at(i))];
  Vector a = Vector::Zero(pattern_.entries());
  for (const Term& t : terms_)
    a[t.entry] += t.sign * (change[t.element] - stretch[t.node] * elements[t.element]) / m[t.node];
  return a;
}

Vector NetworkPattern::pullback(const Vector& theta, const Vector& g) const {
  const Vector elements = element_values(theta), m = structure_.storages(theta);
  Vector of_elements = Vector::Zero(elements.size()), of_storages = Vector::Zero(m.size());
  for (const Term& t : terms_) {
    const double pulled = t.sign * g[t.entry] / m[t.node];
    of_elements[t.element] += pulled;
    of_storages[t.node] -= pulled * elements[t.element];
  }
  Vector result = Vector::Zero(parameters());
  for (Index e = 0; e < elements.size(); ++e)
    if (moves_element(theta, e)) result[structure_.parameter_of_element(at(e))] = of_elements[e];
  for (Index i = 0; i < m.size(); ++i)
    if (moves_storage(theta, i)) result[structure_.parameter_of_storage(at(i))] = of_storages[i];
  return result;
}

SpectralBox NetworkPattern::box(const Vector& theta) const {
  const Vector a = values(theta), m = structure_.storages(theta);
  Vector root = Vector::Ones(pattern_.n);
  const auto& nodes = structure_.nodes();
  for (std::size_t i = 0; i < nodes.size(); ++i)
    root[structure_.mechanical() ? nodes[i].velocity : nodes[i].state] =
        std::sqrt(m[static_cast<Index>(i)]);
  Vector symmetric = Vector::Zero(a.size()), skew = Vector::Zero(a.size());
  if (!structure_.mechanical()) {
    for (Index i = 0; i < pattern_.n; ++i)
      for (Place e = pattern_.start[at(i)]; e < pattern_.start[at(i) + 1]; ++e) {
        const Index j = pattern_.column[at(e)];
        const double forth = a[e] * root[i] / root[j],
                     back = a[pattern_.twin[at(e)]] * root[j] / root[i];
        symmetric[e] = (forth + back) / 2;
        skew[e] = (forth - back) / 2;
      }
    return {largest_row_sum(pattern_, symmetric, *partition_),
            norm_with_margin(pattern_, skew, *partition_)};
  }
  // In the inner product of the energy A is [0, Ω; −Ωᵀ, −C̃] with ΩᵀΩ = M^−½ K M^−½ and C̃ = M^−½ C M^−½. K stands in the
  // columns of positions: it is moved to those of velocities.
  std::vector<Index> velocity(at(pattern_.n), fixed);
  for (const NetworkNode& node : nodes) velocity[at(node.state)] = node.velocity;
  std::vector<std::pair<Index, Index>> places;
  std::vector<double> stiffness;
  for (const NetworkNode& node : nodes) {
    const Index i = node.velocity;
    for (Place e = pattern_.start[at(i)]; e < pattern_.start[at(i) + 1]; ++e) {
      const Index j = pattern_.column[at(e)], moved = velocity[at(j)];
      if (moved == fixed) {
        symmetric[e] = a[e] * root[i] / root[j];
      } else {
        places.emplace_back(i, moved);
        stiffness.push_back(-a[e] * root[i] / root[moved]);
      }
    }
  }
  const SparsePattern of_masses = SparsePattern::around(pattern_.n, places);
  Vector k = Vector::Zero(of_masses.entries());
  for (std::size_t e = 0; e < places.size(); ++e)
    k[of_masses.find(places[e].first, places[e].second)] += stiffness[e];
  return {largest_row_sum(pattern_, symmetric, *partition_),
          std::sqrt(norm_with_margin(of_masses, k, *partition_))};
}

}  // namespace lgn
