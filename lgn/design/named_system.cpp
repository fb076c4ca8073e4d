#include "lgn/design/named_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/design/network_rebuilding_internal.h"
#include "lgn/model/network_names.h"
#include "lgn/version.h"

namespace lgn {
namespace {

using Type = Network::Type;

/// Whether its value is part of the law: a coupling without error.
bool known_by_law(const Network::Element& element) {
  return element.type == Type::coupling && element.se == 0;
}

}  // namespace

NamedSystem::NamedSystem(const Model& model) : model_(model) {
  model.check_dense("a design");
  if (model.variation)
    throw Error("the generator of this model varies in time",
                "values can be designed of systems that do not");
  network_ = network_of_model(model);
  if (network_) {
    storage_of_node_.assign(network_->nodes.size(), -1);
    const std::vector<ElementName> names = element_names(*network_);
    for (std::size_t k = 0; k < names.size(); ++k) {
      const Network::Element& element = network_->elements[k];
      if (element.type == Type::storage) storage_of_node_[at(element.from)] = static_cast<Index>(k);
      values_.push_back(
          {names[k].symbol, names[k].quantity, names[k].value, known_by_law(element)});
      reciprocal_.push_back(names[k].reciprocal);
    }
  } else if (model.structure.starts_with("parametric:")) {
    law_ = find_law(model.structure.substr(std::string("parametric:").size()), model.dimension());
    for (const Constant& constant : law_->constants()) {
      const auto found =
          std::find_if(model.parameters.begin(), model.parameters.end(),
                       [&](const NamedValue& named) { return named.name == constant.name; });
      if (found == model.parameters.end() || found->value.size() != 1)
        throw Error("the model does not say what \"" + constant.name + "\" of its law is");
      values_.push_back({constant.name, "constant", found->value(0, 0)});
    }
  } else {
    throw Error(fmt::format("a model of structure \"{}\" has no named elements", model.structure),
                "identify the system with " + setting("structure", "network") +
                    " or a law, as in " + setting("structure", "parametric:rlc"));
  }
  // Rounding, and storages kept to few digits by hand; anything more is another system.
  constexpr double tolerance = 1e-6;
  const double gap = (generator(start()) - model.a).norm();
  if (!(gap <= tolerance * model.a.norm()))
    throw Error(
        fmt::format("the named values of the model do not make its A: they differ by {:.2g} "
                    "of its norm",
                    gap / model.a.norm()),
        "identify the system again");
}

Vector NamedSystem::start() const {
  Vector p(static_cast<Index>(values_.size()));
  for (std::size_t k = 0; k < values_.size(); ++k) p[static_cast<Index>(k)] = values_[k].value;
  return p;
}

double NamedSystem::element(const Vector& p, std::size_t k) const {
  const double value = p[static_cast<Index>(k)];
  return reciprocal_[k] ? 1 / value : value;
}

Vector NamedSystem::storages(const Vector& p) const {
  Vector m = Vector::Ones(static_cast<Index>(storage_of_node_.size()));
  for (std::size_t i = 0; i < storage_of_node_.size(); ++i)
    if (storage_of_node_[i] >= 0) m[static_cast<Index>(i)] = element(p, at(storage_of_node_[i]));
  return m;
}

Vector NamedSystem::storage_of_rows(const Vector& p) const {
  Vector rows = Vector::Ones(model_.dimension());
  if (!network_) return rows;
  const Vector m = storages(p);
  for (std::size_t i = 0; i < network_->nodes.size(); ++i) {
    const auto& node = network_->nodes[i];
    rows[network_->mechanical() ? node.velocity : node.state] = m[static_cast<Index>(i)];
  }
  return rows;
}

/// What an element of value one adds to the balances of its nodes.
std::vector<NamedSystem::Entry> NamedSystem::stencil(const Network::Element& element) const {
  const auto& from = network_->nodes[at(element.from)];
  const bool mechanical = network_->mechanical();
  const auto row = [&](const Network::Node& node) {
    return mechanical ? node.velocity : node.state;
  };
  const auto column = [&](const Network::Node& node) {
    return element.type == Type::damper ? node.velocity : node.state;
  };
  std::vector<Entry> entries;
  if (element.type == Type::storage) return entries;
  if (element.type == Type::coupling) {
    const auto& to = network_->nodes[at(element.to)];
    return {{row(from), to.state, 1}, {row(to), from.state, -1}};
  }
  entries.push_back({row(from), column(from), -1});
  if (element.to != Network::ground) {
    const auto& to = network_->nodes[at(element.to)];
    entries.push_back({row(from), column(to), 1});
    entries.push_back({row(to), column(to), -1});
    entries.push_back({row(to), column(from), 1});
  }
  return entries;
}

Matrix NamedSystem::generator(const Vector& p) const {
  if (law_) return law_->generator(p);
  Matrix a = Matrix::Zero(model_.dimension(), model_.dimension());
  for (std::size_t k = 0; k < values_.size(); ++k)
    for (const Entry& entry : stencil(network_->elements[k]))
      a(entry.row, entry.col) += entry.value * element(p, k);
  a = storage_of_rows(p).cwiseInverse().asDiagonal() * a;
  if (network_->mechanical())
    for (const auto& node : network_->nodes) a(node.state, node.velocity) = 1;
  return a;
}

std::vector<NamedSystem::Entry> NamedSystem::slope(const Vector& p, Index k) const {
  std::vector<Entry> entries;
  if (law_) {
    const Matrix d = law_->derivative(p, k);
    for (Index j = 0; j < d.cols(); ++j)
      for (Index i = 0; i < d.rows(); ++i)
        if (d(i, j) != 0) entries.push_back({i, j, d(i, j)});
    return entries;
  }
  const Network::Element& one = network_->elements[at(k)];
  const Vector rows = storage_of_rows(p);
  const double inner =
      reciprocal_[at(k)] ? -1 / (p[k] * p[k]) : 1.0;  // of the element by what it is called
  if (one.type != Type::storage) {
    for (const Entry& entry : stencil(one))
      entries.push_back({entry.row, entry.col, inner * entry.value / rows[entry.row]});
    return entries;
  }
  const auto& node = network_->nodes[at(one.from)];
  const Index row = network_->mechanical() ? node.velocity : node.state;
  for (std::size_t e = 0; e < values_.size(); ++e)
    for (const Entry& entry : stencil(network_->elements[e]))
      if (entry.row == row)
        entries.push_back(
            {row, entry.col, -inner * entry.value * element(p, e) / (rows[row] * rows[row])});
  return entries;
}

std::vector<NamedSystem::Entry> NamedSystem::storage_slope(const Vector& p, Index k) const {
  if (law_ || network_->elements[at(k)].type != Type::storage) return {};
  const auto& node = network_->nodes[at(network_->elements[at(k)].from)];
  const Index row = network_->mechanical() ? node.velocity : node.state;
  return {{row, 0, (reciprocal_[at(k)] ? -1 : 1) / p[k]}};
}

Vector NamedSystem::source(const std::string& name, const Vector& p) const {
  const Vector rows = storage_of_rows(p);
  for (std::size_t k = 0; k < model_.inputs.size(); ++k)
    if (model_.inputs[k] == name)
      return model_.drive.b.col(static_cast<Index>(k))
          .cwiseProduct(storage_of_rows(start()).cwiseQuotient(rows));
  const std::vector<std::string> states = model_.states();
  if (network_ && network_->mechanical()) {
    const auto numbered = element_names(*network_);
    for (std::size_t k = 0; k < numbered.size(); ++k)
      if (network_->elements[k].type == Type::storage) {
        const auto& node = network_->nodes[at(network_->elements[k].from)];
        if (name == "f" + numbered[k].symbol.substr(1) || name == node.name)
          return Vector::Unit(model_.dimension(), node.velocity) / rows[node.velocity];
      }
  }
  for (std::size_t k = 0; k < states.size(); ++k)
    if (states[k] == name)
      return Vector::Unit(model_.dimension(), static_cast<Index>(k)) / rows[static_cast<Index>(k)];
  throw Error("the model has no input \"" + name + "\"",
              network_ && network_->mechanical()
                  ? "name an input of the model, or f1 for a force on mass 1"
                  : "name an input of the model, or a channel for a source in its balance");
}

Index NamedSystem::output(const std::string& name) const {
  const auto found = std::find(model_.channels.begin(), model_.channels.end(), name);
  if (found == model_.channels.end())
    throw Error("the model has no channel \"" + name + "\"",
                fmt::format("its channels are {}", fmt::join(model_.channels, ", ")));
  return found - model_.channels.begin();
}

Matrix NamedSystem::observation() const {
  return model_.hidden() ? model_.c : Matrix::Identity(model_.dimension(), model_.dimension());
}

double NamedSystem::feedthrough(Index output, const std::string& source) const {
  for (std::size_t k = 0; k < model_.inputs.size(); ++k)
    if (model_.inputs[k] == source && model_.drive.d.size() > 0)
      return model_.drive.d(output, static_cast<Index>(k));
  return 0;
}

double NamedSystem::delay(const std::string& source) const {
  const bool own =
      std::find(model_.inputs.begin(), model_.inputs.end(), source) != model_.inputs.end();
  return own ? model_.drive.timing.delay : 0;
}

Index NamedSystem::find(const std::string& name) const {
  for (std::size_t k = 0; k < values_.size(); ++k)
    if (values_[k].name == name) return static_cast<Index>(k);
  if (!network_ || name.empty()) return -1;
  // k6 for k5-6, where that is the only spring of mass 6.
  Index found = -1;
  const std::string number = name.substr(1);
  for (std::size_t k = 0; k < values_.size(); ++k) {
    const std::string& full = values_[k].name;
    const auto dash = full.find('-');
    if (full[0] != name[0] || dash == std::string::npos) continue;
    if (full.substr(1, dash - 1) != number && full.substr(dash + 1) != number) continue;
    if (found >= 0) return -1;
    found = static_cast<Index>(k);
  }
  return found;
}

std::vector<NamedValue> NamedSystem::parameters(const Vector& p) const {
  std::vector<NamedValue> named = model_.parameters;
  const auto assign = [&](const std::string& name, const Matrix& value) {
    for (NamedValue& one : named)
      if (one.name == name && one.value.rows() == value.rows() && one.value.cols() == value.cols())
        one.value = value;
  };
  for (std::size_t k = 0; k < values_.size(); ++k)
    assign(values_[k].name, Matrix::Constant(1, 1, p[static_cast<Index>(k)]));
  if (!network_) return named;
  const Index nodes = static_cast<Index>(network_->nodes.size());
  const auto laplacian = [&](Type type) {
    Matrix result = Matrix::Zero(nodes, nodes);
    for (std::size_t k = 0; k < values_.size(); ++k) {
      const auto& one = network_->elements[k];
      if (one.type != type) continue;
      const double value = element(p, k);
      if (type == Type::coupling) {
        result(one.from, one.to) += value;
        result(one.to, one.from) -= value;
        continue;
      }
      result(one.from, one.from) += value;
      if (one.to == Network::ground) continue;
      result(one.to, one.to) += value;
      result(one.from, one.to) -= value;
      result(one.to, one.from) -= value;
    }
    return result;
  };
  if (network_->mechanical()) {
    assign("K", laplacian(Type::spring));
    assign("C", laplacian(Type::damper));
    assign("M", storages(p));
  } else {
    assign("S", laplacian(Type::coupling));
    assign("d", laplacian(Type::loss).diagonal());
    assign("exchange", laplacian(Type::exchange));
    assign("storage", storages(p));
  }
  return named;
}

Model NamedSystem::model(const Vector& p) const {
  Model made;
  made.version = version;
  made.structure = model_.structure;
  made.method = "design";
  made.channels = model_.channels;
  made.time_unit = model_.time_unit;
  made.a = generator(p);
  made.c = model_.c;
  made.inputs = model_.inputs;
  made.drive = model_.drive;
  if (made.drive.active())
    made.drive.b =
        storage_of_rows(start()).cwiseQuotient(storage_of_rows(p)).asDiagonal() * model_.drive.b;
  made.record = model_.record == "ambient" ? "free" : model_.record;
  made.starts = model_.starts;
  made.offset = model_.offset;
  made.parameters = parameters(p);
  if (model_.energy) made.energy = energy(p).value_or(*model_.energy);
  made.guarantee = model_.guarantee;
  made.guarantee.passive = false;
  made.modes = find_modes(made.a, made.guarantee, made.time_unit);
  if (made.hidden()) show_in_channels(made.modes, made.c);
  if (network_) {
    made.network = network_;
    for (std::size_t k = 0; k < values_.size(); ++k) {
      auto& one = made.network->elements[k];
      if (one.type == Type::coupling && one.se == 0) continue;
      one.value = element(p, k);
      one.se = one.evidence = Network::unknown;
    }
  }
  made.fit.converged = true;
  made.data = model_.data;
  return made;
}

}  // namespace lgn
