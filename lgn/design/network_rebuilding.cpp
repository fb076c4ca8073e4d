#include <cmath>

#include "lgn/data/channel_kinds.h"
#include "lgn/design/network_rebuilding_internal.h"

namespace lgn {
namespace {

using Type = Network::Type;

const Matrix* parameter(const Model& model, const std::string& name, Index rows, Index cols) {
  for (const NamedValue& named : model.parameters)
    if (named.name == name && named.value.rows() == rows && named.value.cols() == cols)
      return &named.value;
  return nullptr;
}

/// The elements of one type that a symmetric matrix, a Laplacian plus a diagonal, is the sum of.
void add_laplacian(Network& network, Type between, Type to_ground, const Matrix& m) {
  for (Index i = 0; i < m.rows(); ++i) {
    // Sums of a row that cancel but for rounding are no element.
    const double grounded = m.row(i).sum();
    if (std::abs(grounded) > 1e-12 * m.row(i).cwiseAbs().sum())
      network.elements.push_back({to_ground, i, Network::ground, grounded});
    for (Index j = i + 1; j < m.cols(); ++j)
      if (m(i, j) != 0) network.elements.push_back({between, i, j, -m(i, j)});
  }
}

std::optional<Network> mechanical(const Model& model) {
  if (model.hidden()) return {};
  const Index masses = model.dimension() / 2;
  const Matrix* m = parameter(model, "M", masses, 1);
  const Matrix* k = parameter(model, "K", masses, masses);
  const Matrix* c = parameter(model, "C", masses, masses);
  if (m == nullptr || k == nullptr || c == nullptr) return {};
  Network network;
  for (Index i = 0; i < masses; ++i) {
    network.nodes.push_back(
        {model.channels[static_cast<std::size_t>(i)], ChannelKind::position, i, masses + i});
    network.elements.push_back({Type::storage, i, Network::ground, (*m)(i, 0)});
  }
  add_laplacian(network, Type::spring, Type::spring, *k);
  add_laplacian(network, Type::damper, Type::damper, *c);
  return network;
}

Network of_channels(const Model& model) {
  Network network;
  const std::vector<ChannelKind> kinds = guess_kinds(model.channels);
  for (std::size_t i = 0; i < model.channels.size(); ++i)
    network.nodes.push_back({model.channels[i], kinds[i], static_cast<Index>(i)});
  return network;
}

std::optional<Network> of_states(const Model& model) {
  if (model.hidden()) return {};
  const Index n = model.dimension();
  const Matrix* s = parameter(model, "S", n, n);
  const Matrix* d = parameter(model, "d", n, 1);
  if (s == nullptr || d == nullptr) return {};
  Network network = of_channels(model);
  if (const Matrix* storage = parameter(model, "storage", n, 1))
    for (Index i = 0; i < n; ++i)
      network.elements.push_back({Type::storage, i, Network::ground, (*storage)(i, 0)});
  for (Index i = 0; i < n; ++i) {
    for (Index j = i + 1; j < n; ++j)
      if ((*s)(i, j) != 0) network.elements.push_back({Type::coupling, i, j, (*s)(i, j)});
    if ((*d)(i, 0) != 0) network.elements.push_back({Type::loss, i, Network::ground, (*d)(i, 0)});
  }
  if (const Matrix* exchange = parameter(model, "exchange", n, n))
    add_laplacian(network, Type::exchange, Type::loss, *exchange);
  return network;
}

/// v1, i1, v2, i2, …: C_k v̇_k = i_(k−1) − i_k, L_k i̇_k = v_k − v_(k+1) − R_k i_k.
std::optional<Network> ladder(const Model& model) {
  if (model.hidden()) return {};
  Network network;
  for (Index i = 0; i < model.dimension(); ++i) {
    const std::string number = std::to_string(i / 2 + 1);
    network.nodes.push_back({(i % 2 == 0 ? "v" : "i") + number,
                             i % 2 == 0 ? ChannelKind::voltage : ChannelKind::current, i});
    const Matrix* storage = parameter(model, (i % 2 == 0 ? "C" : "L") + number, 1, 1);
    if (storage == nullptr) return {};
    network.elements.push_back({Type::storage, i, Network::ground, (*storage)(0, 0)});
  }
  for (Index i = 1; i < model.dimension(); ++i)
    network.elements.push_back({Type::coupling, i - 1, i, -1, 0});
  for (Index i = 1; i < model.dimension(); i += 2) {
    const Matrix* r = parameter(model, "R" + std::to_string(i / 2 + 1), 1, 1);
    if (r == nullptr) return {};
    network.elements.push_back({Type::loss, i, Network::ground, (*r)(0, 0)});
  }
  return network;
}

}  // namespace

std::optional<Network> network_of_model(const Model& model) {
  if (model.network) return model.network;
  if (model.structure == "mechanical") return mechanical(model);
  if (model.structure == "network") return of_states(model);
  if (model.structure == "parametric:ladder") return ladder(model);
  return {};
}

}  // namespace lgn
