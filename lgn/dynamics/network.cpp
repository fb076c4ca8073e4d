#include "lgn/dynamics/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

#include "lgn/core/error.h"
#include "lgn/core/nonnegative_least_squares.h"
#include "lgn/dynamics/log_scale.h"

namespace lgn {
namespace {

constexpr double start_spread = 0.1;  ///< as in SdStructure
constexpr Index ground = NetworkElement::ground;

const char* letter(ElementType type) {
  switch (type) {
    case ElementType::coupling:
      return "s";
    case ElementType::exchange:
      return "g";
    case ElementType::loss:
      return "d";
    case ElementType::spring:
      return "k";
    case ElementType::damper:
      return "c";
    default:
      return "m";
  }
}

bool bounded(const NetworkElement& element) { return element.type != ElementType::coupling; }

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

std::vector<NetworkNode> single_states(Index n) {
  std::vector<NetworkNode> nodes;
  for (Index i = 0; i < n; ++i) nodes.push_back({i});
  return nodes;
}

NetworkStructure::NetworkStructure(std::vector<NetworkNode> nodes,
                                   std::vector<NetworkElement> elements, bool storages)
    : nodes_(std::move(nodes)), elements_(std::move(elements)), storages_(storages) {
  n_ = static_cast<Index>(nodes_.size()) * (mechanical() ? 2 : 1);
  check();
  node_of_row_.assign(at(n_), ground);
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    node_of_row_[at(mechanical() ? nodes_[i].velocity : nodes_[i].state)] = static_cast<Index>(i);
  place_parameters();
}

void NetworkStructure::check() const {
  std::set<Index> states;
  for (const auto& node : nodes_) {
    if ((node.velocity != NetworkNode::none) != mechanical())
      throw Error("a network has masses, or single states, but not both");
    states.insert(node.state);
    if (mechanical()) states.insert(node.velocity);
  }
  if (nodes_.empty() || static_cast<Index>(states.size()) != n_ || *states.begin() != 0 ||
      *states.rbegin() != n_ - 1)
    throw Error("every state must be in one node of the network");
  std::set<std::tuple<int, Index, Index>> seen;
  for (const auto& e : elements_) {
    using enum ElementType;
    const auto count = static_cast<Index>(nodes_.size());
    const bool of_masses = e.type == spring || e.type == damper;
    const bool pair = e.type == coupling || e.type == exchange;
    if (e.type == storage || of_masses != mechanical())
      throw Error(fmt::format("a {} network has no element \"{}\"", name(), letter(e.type)));
    if (e.from < 0 || e.from >= count || e.to < ground || e.to >= count || e.to == e.from ||
        (pair && e.to == ground) || (e.type == loss && e.to != ground))
      throw Error("an element of the network does not tie two nodes, or one to the ground");
    // A coupling and an exchange share a place.
    const int place = e.type == exchange ? static_cast<int>(coupling) : static_cast<int>(e.type);
    if (!seen.insert({place, std::min(e.from, e.to), std::max(e.from, e.to)}).second)
      throw Error("an element of the network is there twice");
    if (e.sign != 0 && (e.type != coupling || std::abs(e.sign) != 1 || !storages_))
      throw Error("only a coupling between storages can have a known size, 1 or −1");
  }
}

void NetworkStructure::place_parameters() {
  for (const auto& e : elements_) element_parameter_.push_back(e.sign != 0 ? fixed : parameters_++);
  storage_parameter_.assign(nodes_.size(), fixed);
  if (!storages_) return;
  // Node i + 1; 0 is what the laws of the field fix.
  std::vector<Index> part(nodes_.size() + 1);
  std::iota(part.begin(), part.end(), Index{0});
  const auto root = [&](Index i) {
    while (part[at(i)] != i) i = part[at(i)];
    return i;
  };
  const auto join = [&](Index i, Index j) {
    const Index one = root(i), other = root(j);
    part[at(std::max(one, other))] = std::min(one, other);
  };
  for (const auto& e : elements_) {
    if (e.to != ground) join(e.from + 1, e.to + 1);
    if (e.sign != 0) join(e.from + 1, 0);
  }
  for (Index i = 1; i <= static_cast<Index>(nodes_.size()); ++i)
    if (root(i) != i)
      storage_parameter_[at(i - 1)] = parameters_++;
    else
      relative_ = true;
}

Guarantee NetworkStructure::guarantee() const {
  using enum ElementType;
  const bool loses = std::any_of(elements_.begin(), elements_.end(), [](const auto& e) {
    return e.type == loss || e.type == exchange || e.type == damper;
  });
  return {true, true, !loses};
}

std::vector<std::string> NetworkStructure::parameter_names() const {
  std::vector<std::string> names;
  for (const auto& e : elements_) {
    if (e.sign != 0) continue;
    const std::string to = e.to == ground ? "" : fmt::format("-{}", e.to + 1);
    names.push_back(fmt::format("{}{}{}", letter(e.type), e.from + 1, to));
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (storage_parameter_[i] != fixed) names.push_back(fmt::format("log_m{}", i + 1));
  return names;
}

Vector NetworkStructure::storages(const Vector& theta) const {
  Vector m = Vector::Ones(static_cast<Index>(nodes_.size()));
  for (Index i = 0; i < m.size(); ++i)
    if (const Index k = storage_parameter_[at(i)]; k != fixed) m[i] = from_log_scale(theta[k]);
  return m;
}

double NetworkStructure::element_value(const Vector& theta, std::size_t element) const {
  const NetworkElement& e = elements_[element];
  if (e.sign != 0) return e.sign;
  const double value = theta[element_parameter_[element]];
  return bounded(e) ? std::max(value, 0.0) : value;
}

Vector NetworkStructure::element_values(const Vector& theta) const {
  Vector values(static_cast<Index>(elements_.size()));
  for (std::size_t e = 0; e < elements_.size(); ++e)
    values[static_cast<Index>(e)] = element_value(theta, e);
  return values;
}

std::vector<NetworkStructure::Entry> NetworkStructure::stencil(const NetworkElement& e) const {
  using enum ElementType;
  const auto column = [&](Index node) {
    return e.type == damper ? nodes_[at(node)].velocity : nodes_[at(node)].state;
  };
  const auto row = [&](Index node) {
    return mechanical() ? nodes_[at(node)].velocity : nodes_[at(node)].state;
  };
  const Index i = e.from, j = e.to;
  if (e.type == coupling) return {{row(i), column(j), 1}, {row(j), column(i), -1}};
  if (j == ground) return {{row(i), column(i), -1}};
  return {{row(i), column(i), -1},
          {row(i), column(j), 1},
          {row(j), column(i), 1},
          {row(j), column(j), -1}};
}

std::vector<NetworkStructure::Entry> NetworkStructure::element_entries(
    const NetworkElement& element, const Vector& storages) const {
  auto entries = stencil(element);
  for (auto& entry : entries) entry.value /= storages[node_of_row_[at(entry.row)]];
  return entries;
}

void NetworkStructure::add_elements(Matrix& a, const Vector& values) const {
  for (std::size_t e = 0; e < elements_.size(); ++e)
    for (const auto& [row, col, value] : stencil(elements_[e]))
      a(row, col) += value * values[static_cast<Index>(e)];
}

Matrix NetworkStructure::generator(const Vector& theta) const {
  Matrix a = Matrix::Zero(n_, n_);
  add_elements(a, element_values(theta));
  const Vector m = storages(theta);
  for (Index r = 0; r < n_; ++r)
    if (node_of_row_[at(r)] != ground) a.row(r) /= m[node_of_row_[at(r)]];
  if (mechanical())
    for (const auto& node : nodes_) a(node.state, node.velocity) = 1;
  return a;
}

Matrix NetworkStructure::pushforward(const Vector& theta, const Vector& delta) const {
  Matrix a = Matrix::Zero(n_, n_), moved = Matrix::Zero(n_, n_);
  add_elements(a, element_values(theta));
  Vector change(static_cast<Index>(elements_.size()));
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const Index k = element_parameter_[e];
    const bool still = k == fixed || (bounded(elements_[e]) && theta[k] < 0);
    change[static_cast<Index>(e)] = still ? 0.0 : delta[k];
  }
  add_elements(moved, change);
  const Vector m = storages(theta);
  for (Index r = 0; r < n_; ++r) {
    const Index node = node_of_row_[at(r)];
    if (node == ground) continue;
    const Index k = storage_parameter_[at(node)];
    if (k != fixed && std::abs(theta[k]) <= largest_log_scale) moved.row(r) -= delta[k] * a.row(r);
    moved.row(r) /= m[node];
  }
  return moved;
}

Vector NetworkStructure::pullback(const Vector& theta, const Matrix& g) const {
  Vector result = Vector::Zero(parameters_);
  const Vector values = element_values(theta), m = storages(theta);
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const Index k = element_parameter_[e];
    const bool still = k == fixed || (bounded(elements_[e]) && theta[k] < 0);
    for (const auto& [row, col, value] : stencil(elements_[e])) {
      const Index node = node_of_row_[at(row)];
      const double pulled = value * g(row, col) / m[node];
      if (!still) result[k] += pulled;
      const Index storage = storage_parameter_[at(node)];
      if (storage != fixed && std::abs(theta[storage]) <= largest_log_scale)
        result[storage] -= pulled * values[static_cast<Index>(e)];
    }
  }
  return result;
}

Vector NetworkStructure::project_storages(const Matrix& a) const {
  const auto nodes = static_cast<Index>(nodes_.size());
  if (!storages_) return Vector::Ones(nodes);
  std::vector<LogTie> ties;
  for (const auto& e : elements_) {
    if (e.to == ground) continue;
    // The two entries off the diagonal.
    const auto entries = stencil(e);
    const bool coupling = e.type == ElementType::coupling;
    const Entry &forth = entries[coupling ? 0 : 1], &back = entries[coupling ? 1 : 2];
    const double up = forth.value * a(forth.row, forth.col);
    const double down = back.value * a(back.row, back.col);
    if (e.sign != 0) {
      if (e.sign * up > 0)
        ties.push_back({e.from, LogTie::nothing, -std::log(e.sign * up), std::abs(up)});
      if (e.sign * down > 0)
        ties.push_back({e.to, LogTie::nothing, -std::log(e.sign * down), std::abs(down)});
    } else if ((up > 0 && down > 0) || (coupling && up < 0 && down < 0)) {
      const double forth_size = std::abs(up), back_size = std::abs(down);
      ties.push_back({e.from, e.to, std::log(back_size) - std::log(forth_size),
                      std::sqrt(forth_size) * std::sqrt(back_size)});
    }
  }
  Vector logs = solve_ties(nodes, ties);
  for (Index i = 0; i < nodes; ++i)
    if (storage_parameter_[at(i)] == fixed) logs[i] = 0;
  return logs.array().exp();
}

Vector NetworkStructure::project(const Matrix& a) const {
  Vector theta = Vector::Zero(parameters_);
  const Vector m = project_storages(a);
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (storage_parameter_[i] != fixed)
      theta[storage_parameter_[i]] = std::log(m[static_cast<Index>(i)]);
  // Couplings share no entry with one another or with the rest.
  std::vector<std::size_t> rest;
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    if (bounded(elements_[e])) rest.push_back(e);
    if (bounded(elements_[e]) || element_parameter_[e] == fixed) continue;
    double product = 0, square = 0;
    for (const auto& [row, col, value] : element_entries(elements_[e], m)) {
      product += value * a(row, col);
      square += value * value;
    }
    theta[element_parameter_[e]] = product / square;
  }
  if (rest.empty()) return theta;
  // One equation for each entry that the others touch.
  std::vector<Index> equation(at(n_ * n_), -1);
  std::vector<double> right;
  for (const std::size_t e : rest)
    for (const auto& entry : stencil(elements_[e]))
      if (Index& k = equation[at(entry.row * n_ + entry.col)]; k < 0) {
        k = static_cast<Index>(right.size());
        right.push_back(a(entry.row, entry.col));
      }
  const auto unknowns = static_cast<Index>(rest.size());
  Matrix rows = Matrix::Zero(static_cast<Index>(right.size()), unknowns);
  for (Index q = 0; q < unknowns; ++q)
    for (const auto& [row, col, value] : element_entries(elements_[rest[at(q)]], m))
      rows(equation[at(row * n_ + col)], q) = value;
  const Eigen::Map<const Vector> target(right.data(), rows.rows());
  // Rows of light nodes are large: columns of size one keep the least squares well scaled.
  const Vector size = rows.colwise().norm();
  rows = (rows * size.cwiseInverse().asDiagonal()).eval();
  Vector values = rows.householderQr().solve(target);
  if ((values.array() < 0).any()) values = nonnegative_least_squares(rows, target);
  for (Index q = 0; q < unknowns; ++q) theta[element_parameter_[rest[at(q)]]] = values[q] / size[q];
  return theta;
}

Vector NetworkStructure::lower_bounds() const {
  Vector bounds = Structure::lower_bounds();
  for (std::size_t e = 0; e < elements_.size(); ++e)
    if (bounded(elements_[e])) bounds[element_parameter_[e]] = 0;
  return bounds;
}

Vector NetworkStructure::random_start(Random& random) const {
  Vector theta = start_spread * random.normals(parameters_);
  for (std::size_t e = 0; e < elements_.size(); ++e)
    if (bounded(elements_[e])) theta[element_parameter_[e]] = start_spread;
  return theta;
}

std::vector<NamedValue> NetworkStructure::named_values(const Vector& theta) const {
  using Shape = NamedValue::Shape;
  const auto count = static_cast<Index>(nodes_.size());
  const auto sum_of = [&](ElementType type) {
    Matrix sum = Matrix::Zero(count, count);
    for (std::size_t e = 0; e < elements_.size(); ++e) {
      const auto& [kind, i, j, sign] = elements_[e];
      if (kind != type) continue;
      const double value = element_value(theta, e);
      if (kind == ElementType::coupling) {
        sum(i, j) = value;
        sum(j, i) = -value;
        continue;
      }
      sum(i, i) += value;
      if (j == ground) continue;
      sum(j, j) += value;
      sum(i, j) = sum(j, i) = -value;
    }
    return sum;
  };
  const NamedValue storage{mechanical() ? "M" : "storage", storages(theta), Shape::vector};
  if (mechanical())
    return {storage, {"K", sum_of(ElementType::spring)}, {"C", sum_of(ElementType::damper)}};
  std::vector<NamedValue> named{{"S", sum_of(ElementType::coupling)},
                                {"d", Vector(sum_of(ElementType::loss).diagonal()), Shape::vector}};
  if (std::any_of(elements_.begin(), elements_.end(),
                  [](const auto& e) { return e.type == ElementType::exchange; }))
    named.push_back({"exchange", sum_of(ElementType::exchange)});
  if (storages_) named.push_back(storage);
  return named;
}

std::optional<Matrix> NetworkStructure::energy(const Vector& theta) const {
  Matrix q = Matrix::Zero(n_, n_);
  const Vector m = storages(theta);
  for (Index r = 0; r < n_; ++r)
    if (node_of_row_[at(r)] != ground) q(r, r) = m[node_of_row_[at(r)]];
  if (!mechanical()) return q;
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const auto& [type, i, j, sign] = elements_[e];
    if (type != ElementType::spring) continue;
    const double value = element_value(theta, e);
    const Index one = nodes_[at(i)].state, other = j == ground ? one : nodes_[at(j)].state;
    q(one, one) += value;
    if (j == ground) continue;
    q(other, other) += value;
    q(one, other) -= value;
    q(other, one) -= value;
  }
  return q;
}

Vector NetworkStructure::typical_parameters(const Vector& channel_sizes) const {
  Vector typical = Vector::Ones(parameters_);
  if (!storages_) return typical;
  // Energies of order one: m ~ 1/size², and elements carry as much as their nodes store.
  const auto storage = [&](Index node) {
    const NetworkNode& of = nodes_[at(node)];
    const double size = channel_sizes[mechanical() ? of.velocity : of.state];
    return std::pow(channel_sizes[nodes_[0].state] / size, 2);
  };
  for (std::size_t e = 0; e < elements_.size(); ++e)
    if (const Index k = element_parameter_[e]; k != fixed)
      typical[k] =
          std::sqrt(storage(elements_[e].from) *
                    storage(elements_[e].to == ground ? elements_[e].from : elements_[e].to));
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (const Index k = storage_parameter_[i]; k != fixed)
      typical[k] = std::max(1.0, std::abs(std::log(storage(static_cast<Index>(i)))));
  return typical;
}

}  // namespace lgn
