#include "lgn/dynamics/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

#include "lgn/core/constants_internal.h"
#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/dynamics/generator.h"
#include "lgn/dynamics/log_scale.h"
#include "lgn/dynamics/network_pattern.h"
#include "lgn/dynamics/triangle_internal.h"

namespace lgn {
namespace {

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
    case ElementType::stiffness:
      return "k";
    case ElementType::damper:
      return "c";
    default:
      return "m";
  }
}

}  // namespace

std::vector<NetworkNode> single_states(Index n) {
  std::vector<NetworkNode> nodes;
  for (Index i = 0; i < n; ++i) nodes.push_back({i});
  return nodes;
}

NetworkStructure::NetworkStructure(std::vector<NetworkNode> nodes,
                                   std::vector<NetworkElement> elements, bool storages)
    : NetworkStructure(std::move(nodes), std::move(elements), storages, nullptr) {}

NetworkStructure::NetworkStructure(std::vector<NetworkNode> nodes,
                                   std::vector<NetworkElement> elements, bool storages,
                                   const std::vector<char>* one)
    : nodes_(std::move(nodes)), elements_(std::move(elements)), storages_(storages) {
  n_ = static_cast<Index>(nodes_.size()) * (mechanical() ? 2 : 1);
  check();
  node_of_row_.assign(lgn::at(n_), ground);
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    node_of_row_[lgn::at(mechanical() ? nodes_[i].velocity : nodes_[i].state)] =
        static_cast<Index>(i);
  has_stiffness_ = std::any_of(elements_.begin(), elements_.end(),
                               [](const auto& e) { return e.type == ElementType::stiffness; });
  place_parameters(one);
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
  std::size_t held = 0;
  for (const auto& e : elements_) {
    using enum ElementType;
    const auto count = static_cast<Index>(nodes_.size());
    const bool of_masses = e.stiff() || e.type == damper;
    const bool pair = e.type == coupling || e.type == exchange;
    if (e.type == storage || of_masses != mechanical())
      throw Error(fmt::format("a {} network has no element \"{}\"", name(), letter(e.type)));
    if (e.from < 0 || e.from >= count || e.to < ground || e.to >= count || e.to == e.from ||
        (pair && e.to == ground) || (e.type == loss && e.to != ground))
      throw Error("an element of the network does not tie two nodes, or one to the ground");
    // A coupling and an exchange share a place, and so do a spring and a stiffness.
    const ElementType like = e.type == exchange ? coupling : e.type == stiffness ? spring : e.type;
    const int place = static_cast<int>(like);
    if (!seen.insert({place, std::min(e.from, e.to), std::max(e.from, e.to)}).second)
      throw Error("an element of the network is there twice");
    if (e.type == stiffness && e.to == ground) ++held;
    if (e.sign != 0 && (e.type != coupling || std::abs(e.sign) != 1 || !storages_))
      throw Error("only a coupling between storages can have a known size, 1 or −1");
  }
  const bool any = std::any_of(elements_.begin(), elements_.end(),
                               [](const auto& e) { return e.type == ElementType::stiffness; });
  if (any && held != nodes_.size())
    throw Error("where stiffnesses have either sign, every mass needs one to the ground");
}

void NetworkStructure::place_parameters(const std::vector<char>* one) {
  for (const auto& e : elements_) element_parameter_.push_back(e.sign != 0 ? fixed : parameters_++);
  storage_parameter_.assign(nodes_.size(), fixed);
  if (!storages_) return;
  if (one != nullptr) {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if ((*one)[i] == 0)
        storage_parameter_[i] = parameters_++;
      else
        relative_ = true;
    return;
  }
  // Node i + 1; 0 is what the laws of the field fix.
  std::vector<Index> part(nodes_.size() + 1);
  std::iota(part.begin(), part.end(), Index{0});
  const auto root = [&](Index i) {
    for (; part[lgn::at(i)] != i; i = part[lgn::at(i)])
      part[lgn::at(i)] = part[lgn::at(part[lgn::at(i)])];
    return i;
  };
  const auto join = [&](Index i, Index j) {
    const Index one = root(i), other = root(j);
    part[lgn::at(std::max(one, other))] = std::min(one, other);
  };
  for (const auto& e : elements_) {
    if (e.to != ground) join(e.from + 1, e.to + 1);
    if (e.sign != 0) join(e.from + 1, 0);
  }
  for (Index i = 1; i <= static_cast<Index>(nodes_.size()); ++i)
    if (root(i) != i)
      storage_parameter_[lgn::at(i - 1)] = parameters_++;
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
    if (const Index k = storage_parameter_[lgn::at(i)]; k != fixed) m[i] = from_log_scale(theta[k]);
  return m;
}

double NetworkStructure::element_value(const Vector& theta, std::size_t element) const {
  const NetworkElement& e = elements_[element];
  if (e.sign != 0) return e.sign;
  const double value = theta[element_parameter_[element]];
  return e.bounded() ? std::max(value, 0.0) : value;
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
    return e.type == damper ? nodes_[lgn::at(node)].velocity : nodes_[lgn::at(node)].state;
  };
  const auto row = [&](Index node) {
    return mechanical() ? nodes_[lgn::at(node)].velocity : nodes_[lgn::at(node)].state;
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
  for (auto& entry : entries) entry.value /= storages[node_of_row_[lgn::at(entry.row)]];
  return entries;
}

void NetworkStructure::add_elements(Matrix& a, const Vector& values) const {
  for (std::size_t e = 0; e < elements_.size(); ++e)
    for (const auto& [row, col, value] : stencil(elements_[e]))
      a(row, col) += value * values[static_cast<Index>(e)];
}

double NetworkStructure::along(const NetworkElement& element, const Vector& mode) {
  const double stretch = mode[element.from] - (element.to == ground ? 0.0 : mode[element.to]);
  return stretch * stretch;
}

NetworkStructure::Support NetworkStructure::support(const Vector& values) const {
  if (!has_stiffness_) return {};
  const SymmetricEigen eigen = symmetric_eigen(node_matrix(ElementType::spring, values));
  if (!(eigen.values[0] < 0)) return {};
  return {-eigen.values[0], eigen.vectors.col(0)};
}

Matrix NetworkStructure::generator(const Vector& theta) const {
  Matrix a = Matrix::Zero(n_, n_);
  const Vector values = element_values(theta);
  add_elements(a, values);
  if (const double more = support(values).amount; more > 0)
    for (const auto& node : nodes_) a(node.velocity, node.state) -= more;
  const Vector m = storages(theta);
  for (Index r = 0; r < n_; ++r)
    if (node_of_row_[lgn::at(r)] != ground) a.row(r) /= m[node_of_row_[lgn::at(r)]];
  if (mechanical())
    for (const auto& node : nodes_) a(node.state, node.velocity) = 1;
  return a;
}

Matrix NetworkStructure::pushforward(const Vector& theta, const Vector& delta) const {
  Matrix a = Matrix::Zero(n_, n_), moved = Matrix::Zero(n_, n_);
  const Vector values = element_values(theta);
  add_elements(a, values);
  Vector change(static_cast<Index>(elements_.size()));
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const Index k = element_parameter_[e];
    const bool still = k == fixed || (elements_[e].bounded() && theta[k] < 0);
    change[static_cast<Index>(e)] = still ? 0.0 : delta[k];
  }
  add_elements(moved, change);
  if (const auto [amount, mode] = support(values); amount > 0) {
    double more = 0;
    for (std::size_t e = 0; e < elements_.size(); ++e)
      if (elements_[e].stiff()) more -= change[static_cast<Index>(e)] * along(elements_[e], mode);
    for (const auto& node : nodes_) {
      a(node.velocity, node.state) -= amount;
      moved(node.velocity, node.state) -= more;
    }
  }
  const Vector m = storages(theta);
  for (Index r = 0; r < n_; ++r) {
    const Index node = node_of_row_[lgn::at(r)];
    if (node == ground) continue;
    const Index k = storage_parameter_[lgn::at(node)];
    if (k != fixed && std::abs(theta[k]) <= largest_log_scale) moved.row(r) -= delta[k] * a.row(r);
    moved.row(r) /= m[node];
  }
  return moved;
}

Vector NetworkStructure::pullback(const Vector& theta, const Matrix& g) const {
  Vector result = Vector::Zero(parameters_);
  const Vector values = element_values(theta), m = storages(theta);
  const auto [amount, mode] = support(values);
  double for_support = 0;  // ∂/∂amount
  for (std::size_t i = 0; i < nodes_.size() && amount > 0; ++i) {
    const double pulled = -g(nodes_[i].velocity, nodes_[i].state) / m[static_cast<Index>(i)];
    for_support += pulled;
    const Index storage = storage_parameter_[i];
    if (storage != fixed && std::abs(theta[storage]) <= largest_log_scale)
      result[storage] -= pulled * amount;
  }
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const Index k = element_parameter_[e];
    const bool still = k == fixed || (elements_[e].bounded() && theta[k] < 0);
    for (const auto& [row, col, value] : stencil(elements_[e])) {
      const Index node = node_of_row_[lgn::at(row)];
      const double pulled = value * g(row, col) / m[node];
      if (!still) result[k] += pulled;
      const Index storage = storage_parameter_[lgn::at(node)];
      if (storage != fixed && std::abs(theta[storage]) <= largest_log_scale)
        result[storage] -= pulled * values[static_cast<Index>(e)];
    }
    if (amount > 0 && !still && elements_[e].stiff())
      result[k] -= for_support * along(elements_[e], mode);
  }
  return result;
}

std::unique_ptr<const Generator> NetworkStructure::at(const Vector& theta) const {
  if (has_stiffness_) return ConstantStructure::at(theta);
  return std::make_unique<SparseGenerator>(std::make_shared<NetworkPattern>(*this), theta);
}

Vector NetworkStructure::lower_bounds() const {
  Vector bounds = ConstantStructure::lower_bounds();
  for (std::size_t e = 0; e < elements_.size(); ++e)
    if (elements_[e].bounded()) bounds[element_parameter_[e]] = 0;
  return bounds;
}

Vector NetworkStructure::random_start(Random& random) const {
  Vector theta = start_spread * random.normals(parameters_);
  for (std::size_t e = 0; e < elements_.size(); ++e)
    if (elements_[e].bounded()) theta[element_parameter_[e]] = start_spread;
  return theta;
}

Matrix NetworkStructure::node_matrix(ElementType type, const Vector& values) const {
  const auto count = static_cast<Index>(nodes_.size());
  Matrix sum = Matrix::Zero(count, count);
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const auto& [kind, i, j, sign] = elements_[e];
    if (kind != type && !(type == ElementType::spring && elements_[e].stiff())) continue;
    const double value = values[static_cast<Index>(e)];
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
}

std::vector<NamedValue> NetworkStructure::named_values(const Vector& theta) const {
  using Shape = NamedValue::Shape;
  const Vector values = element_values(theta);
  const NamedValue storage{mechanical() ? "M" : "storage", storages(theta), Shape::vector};
  if (mechanical()) {
    Matrix k = node_matrix(ElementType::spring, values);
    k.diagonal().array() += support(values).amount;
    return {storage, {"K", std::move(k)}, {"C", node_matrix(ElementType::damper, values)}};
  }
  std::vector<NamedValue> named{
      {"S", node_matrix(ElementType::coupling, values)},
      {"d", Vector(node_matrix(ElementType::loss, values).diagonal()), Shape::vector}};
  if (std::any_of(elements_.begin(), elements_.end(),
                  [](const auto& e) { return e.type == ElementType::exchange; }))
    named.push_back({"exchange", node_matrix(ElementType::exchange, values)});
  if (storages_) named.push_back(storage);
  return named;
}

std::optional<Matrix> NetworkStructure::energy(const Vector& theta) const {
  Matrix q = Matrix::Zero(n_, n_);
  const Vector m = storages(theta);
  for (Index r = 0; r < n_; ++r)
    if (node_of_row_[lgn::at(r)] != ground) q(r, r) = m[node_of_row_[lgn::at(r)]];
  if (!mechanical()) return q;
  const Vector values = element_values(theta);
  Matrix k = node_matrix(ElementType::spring, values);
  k.diagonal().array() += support(values).amount;
  for (Index j = 0; j < k.cols(); ++j)
    for (Index i = 0; i < k.rows(); ++i)
      q(nodes_[lgn::at(i)].state, nodes_[lgn::at(j)].state) = k(i, j);
  return q;
}

Vector NetworkStructure::typical_parameters(const Vector& channel_sizes) const {
  Vector typical = Vector::Ones(parameters_);
  if (!storages_) return typical;
  // Energies of order one: m ~ 1/size², and elements carry as much as their nodes store.
  const auto storage = [&](Index node) {
    const NetworkNode& of = nodes_[lgn::at(node)];
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
