#include "lgn/model/large_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"
#include "lgn/dynamics/network_pattern.h"
#include "lgn/flow/propagate_sparse.h"
#include "lgn/identify/sparse/sparse_fit.h"
#include "lgn/model/json_reader_internal.h"
#include "lgn/model/json_writer_internal.h"
#include "lgn/model/model_file.h"
#include "lgn/model/network_names.h"

namespace lgn {
namespace {

constexpr std::array all_types{ElementType::coupling, ElementType::exchange, ElementType::loss,
                               ElementType::spring, ElementType::damper};
/// In the first bytes of a file of this kind, and of no other.
constexpr const char* mark = "\"engine\": \"sparse\"";

Json sparse_json(const LargeModel& model) {
  const NetworkPattern map(*model.structure);
  const SparsePattern& pattern = map.pattern();
  const Vector values = map.values(model.theta);
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

Json network_json(const LargeModel& model) {
  const NetworkStructure& network = *model.structure;
  Json states = Json::array(), velocities = Json::array();
  for (const NetworkNode& node : network.nodes()) {
    states.push_back(node.state);
    if (network.mechanical()) velocities.push_back(node.velocity);
  }
  const bool known = model.theta_errors.size() > 0;
  const auto error = [&](Index parameter, double slope) -> Json {
    if (parameter == NetworkStructure::fixed) return 0.0;
    return known ? json_number(slope * model.theta_errors[parameter]) : Json(nullptr);
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

/// Structure, θ and its errors from the field "network".
void read_network(const JsonReader& in, LargeModel& model) {
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
  model.theta_errors = Vector::Constant(network.parameters(), std::nan(""));
  for (std::size_t e = 0; e < types.size(); ++e)
    if (const Index k = network.parameter_of_element(e); k != NetworkStructure::fixed) {
      model.theta[k] = values[static_cast<Index>(e)];
      model.theta_errors[k] = errors[static_cast<Index>(e)];
    }
  if (storages) {
    const Vector m = in.finite_numbers("storages", static_cast<Index>(nodes.size())),
                 se = in.numbers("storages_se", m.size());
    if (!(m.array() > 0).all()) in.fail("field \"network.storages\" has one that is not positive");
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (const Index k = network.parameter_of_storage(i); k != NetworkStructure::fixed) {
        model.theta[k] = std::log(m[static_cast<Index>(i)]);
        model.theta_errors[k] = se[static_cast<Index>(i)] / m[static_cast<Index>(i)];
      }
  }
  if (model.theta_errors.array().isNaN().all()) model.theta_errors.resize(0);
}

/// A of the file must be that of its network.
void check_entries(const JsonReader& in, const LargeModel& model) {
  const NetworkPattern map(*model.structure);
  const Vector values = map.values(model.theta);
  const auto rows = in.get<std::vector<Index>>("rows", "a list of rows");
  const auto columns = in.get<std::vector<Index>>("cols", "a list of columns");
  const Vector entries = in.finite_numbers("values", static_cast<Index>(rows.size()));
  if (columns.size() != rows.size() || in.whole("n") != model.dimension())
    in.fail("field \"A\" has lists of different lengths, or another size than the network");
  Vector left = values;
  const double size = values.cwiseAbs().maxCoeff();
  for (std::size_t e = 0; e < rows.size(); ++e) {
    const bool inside = rows[e] >= 0 && columns[e] >= 0 && rows[e] < model.dimension() &&
                        columns[e] < model.dimension();
    const Index entry = inside ? map.pattern().find(rows[e], columns[e]) : values.size();
    if (entry >= values.size() || map.pattern().column[at(entry)] != columns[e])
      in.fail("field \"A\" has an entry where the network has no element");
    left[entry] -= entries[static_cast<Index>(e)];
  }
  // Logarithms and exponentials of storages round.
  if (!(left.cwiseAbs().maxCoeff() <= 1e-9 * size))
    in.fail("field \"A\" is not the generator of the network");
}

}  // namespace

Matrix LargeModel::propagate(const Vector& x0, const Vector& times) const {
  const Vector rest =
      about.offset.size() > 0 ? about.offset : Vector(Vector::Zero(structure->dimension()));
  return propagate_sparse(*structure, theta, x0 - rest, times)[0].colwise() + rest;
}

Matrix LargeModel::initial_states(const Dataset& data) const {
  return sparse_initial_states(*structure, theta, data, about.fit.channel_noise, about.offset);
}

std::string large_model_to_json(const LargeModel& model) {
  const Model& about = model.about;
  Json warnings = Json::array();
  for (const auto& w : about.warnings)
    warnings.push_back({{"code", w.code}, {"message", w.message}});
  const Json json = {
      {"schema", model_schema},
      {"lgn_version", about.version},
      {"engine", "sparse"},
      {"structure", about.structure},
      {"method", about.method},
      {"command", about.command.empty() ? Json(nullptr) : Json(about.command)},
      {"dimension", model.dimension()},
      {"channels", about.channels},
      {"inputs", Json::array()},
      {"time_unit", about.time_unit},
      {"A", sparse_json(model)},
      {"B", nullptr},
      {"C", nullptr},
      {"D", nullptr},
      {"K", nullptr},
      {"states", about.channels},
      {"record", "free"},
      {"hold", nullptr},
      {"x0", json_rows(about.starts.transpose())},
      {"offset", about.offset.size() > 0 ? json_vector(about.offset) : Json(nullptr)},
      {"parameters", Json::object()},
      {"modes", Json::array()},
      {"modes_complete", false},
      {"fit",
       {{"nrmse_train", json_number(about.fit.nrmse_train)},
        {"nrmse_holdout", nullptr},
        {"numbers_in_A", about.fit.numbers_in_a},
        {"noise_sigma", json_number(about.fit.noise_sigma)},
        {"noise_per_channel", json_vector(about.fit.channel_noise)},
        {"iterations", about.fit.iterations},
        {"converged", about.fit.converged},
        {"seconds", json_number(about.fit.seconds)}}},
      {"guarantees",
       {{"stable", about.guarantee.stable},
        {"dissipative", about.guarantee.dissipative},
        {"conservative", about.guarantee.conservative},
        {"passive", false}}},
      {"network", network_json(model)},
      {"warnings", warnings},
      {"data",
       {{"files", about.data.files},
        {"runs", about.data.runs},
        {"samples", about.data.samples},
        {"step", json_number(about.data.step)},
        {"sha256", about.data.sha256.empty() ? Json(nullptr) : Json(about.data.sha256)},
        {"assumptions", about.data.assumptions}}}};
  std::string text = "{";
  const char* separator = "\n";
  for (const auto& [key, value] : json.items()) {
    text += fmt::format("{}  {}: {}", separator, Json(key).dump(),
                        value.dump(-1, ' ', false, Json::error_handler_t::replace));
    separator = ",\n";
  }
  return text + "\n}\n";
}

LargeModel large_model_from_json(const std::string& text, const std::string& file) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception&) {
    throw Error("this is not an lgn model: not JSON", "models are written by lgn fit",
                {file, 0, 0});
  }
  const JsonReader in(json, file);
  if (!json.is_object() || !json.contains("schema") || in.text("schema") != model_schema)
    in.fail("this is not an lgn model");
  LargeModel model;
  Model& about = model.about;
  about.version = in.text("lgn_version");
  about.structure = in.text("structure");
  about.method = in.text("method");
  if (!in.optional("command").is_null()) about.command = in.text("command");
  about.time_unit = in.text("time_unit");
  about.channels = in.get<std::vector<std::string>>("channels", "a list of names");
  read_network(in.object("network"), model);
  const Index n = model.dimension();
  if (in.whole("dimension") != n || static_cast<Index>(about.channels.size()) != n)
    in.fail(fmt::format("the network has {} states, the model another number", n));
  check_entries(in.object("A"), model);
  about.starts = in.rows("x0", -1, n).transpose();
  if (!in.optional("offset").is_null()) about.offset = in.finite_numbers("offset", n);
  about.guarantee = model.structure->guarantee();
  const JsonReader fit = in.object("fit");
  about.fit.nrmse_train = fit.real("nrmse_train");
  about.fit.numbers_in_a = fit.whole("numbers_in_A");
  about.fit.noise_sigma = fit.real("noise_sigma");
  about.fit.channel_noise = fit.finite_numbers("noise_per_channel", n);
  about.fit.iterations = static_cast<int>(fit.whole("iterations"));
  about.fit.converged = fit.get<bool>("converged", "true or false");
  about.fit.seconds = fit.real("seconds");
  const JsonReader data = in.object("data");
  about.data.files = data.get<std::vector<std::string>>("files", "a list of names");
  about.data.runs = data.whole("runs");
  about.data.samples = data.whole("samples");
  about.data.step = data.real("step");
  for (const JsonReader& one : in.objects("warnings"))
    about.warnings.push_back({one.text("code"), one.text("message")});
  return model;
}

std::optional<LargeModel> read_large_model(const std::string& path) {
  if (path == "-") return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string text(200, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.find(mark) == std::string::npos) return std::nullopt;
  text.append(std::istreambuf_iterator<char>(file), {});
  return large_model_from_json(text, path);
}

std::string large_summary(const LargeModel& model) {
  const Model& about = model.about;
  const NetworkStructure& network = *model.structure;
  std::string text = fmt::format(
      "{} states, structure {} on its sparsity pattern: {} elements{}, {} free parameters\n",
      model.dimension(), about.structure, network.elements().size(),
      network.has_storages() ? fmt::format(" and {} storages", network.nodes().size()) : "",
      model.theta.size());
  text += fmt::format(
      "{} runs, {} samples: residuals {:.3g}% of the signal, noise σ ≈ {:.3g}; {} after {} steps of {}, {:.2g} s\n",
      about.data.runs, about.data.samples, 100 * about.fit.nrmse_train, about.fit.noise_sigma,
      about.fit.converged ? "converged" : "NOT converged", about.fit.iterations, about.method,
      about.fit.seconds);
  for (const auto& warning : about.warnings)
    text += fmt::format("warning [{}]: {}\n", warning.code, warning.message);
  return text;
}

}  // namespace lgn
