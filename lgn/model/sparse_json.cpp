#include "lgn/model/sparse_json_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"
#include "lgn/model/network_names.h"

namespace lgn {
namespace {

constexpr std::array all_types{ElementType::coupling, ElementType::exchange, ElementType::loss,
                               ElementType::spring, ElementType::damper};

/// Structure, θ and its errors from the field "network".
ModelSparse read_network(const JsonReader& in) {
  ModelSparse model;
  std::vector<NetworkNode> nodes;
  const auto states = in.get<std::vector<Index>>("states", "a list of states");
  const bool masses = !in.raw("velocities").is_null();
  const auto velocities =
      masses ? in.get<std::vector<Index>>("velocities", "a list of states") : states;
  if (velocities.size() != states.size()) in.fail("field \"velocities\" has another length");
  for (std::size_t i = 0; i < states.size(); ++i)
    nodes.push_back(masses ? NetworkNode{states[i], velocities[i]} : NetworkNode{states[i]});
  const JsonReader list = in.object("elements");
  const auto types = list.get<std::vector<std::string>>("type", "a list of names");
  const auto from = list.get<std::vector<Index>>("from", "a list of nodes");
  const auto count = static_cast<Index>(types.size());
  const Vector to = list.numbers("to", count), values = list.finite_numbers("value", count),
               errors = list.numbers("se", count), signs = list.finite_numbers("known_sign", count);
  if (from.size() != types.size()) list.fail("field \"from\" has another length");
  std::vector<NetworkElement> elements;
  for (std::size_t e = 0; e < types.size(); ++e) {
    const auto type = std::find_if(all_types.begin(), all_types.end(),
                                   [&](ElementType one) { return name_of(one) == types[e]; });
    if (type == all_types.end()) list.fail(fmt::format("there is no element \"{}\"", types[e]));
    const double other = to[static_cast<Index>(e)];
    const Index second =
        std::isnan(other) ? NetworkElement::ground : static_cast<Index>(std::llround(other));
    elements.push_back({*type, from[e], second, signs[static_cast<Index>(e)]});
  }
  const bool storages = !in.raw("storages").is_null();
  try {
    model.structure = std::make_shared<NetworkStructure>(nodes, elements, storages);
  } catch (const Error& error) {
    in.fail("field \"network\": " + error.problem());
  }
  const NetworkStructure& network = *model.structure;
  model.theta = Vector::Zero(network.parameters());
  model.errors = Vector::Constant(network.parameters(), std::nan(""));
  for (std::size_t e = 0; e < types.size(); ++e)
    if (const Index k = network.parameter_of_element(e); k != NetworkStructure::fixed) {
      model.theta[k] = values[static_cast<Index>(e)];
      model.errors[k] = errors[static_cast<Index>(e)];
    }
  if (storages) {
    const Vector m = in.finite_numbers("storages", static_cast<Index>(nodes.size())),
                 se = in.numbers("storages_se", m.size());
    if (!(m.array() > 0).all()) in.fail("field \"network.storages\" has one that is not positive");
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (const Index k = network.parameter_of_storage(i); k != NetworkStructure::fixed) {
        model.theta[k] = std::log(m[static_cast<Index>(i)]);
        model.errors[k] = se[static_cast<Index>(i)] / m[static_cast<Index>(i)];
      }
  }
  if (model.errors.array().isNaN().all()) model.errors.resize(0);
  return model;
}

/// A of the file must be that of its network.
void check_entries(const JsonReader& in, const SparseGenerator& a) {
  const SparsePattern& pattern = a.places();
  const auto rows = in.get<std::vector<Index>>("rows", "a list of rows");
  const auto columns = in.get<std::vector<Index>>("cols", "a list of columns");
  const Vector entries = in.finite_numbers("values", static_cast<Index>(rows.size()));
  if (columns.size() != rows.size() || in.whole("n") != a.dimension())
    in.fail("field \"A\" has lists of different lengths, or another size than the network");
  Vector left = a.values();
  const double size = left.cwiseAbs().maxCoeff();
  for (std::size_t e = 0; e < rows.size(); ++e) {
    const bool inside =
        rows[e] >= 0 && columns[e] >= 0 && rows[e] < a.dimension() && columns[e] < a.dimension();
    const Index entry = inside ? pattern.find(rows[e], columns[e]) : left.size();
    if (entry >= left.size() || pattern.column[at(entry)] != columns[e])
      in.fail("field \"A\" has an entry where the network has no element");
    left[entry] -= entries[static_cast<Index>(e)];
  }
  // Logarithms and exponentials of storages round.
  if (!(left.cwiseAbs().maxCoeff() <= 1e-9 * size))
    in.fail("field \"A\" is not the generator of the network");
}

}  // namespace

Json sparse_to_json(const ModelSparse& model) {
  const SparseGenerator a = model.generator();
  const SparsePattern& pattern = a.places();
  const Vector& values = a.values();
  Json rows = Json::array(), columns = Json::array(), entries = Json::array();
  for (Index i = 0; i < pattern.n; ++i)
    for (Index e = pattern.start[at(i)]; e < pattern.start[at(i) + 1]; ++e) {
      if (values[e] == 0) continue;
      rows.push_back(i);
      columns.push_back(pattern.column[at(e)]);
      entries.push_back(values[e]);
    }
  return {{"n", pattern.n}, {"rows", rows}, {"cols", columns}, {"values", entries}};
}

Json sparse_network_to_json(const ModelSparse& model) {
  const NetworkStructure& network = *model.structure;
  Json states = Json::array(), velocities = Json::array();
  for (const NetworkNode& node : network.nodes()) {
    states.push_back(node.state);
    if (network.mechanical()) velocities.push_back(node.velocity);
  }
  const bool known = model.errors.size() > 0;
  const auto error = [&](Index parameter, double slope) -> Json {
    if (parameter == NetworkStructure::fixed) return 0.0;
    return known ? json_number(slope * model.errors[parameter]) : Json(nullptr);
  };
  Json storages = nullptr, storage_errors = nullptr;
  if (network.has_storages()) {
    const Vector m = network.storages(model.theta);
    storages = json_vector(m);
    storage_errors = Json::array();
    for (Index i = 0; i < m.size(); ++i)
      storage_errors.push_back(error(network.parameter_of_storage(at(i)), m[i]));
  }
  Json types = Json::array(), from = Json::array(), to = Json::array(), values = Json::array(),
       errors = Json::array(), signs = Json::array();
  for (std::size_t e = 0; e < network.elements().size(); ++e) {
    const NetworkElement& element = network.elements()[e];
    types.push_back(name_of(element.type));
    from.push_back(element.from);
    to.push_back(element.to == NetworkElement::ground ? Json(nullptr) : Json(element.to));
    values.push_back(network.element_value(model.theta, e));
    errors.push_back(error(network.parameter_of_element(e), 1));
    signs.push_back(element.sign);
  }
  return {{"relative", network.relative() && network.has_storages()},
          {"states", states},
          {"velocities", network.mechanical() ? velocities : Json(nullptr)},
          {"storages", storages},
          {"storages_se", storage_errors},
          {"elements",
           {{"type", types},
            {"from", from},
            {"to", to},
            {"value", values},
            {"se", errors},
            {"known_sign", signs}}}};
}

ModelSparse sparse_from_json(const JsonReader& model) {
  if (!model.raw("network").is_object())
    model.fail("A", "is the sparse generator of a network, which is missing");
  ModelSparse sparse = read_network(model.object("network"));
  check_entries(model.object("A"), sparse.generator());
  return sparse;
}

}  // namespace lgn
