#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "lgn/core/constants_internal.h"
#include "lgn/core/output_file.h"
#include "lgn/model/design_json_internal.h"
#include "lgn/model/model_file.h"
#include "lgn/model/network_json_internal.h"
#include "lgn/model/nonlinear_json_internal.h"
#include "lgn/model/ports.h"
#include "lgn/model/sparse_json_internal.h"
#include "lgn/model/stabilisation_json_internal.h"
#include "lgn/model/variation_json_internal.h"

namespace lgn {
namespace {

constexpr Mode::Errors no_errors{nan, nan, nan, nan, nan, nan, nan};

Json named_json(const NamedValue& named) {
  switch (named.shape) {
    case NamedValue::Shape::scalar:
      return json_number(named.value(0, 0));
    case NamedValue::Shape::vector:
      return json_vector(named.value.col(0));
    default:
      return json_rows(named.value);
  }
}

Json matrix_or_null(const Matrix& m) { return m.size() > 0 ? json_rows(m) : Json(nullptr); }

Json errors_json(const Mode& mode) {
  const Mode::Errors se = mode.se.value_or(no_errors);
  return {{"re", json_number(se.re)},
          {"im", json_number(se.im)},
          {"natural_frequency", json_number(se.natural_frequency)},
          {"frequency_hz", json_number(se.frequency_hz)},
          {"damping_ratio", json_number(se.damping_ratio)},
          {"time_constant", json_number(se.time_constant)},
          {"correlation", json_number(se.correlation)}};
}

/// [low, high] of what people cite, `width` standard errors to each side.
Json intervals_json(const Mode& mode, double width) {
  if (!mode.se) return nullptr;
  const auto around = [&](double value, double se) {
    return Json::array({json_number(value - width * se), json_number(value + width * se)});
  };
  return {{"re", around(mode.pole.real(), mode.se->re)},
          {"im", around(mode.pole.imag(), mode.se->im)},
          {"frequency_hz", around(mode.frequency_hz, mode.se->frequency_hz)},
          {"damping_ratio", around(mode.damping_ratio, mode.se->damping_ratio)}};
}

Json candidate_json(const StructureCandidate& c) {
  return {{"structure", c.structure},
          {"states", c.states > 0 ? Json(c.states) : Json(nullptr)},
          {"parameters", c.parameters},
          {"nrmse", json_number(c.nrmse)},
          {"nrmse_holdout", json_number(c.held_out)},
          {"bic", json_number(c.criterion)},
          {"stable", c.stable},
          {"chosen", c.chosen},
          {"verdict", c.verdict}};
}

Json json_optional(const std::optional<double>& value) {
  return value ? json_number(*value) : Json(nullptr);
}

/// Vectors of a large network's modes would be most of its file, and can be computed again.
Json mode_json(Mode mode, double width, bool vectors) {
  if (!vectors) mode.shape = {}, mode.participation = {};
  return {
      {"re", json_number(mode.pole.real())},
      {"im", json_number(mode.pole.imag())},
      {"natural_frequency", json_number(mode.natural_frequency)},
      {"frequency_hz", json_number(mode.frequency_hz)},
      {"damping_ratio", json_number(mode.damping_ratio)},
      {"time_constant", json_number(mode.time_constant)},
      {"quality_factor", json_number(mode.quality)},
      {"damping_ratio_below", json_optional(mode.damping_ratio_below())},
      {"time_constant_above", json_optional(mode.time_constant_above())},
      {"se", errors_json(mode)},
      {"interval", intervals_json(mode, width)},
      {"identifiable", mode.identifiable ? Json(*mode.identifiable) : Json(nullptr)},
      {"reason", mode.reason.empty() ? Json(nullptr) : Json(mode.reason)},
      {"spurious", mode.spurious.empty() ? Json(nullptr) : Json(mode.spurious)},
      {"condition", json_number(mode.condition)},
      {"shape", json_complex(mode.shape)},
      {"shape_se", mode.shape_errors.size() > 0 ? json_complex(mode.shape_errors) : Json(nullptr)},
      {"participation", json_vector(mode.participation)}};
}

/// Standard errors of the constants of a law, by name.
Json parameter_errors_json(const Model& model) {
  if (model.parameter_errors.size() == 0) return nullptr;
  Json result = Json::object();
  for (Index k = 0; k < model.parameter_errors.size(); ++k)
    result[model.parameters[static_cast<std::size_t>(k)].name] =
        json_number(model.parameter_errors[k]);
  return result;
}

/// θ with the covariance of its estimate, which is left out where it would take more than a megabyte.
Json estimate_json(const Model& model) {
  if (model.theta.size() == 0) return nullptr;
  constexpr Index most = 200;
  const bool small = model.covariance.size() > 0 && model.theta.size() <= most;
  return {{"names", model.theta_names},
          {"theta", json_vector(model.theta)},
          {"covariance", small ? json_rows(model.covariance) : Json(nullptr)}};
}

/// Errors of A, B, C and D, left out where they would take more than a megabyte.
Json system_errors_json(const SystemErrors& errors) {
  constexpr Index most = 200 * 200;
  if (!errors.known() || errors.root.size() > most) return nullptr;
  Json entries = Json::array();
  for (const auto& [matrix, row, column] : errors.entries)
    entries.push_back({std::string(1, matrix), row, column});
  return {{"entries", entries}, {"root", json_rows(errors.root)}};
}

}  // namespace

std::string model_to_json(const Model& model) {
  Json parameters = Json::object(), modes = Json::array(), warnings = Json::array();
  for (const auto& named : model.parameters) parameters[named.name] = named_json(named);
  for (const auto& mode : model.modes)
    modes.push_back(mode_json(mode, model.fit.interval, !model.sparse));
  Json candidates = Json::array();
  for (const auto& candidate : model.candidates) candidates.push_back(candidate_json(candidate));
  for (const auto& w : model.warnings)
    warnings.push_back({{"code", w.code}, {"message", w.message}});
  const bool driven = model.drive.active();
  Json json = {
      {"schema", model_schema},
      {"lgn_version", model.version},
      {"engine", model.sparse ? "sparse" : "dense"},
      {"structure", model.structure},
      {"method", model.method},
      {"command", model.command.empty() ? Json(nullptr) : Json(model.command)},
      {"dimension", model.dimension()},
      {"channels", model.channels},
      {"inputs", model.inputs},
      {"time_unit", model.time_unit},
      {"A", model.sparse ? sparse_to_json(*model.sparse) : json_rows(model.a)},
      {"B", matrix_or_null(model.drive.b)},
      {"B_se", matrix_or_null(model.b_errors)},
      {"C", matrix_or_null(model.c)},
      {"C_se", matrix_or_null(model.c_errors)},
      {"D", matrix_or_null(model.drive.d)},
      {"D_se", matrix_or_null(model.d_errors)},
      {"K", matrix_or_null(model.innovation.k)},
      {"K_se", matrix_or_null(model.k_errors)},
      {"innovation_covariance", matrix_or_null(model.innovation.covariance)},
      {"K_step", model.innovation.active() ? json_number(model.innovation.step) : Json(nullptr)},
      {"system_se", system_errors_json(model.system_errors)},
      {"states", model.states()},
      {"record", model.record},
      {"ambient", model.ambient ? Json{{"G", json_rows(model.ambient->g)},
                                       {"R0", json_rows(model.ambient->variance)}}
                                : Json(nullptr)},
      {"hold", driven ? Json(hold_name(model.drive.timing.hold)) : Json(nullptr)},
      {"delay", driven ? json_number(model.drive.timing.delay) : Json(nullptr)},
      {"x0", json_rows(model.starts.transpose())},
      {"offset", model.offset.size() > 0 ? json_vector(model.offset) : Json(nullptr)},
      {"offset_se",
       model.offset_errors.size() > 0 ? json_vector(model.offset_errors) : Json(nullptr)},
      {"parameters", parameters},
      {"parameters_se", parameter_errors_json(model)},
      {"estimate", estimate_json(model)},
      {"energy", model.energy ? json_rows(*model.energy) : Json(nullptr)},
      {"modes", modes},
      {"modes_complete", !model.sparse},
      {"fit",
       {{"nrmse_train", json_number(model.fit.nrmse_train)},
        {"nrmse_holdout", json_optional(model.fit.nrmse_holdout)},
        {"holdout", json_number(model.fit.holdout)},
        {"numbers_in_A", model.fit.numbers_in_a},
        {"noise_sigma", json_number(model.fit.noise_sigma)},
        {"noise_per_channel", json_vector(model.fit.channel_noise)},
        {"confidence", json_number(model.fit.confidence)},
        {"interval_factor", json_number(model.fit.interval)},
        {"error_widening", json_number(model.fit.error_widening)},
        {"bootstrap", model.fit.bootstrap},
        {"iterations", model.fit.iterations},
        {"converged", model.fit.converged},
        {"seconds", json_number(model.fit.seconds)}}},
      {"guarantees",
       {{"stable", model.guarantee.stable},
        {"dissipative", model.guarantee.dissipative},
        {"conservative", model.guarantee.conservative},
        {"passive", model.guarantee.passive}}},
      {"passivity", model.passivity ? Json{{"storage", json_rows(model.passivity->storage)},
                                           {"factor", json_rows(model.passivity->factor)}}
                                    : Json(nullptr)},
      {"network", model.sparse    ? sparse_network_to_json(*model.sparse)
                  : model.network ? network_to_json(*model.network)
                                  : Json(nullptr)},
      {"variation", model.variation ? variation_to_json(*model.variation) : Json(nullptr)},
      {"nonlinear", model.nonlinear
                        ? nonlinear_to_json(*model.nonlinear, model.states(), model.inputs)
                        : Json(nullptr)},
      {"candidates", candidates},
      {"stabilisation",
       model.stabilisation ? stabilisation_to_json(*model.stabilisation) : Json(nullptr)},
      {"warnings", warnings},
      {"data",
       {{"files", model.data.files},
        {"runs", model.data.runs},
        {"samples", model.data.samples},
        {"step", json_number(model.data.step)},
        {"sha256", model.data.sha256.empty() ? Json(nullptr) : Json(model.data.sha256)},
        {"assumptions", model.data.assumptions}}}};
  if (driven && model.network) {
    Json list = Json::array();
    for (const ModelPort& port : ports(model))
      list.push_back({{"input", port.input},
                      {"state", port.state},
                      {"gain", json_number(port.gain)},
                      {"se", port.error > 0 ? json_number(port.error) : Json(nullptr)}});
    json["ports"] = std::move(list);
  }
  if (model.design) json["design"] = design_to_json(*model.design);
  // One field a line: readable without spreading every matrix over n² lines.
  std::string text = "{";
  const char* separator = "\n";
  for (const auto& [key, value] : json.items()) {
    // File names need not be UTF-8, JSON must be.
    text += fmt::format("{}  {}: {}", separator, Json(key).dump(),
                        value.dump(-1, ' ', false, Json::error_handler_t::replace));
    separator = ",\n";
  }
  return text + "\n}\n";
}

void write_model(const Model& model, const std::string& path) {
  write_file(path, model_to_json(model));
}

}  // namespace lgn
