#include <algorithm>
#include <cmath>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"
#include "lgn/design/named_system.h"

namespace lgn {
namespace {

using Type = Network::Type;

}  // namespace

std::vector<NamedSystem::Entry> NamedSystem::energy_slope(const Vector& p, Index k) const {
  std::vector<Entry> entries;
  if (law_) {
    const double h = 1e-4 * (p[k] != 0 ? std::abs(p[k]) : 1.0);
    Vector up = p, down = p;
    up[k] += h;
    down[k] -= h;
    const Matrix slope = (*law_->energy(up) - *law_->energy(down)) / (up[k] - down[k]);
    for (Index j = 0; j < slope.cols(); ++j)
      for (Index i = 0; i < slope.rows(); ++i)
        if (slope(i, j) != 0) entries.push_back({i, j, slope(i, j)});
    return entries;
  }
  const auto& one = network_->elements[at(k)];
  const double inner = reciprocal_[at(k)] ? -1 / (p[k] * p[k]) : 1.0;
  const auto& from = network_->nodes[at(one.from)];
  if (one.type == Type::storage) {
    const Index row = network_->mechanical() ? from.velocity : from.state;
    entries.push_back({row, row, inner});
  } else if (one.type == Type::spring) {
    entries.push_back({from.state, from.state, inner});
    if (one.to == Network::ground) return entries;
    const Index j = network_->nodes[at(one.to)].state;
    entries.push_back({j, j, inner});
    entries.push_back({from.state, j, -inner});
    entries.push_back({j, from.state, -inner});
  }
  return entries;
}

std::optional<Matrix> NamedSystem::energy(const Vector& p) const {
  if (law_) return law_->energy(p);
  Matrix q = Matrix(storage_of_rows(p).asDiagonal());
  if (!network_->mechanical()) return q;
  for (const auto& node : network_->nodes) q(node.state, node.state) = 0;
  // Springs enter as they are: the energy is linear in them.
  for (std::size_t k = 0; k < values_.size(); ++k)
    if (network_->elements[k].type == Type::spring)
      for (const Entry& entry : energy_slope(p, static_cast<Index>(k)))
        q(entry.row, entry.col) += entry.value * p[static_cast<Index>(k)];
  return q;
}

Matrix NamedSystem::initial_states(const std::string& state) const {
  const Index n = model_.dimension();
  if (!state.empty()) {
    const std::vector<std::string> names = model_.states();
    return Vector::Unit(n, std::find(names.begin(), names.end(), state) - names.begin());
  }
  // Where channels are states, initial states are as channels show them, offset included.
  Matrix starts = model_.starts;
  if (!model_.hidden() && model_.offset.size() > 0) starts.colwise() -= model_.offset;
  return starts;
}

void NamedSystem::check_energy(const std::string& state) const {
  const std::optional<Matrix> q = energy(start());
  if (!q) throw Error("no energy is known of this law", "use a target about tau or zeta instead");
  const Matrix starts = initial_states(state);
  for (Index run = 0; run < starts.cols(); ++run)
    if (starts.col(run).dot(*q * starts.col(run)) > 0) return;
  throw Error("the model's initial states hold no energy that could be lost",
              "name a state to start from, as in lost(10, " + model_.states().front() + ")");
}

}  // namespace lgn
