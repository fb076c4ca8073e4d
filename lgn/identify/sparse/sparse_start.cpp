#include "lgn/identify/sparse/sparse_start.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/constants_internal.h"
#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/median.h"
#include "lgn/core/sparse_pattern.h"
#include "lgn/core/stop.h"
#include "lgn/identify/regression/weak_form.h"
#include "lgn/identify/wiring/network_fit.h"

namespace lgn {
namespace {

constexpr Index ground = NetworkElement::ground;

/// Entries that a topology allows, and what regression makes of them.
struct Entries {
  SparsePattern pattern;
  Vector values;
  double operator()(Index row, Index col) const { return values[pattern.find(row, col)]; }
};

/// Each row by least squares on the states that it may depend on.
Entries regress_rows(const Regression& regression, Index n,
                     const std::vector<std::pair<Index, Index>>& places) {
  Entries entries{SparsePattern::around(n, places), {}};
  entries.values = Vector::Zero(entries.pattern.entries());
  std::vector<std::vector<Index>> columns(at(n));
  for (const auto& [row, col] : places) columns[at(row)].push_back(col);
  // Samples of a state side by side: rows of the transposed.
  const Matrix x = regression.states.transpose(), y = regression.derivatives.transpose();
  for (Index i = 0; i < n; ++i) {
    auto& mine = columns[at(i)];
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    const Vector found = regress_row(x, mine, y.col(i));
    for (Index a = 0; a < found.size(); ++a)
      entries.values[entries.pattern.find(i, mine[at(a)])] = found[a];
  }
  return entries;
}

/// log m of nodes from ties log m_a − log m_b = difference, or log m_a = difference: weighted least squares by conjugate
/// gradients, each part without an anchor relative to where it began, at zero.
struct Tie {
  Index from, to;
  double difference, weight;
};
Vector solve_sparse_ties(Index nodes, const std::vector<Tie>& ties) {
  const auto product = [&](const Vector& x) {
    Vector y = Vector::Zero(nodes);
    for (const auto& [from, to, difference, weight] : ties) {
      const double stretch = weight * (x[from] - (to == ground ? 0.0 : x[to]));
      y[from] += stretch;
      if (to != ground) y[to] -= stretch;
    }
    return y;
  };
  Vector right = Vector::Zero(nodes), diagonal = Vector::Constant(nodes, 1e-300);
  for (const auto& [from, to, difference, weight] : ties) {
    right[from] += weight * difference;
    diagonal[from] += weight;
    if (to == ground) continue;
    right[to] -= weight * difference;
    diagonal[to] += weight;
  }
  Vector x = Vector::Zero(nodes), r = right, z = r.cwiseQuotient(diagonal), p = z;
  double rho = r.dot(z);
  const double enough = 1e-16 * rho;
  for (int step = 0; step < 2000 && rho > enough; ++step) {
    stop_point(4.0 * static_cast<double>(ties.size()));
    const Vector ap = product(p);
    const double curvature = p.dot(ap);
    if (!(curvature > 0)) break;
    x += rho / curvature * p;
    r -= rho / curvature * ap;
    z = r.cwiseQuotient(diagonal);
    const double next = r.dot(z);
    p = z + next / rho * p;
    rho = next;
  }
  return x;
}

bool is_circuit_pair(const std::vector<ChannelKind>& kinds, Index i, Index j) {
  if (kinds.empty()) return false;
  const auto [a, b] = std::minmax(kinds[at(i)], kinds[at(j)]);
  return (a == ChannelKind::voltage && b == ChannelKind::current) ||
         (a == ChannelKind::force && b == ChannelKind::velocity);
}

/// The elements of a topology by the signs of its entries, and whether storages are free.
struct Elements {
  std::vector<NetworkElement> list;
  bool storages = true;
};

Elements elements_of_states(const Entries& a, const std::vector<ChannelPair>& pairs, Index n,
                            const std::vector<ChannelKind>& kinds) {
  Elements elements;
  const bool circuit = std::all_of(pairs.begin(), pairs.end(), [&](const ChannelPair& pair) {
    return is_circuit_pair(kinds, pair.first, pair.second) ||
           (a(pair.first, pair.second) > 0 && a(pair.second, pair.first) > 0);
  });
  std::vector<double> ratios;
  for (const auto& [i, j] : pairs) {
    const double forth = a(i, j), back = a(j, i);
    if (forth > 0 && back > 0) {
      elements.list.push_back({ElementType::exchange, i, j});
    } else {
      const double larger = std::abs(forth) > std::abs(back) ? forth : -back;
      elements.list.push_back(
          {ElementType::coupling, i, j, circuit ? (larger > 0 ? 1.0 : -1.0) : 0.0});
    }
    if (forth != 0 && back != 0) ratios.push_back(std::abs(std::log(std::abs(forth / back))));
  }
  for (Index i = 0; i < n; ++i) elements.list.push_back({ElementType::loss, i});
  constexpr double alike = 0.05;
  elements.storages = circuit || ratios.empty() || median(ratios) > alike;
  return elements;
}

Elements elements_of_masses(const std::vector<ChannelPair>& pairs,
                            const std::vector<NetworkNode>& nodes) {
  std::vector<Index> node_of(2 * nodes.size(), ground);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    node_of[at(nodes[i].state)] = node_of[at(nodes[i].velocity)] = static_cast<Index>(i);
  std::vector<ChannelPair> ties;
  for (const auto& [i, j] : pairs) {
    const auto [low, high] = std::minmax(node_of[at(i)], node_of[at(j)]);
    if (low != high) ties.emplace_back(low, high);
  }
  std::sort(ties.begin(), ties.end());
  ties.erase(std::unique(ties.begin(), ties.end()), ties.end());
  Elements elements;
  for (const auto type : {ElementType::spring, ElementType::damper}) {
    for (const auto& [i, j] : ties) elements.list.push_back({type, i, j});
    for (std::size_t i = 0; i < nodes.size(); ++i)
      elements.list.push_back({type, static_cast<Index>(i)});
  }
  return elements;
}

/// Values of a structure that are near these entries.
Vector project(const NetworkStructure& structure, const Entries& a) {
  const auto nodes = static_cast<Index>(structure.nodes().size());
  const Vector ones = Vector::Ones(nodes);
  const auto off_diagonal = [&](const NetworkElement& e) {
    auto entries = structure.element_entries(e, ones);
    // Of the four of an exchange, a spring or a damper those in the middle.
    if (entries.size() == 4) entries = {entries[1], entries[2]};
    return entries;
  };
  std::vector<Tie> ties;
  for (const auto& e : structure.elements()) {
    if (e.to == ground || !structure.has_storages()) continue;
    const auto entries = off_diagonal(e);
    const double forth = entries[0].value * a(entries[0].row, entries[0].col),
                 back = entries[1].value * a(entries[1].row, entries[1].col);
    if (e.sign != 0) {
      if (e.sign * forth > 0)
        ties.push_back({e.from, ground, -std::log(e.sign * forth), std::abs(forth)});
      if (e.sign * back > 0)
        ties.push_back({e.to, ground, -std::log(e.sign * back), std::abs(back)});
    } else if (forth * back > 0 && (forth > 0 || !e.bounded())) {
      ties.push_back({e.from, e.to, std::log(std::abs(back)) - std::log(std::abs(forth)),
                      std::sqrt(std::abs(forth * back))});
    }
  }
  Vector logs = solve_sparse_ties(nodes, ties);
  // Parts without an anchor: their first node is one.
  if (structure.relative() && structure.has_storages()) {
    std::vector<std::pair<Index, Index>> places;
    for (const auto& e : structure.elements())
      if (e.to != ground) places.emplace_back(e.from, e.to);
    const SparsePattern graph = SparsePattern::around(nodes, places);
    std::vector<char> seen(at(nodes), 0);
    for (Index i = 0; i < nodes; ++i)
      if (structure.parameter_of_storage(at(i)) == NetworkStructure::fixed) {
        const double unit = logs[i];
        std::vector<Index> walk{i};
        seen[at(i)] = 1;
        for (std::size_t next = 0; next < walk.size(); ++next)
          for (Index e = graph.start[at(walk[next])]; e < graph.start[at(walk[next]) + 1]; ++e)
            if (const Index j = graph.column[at(e)]; seen[at(j)] == 0) {
              seen[at(j)] = 1;
              walk.push_back(j);
            }
        for (const Index j : walk) logs[j] -= unit;
      }
  }
  const Vector m = logs.array().exp();
  Vector theta = Vector::Zero(structure.parameters());
  for (Index i = 0; i < nodes; ++i)
    if (const Index k = structure.parameter_of_storage(at(i)); k != NetworkStructure::fixed)
      theta[k] = logs[i];
  // What stands on the diagonal of a node, for losses, springs and dampers to the ground.
  Vector grounded[2] = {Vector::Zero(nodes), Vector::Zero(nodes)};
  const auto kind = [](const NetworkElement& e) { return e.type == ElementType::damper ? 1 : 0; };
  for (std::size_t e = 0; e < structure.elements().size(); ++e) {
    const NetworkElement& element = structure.elements()[e];
    if (element.to == ground) continue;
    double product = 0, square = 0;
    for (const auto& [row, col, sign] : off_diagonal(element)) {
      const double over =
          1 / m[row == structure.element_entries(element, ones)[0].row ? element.from : element.to];
      product += sign * over * a(row, col);
      square += over * over;
    }
    double value = element.sign != 0 ? element.sign : product / square;
    if (element.bounded()) value = std::max(value, 0.0);
    if (const Index k = structure.parameter_of_element(e); k != NetworkStructure::fixed)
      theta[k] = value;
    if (element.type == ElementType::coupling) continue;
    grounded[kind(element)][element.from] += value;
    grounded[kind(element)][element.to] += value;
  }
  for (std::size_t e = 0; e < structure.elements().size(); ++e) {
    const NetworkElement& element = structure.elements()[e];
    if (element.to != ground) continue;
    const auto entry = structure.element_entries(element, ones)[0];
    theta[structure.parameter_of_element(e)] = std::max(
        0.0, -m[element.from] * a(entry.row, entry.col) - grounded[kind(element)][element.from]);
  }
  return theta;
}

}  // namespace

Vector regress_row(const Matrix& x, const std::vector<Index>& columns,
                   const Eigen::Ref<const Vector>& y) {
  const auto k = static_cast<Index>(columns.size());
  if (k == 0) return {};
  stop_point(static_cast<double>(k * k * x.rows()));
  Matrix gram(k, k);
  Vector right(k);
  for (Index a = 0; a < k; ++a) {
    for (Index b = 0; b <= a; ++b)
      gram(a, b) = gram(b, a) = x.col(columns[at(a)]).dot(x.col(columns[at(b)]));
    right[a] = x.col(columns[at(a)]).dot(y);
  }
  const Vector size = gram.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  return size.asDiagonal() *
         solve_semidefinite(size.asDiagonal() * gram * size.asDiagonal(), size.cwiseProduct(right));
}

std::vector<std::pair<Index, Index>> entries_of_topology(const std::vector<NetworkNode>& nodes,
                                                         const std::vector<ChannelPair>& pairs) {
  std::vector<std::pair<Index, Index>> places;
  if (nodes.front().velocity != NetworkNode::none) {
    const Elements elements = elements_of_masses(pairs, nodes);
    const NetworkStructure shape(nodes, elements.list, true);
    const Vector ones = Vector::Ones(static_cast<Index>(nodes.size()));
    for (const auto& e : elements.list)
      for (const auto& entry : shape.element_entries(e, ones))
        places.emplace_back(entry.row, entry.col);
    return places;
  }
  for (const auto& [i, j] : pairs) {
    places.emplace_back(i, j);
    places.emplace_back(j, i);
  }
  for (Index i = 0; i < static_cast<Index>(nodes.size()); ++i) places.emplace_back(i, i);
  return places;
}

SparseStart start_from_entries(const SparsePattern& pattern, const Vector& values,
                               const std::vector<NetworkNode>& nodes,
                               const NetworkOptions& network) {
  const Entries entries{pattern, values};
  const Elements elements =
      nodes.front().velocity != NetworkNode::none
          ? elements_of_masses(network.rules.pattern, nodes)
          : elements_of_states(entries, network.rules.pattern, pattern.n, network.kinds);
  auto structure = std::make_shared<NetworkStructure>(nodes, elements.list, elements.storages);
  Vector theta = project(*structure, entries);
  return {std::move(structure), std::move(theta)};
}

SparseStart start_on_topology(const Dataset& data, bool mechanical, const NetworkOptions& network,
                              double width) {
  constexpr int order = 7;
  const auto nodes = network_nodes(data.channels(), network.kinds, mechanical);
  const Regression regression = weak_form(data, width, order);
  if (regression.states.cols() < 2)
    throw NotIdentified("no stretch of samples is dense enough for the integrals of the weak form",
                        "give longer runs, or smaller gaps");
  const Entries entries =
      regress_rows(regression, data.dimension(), entries_of_topology(nodes, network.rules.pattern));
  return start_from_entries(entries.pattern, entries.values, nodes, network);
}

}  // namespace lgn
