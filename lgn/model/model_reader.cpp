#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/flow/exponential.h"
#include "lgn/model/design_json_internal.h"
#include "lgn/model/json_reader_internal.h"
#include "lgn/model/model_file.h"
#include "lgn/model/network_json_internal.h"
#include "lgn/model/nonlinear_json_internal.h"
#include "lgn/model/sparse_json_internal.h"
#include "lgn/model/stabilisation_json_internal.h"
#include "lgn/model/variation_json_internal.h"

namespace lgn {
namespace {

NamedValue read_named(const std::string& name, const Json& json) {
  if (json.is_number())
    return {name, Matrix::Constant(1, 1, json.get<double>()), NamedValue::Shape::scalar};
  if (json.is_array() && !json.empty() && json[0].is_number()) {
    const auto values = json.get<std::vector<double>>();
    return {name, Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size())),
            NamedValue::Shape::vector};
  }
  const auto rows = json.get<std::vector<std::vector<double>>>();
  for (const auto& row : rows)
    if (row.size() != rows[0].size()) throw Error("rows of different lengths");
  Matrix m(static_cast<Index>(rows.size()), rows.empty() ? 0 : static_cast<Index>(rows[0].size()));
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j)
      m(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return {name, m, NamedValue::Shape::matrix};
}

/// What a mode's entry says about how well it is known.
void read_certainty(const JsonReader& in, Mode& mode) {
  const Json& se = in.optional("se");
  if (se.is_object() && se.contains("re") && !se["re"].is_null()) {
    const JsonReader errors = in.object("se");
    const auto known = [&](const char* name) {
      return errors.optional(name).is_null() ? std::nan("") : errors.real(name);
    };
    mode.se = Mode::Errors{known("re"),
                           known("im"),
                           known("natural_frequency"),
                           known("frequency_hz"),
                           known("damping_ratio"),
                           known("time_constant"),
                           known("correlation")};
  }
  if (!in.optional("time_constant_above").is_null())
    mode.decay_below = 1 / in.real("time_constant_above");
  if (!in.optional("identifiable").is_null())
    mode.identifiable = in.get<bool>("identifiable", "true or false");
  if (!in.optional("reason").is_null()) mode.reason = in.text("reason");
  if (!in.optional("spurious").is_null()) mode.spurious = in.text("spurious");
  if (!in.optional("shape_se").is_null())
    mode.shape_errors = in.complex_numbers("shape_se", in.raw("shape_se"), mode.shape.size());
}

StructureCandidate read_candidate(const JsonReader& in) {
  StructureCandidate c;
  c.structure = in.text("structure");
  if (!in.optional("states").is_null()) c.states = in.whole("states");
  c.parameters = in.whole("parameters");
  c.nrmse = in.real("nrmse");
  c.held_out = in.real("nrmse_holdout");
  c.criterion = in.real("bic");
  c.stable = in.get<bool>("stable", "true or false");
  c.chosen = in.get<bool>("chosen", "true or false");
  c.verdict = in.text("verdict");
  return c;
}

/// Fields of "fit" that older files do not have.
void read_noise(const JsonReader& fit, Model& model) {
  const Json& noise = fit.optional("noise_per_channel");
  if (noise.is_array() && static_cast<Index>(noise.size()) == model.outputs()) {
    model.fit.channel_noise.resize(model.outputs());
    for (Index c = 0; c < model.outputs(); ++c) {
      const Json& sigma = noise[static_cast<std::size_t>(c)];
      model.fit.channel_noise[c] = sigma.is_number() ? sigma.get<double>() : std::nan("");
    }
  }
  if (!fit.optional("confidence").is_null()) model.fit.confidence = fit.real("confidence");
  if (!fit.optional("interval_factor").is_null()) model.fit.interval = fit.real("interval_factor");
  if (!fit.optional("error_widening").is_null())
    model.fit.error_widening = fit.real("error_widening");
  if (!fit.optional("bootstrap").is_null()) model.fit.bootstrap = fit.whole("bootstrap");
}

/// θ and its covariance, which older files do not have.
void read_estimate(const JsonReader& in, Model& model) {
  model.theta_names = in.get<std::vector<std::string>>("names", "a list of names");
  const auto p = static_cast<Index>(model.theta_names.size());
  model.theta = in.finite_numbers("theta", p);
  if (!in.raw("covariance").is_null()) model.covariance = in.rows("covariance", p, p);
}

/// Joint errors of A, B, C and D, which older files do not have.
SystemErrors read_system_errors(const JsonReader& in, Index n, Index m, Index l) {
  SystemErrors result;
  const Json& entries = in.raw("entries");
  if (!entries.is_array() || entries.empty()) in.fail("field \"entries\" is not a list of entries");
  for (const Json& entry : entries) {
    if (!entry.is_array() || entry.size() != 3 || !entry[0].is_string() ||
        !entry[1].is_number_unsigned() || !entry[2].is_number_unsigned())
      in.fail("an item of \"entries\" is not a matrix, a row and a column");
    const auto matrix = entry[0].get<std::string>();
    const auto row = entry[1].get<std::uint64_t>(), column = entry[2].get<std::uint64_t>();
    const Index rows = matrix == "A" || matrix == "B" ? n : l;
    const Index columns = matrix == "A" || matrix == "C" ? n : m;
    if (matrix.size() != 1 || std::string("ABCD").find(matrix) == std::string::npos ||
        row >= static_cast<std::uint64_t>(rows) || column >= static_cast<std::uint64_t>(columns))
      in.fail("an item of \"entries\" is no entry of A, B, C or D");
    result.entries.push_back({matrix[0], static_cast<Index>(row), static_cast<Index>(column)});
  }
  const Json& root = in.raw("root");
  const bool rows = root.is_array() && !root.empty() && root[0].is_array();
  result.root = in.rows("root", std::ssize(result.entries), rows ? std::ssize(root[0]) : 1);
  return result;
}

/// How inputs enter.
void read_drive(const JsonReader& in, Model& model, Index states) {
  const auto m = static_cast<Index>(model.inputs.size());
  if ((m > 0) == in.raw("B").is_null())
    in.fail(m > 0 ? "the model has inputs, but no \"B\"" : "field \"B\" has no inputs");
  if (m == 0) return;
  const auto l = static_cast<Index>(model.channels.size());
  const auto optional = [&](const char* field, Index rows) {
    return in.optional(field).is_null() ? Matrix() : in.rows(field, rows, m);
  };
  model.drive.b = in.rows("B", states, m);
  model.b_errors = optional("B_se", states);
  model.drive.d = optional("D", l);
  model.d_errors = optional("D_se", l);
  if (!in.optional("system_se").is_null())
    model.system_errors = read_system_errors(in.object("system_se"), states, m, l);
  const auto hold = find_hold(in.text("hold"));
  if (!hold) in.fail("field \"hold\" is neither \"zoh\" nor \"foh\"");
  model.drive.timing.hold = *hold;
  if (!in.optional("delay").is_null()) model.drive.timing.delay = in.real("delay");
}

/// What proves a claim of passivity, which older files do not have.
void read_passivity(const JsonReader& in, const JsonReader& promised, Model& model) {
  model.guarantee.passive =
      !promised.optional("passive").is_null() && promised.get<bool>("passive", "true or false");
  const bool known = !in.optional("passivity").is_null();
  if (model.guarantee.passive != known)
    in.fail(known ? "field \"passivity\" proves what \"guarantees.passive\" does not say"
                  : "the model claims to be passive, but has no \"passivity\" that proves it");
  if (!known) return;
  const Index n = model.dimension(), m = model.drive.b.cols();
  if (m == 0 || model.outputs() != m || model.drive.timing.delay != 0)
    in.fail(
        "the model claims to be passive, but has no ports: an output at once beside each input");
  const JsonReader proof = in.object("passivity");
  const Json& factor = proof.raw("factor");
  const Index columns = factor.is_array() && !factor.empty() && factor[0].is_array()
                            ? static_cast<Index>(factor[0].size())
                            : 0;
  model.passivity = {proof.rows("storage", n, n), proof.rows("factor", n + m, columns)};
  const Matrix c = model.hidden() ? model.c : Matrix::Identity(n, n);
  try {
    check_passivity({model.a, model.drive.b, c, model.drive.d}, *model.passivity);
  } catch (const Error& error) {
    in.fail(error.problem());
  }
}

/// The predictor, which older files do not have. A gain with which predictions would grow is refused.
void read_innovation(const JsonReader& in, Model& model) {
  if (in.optional("K").is_null()) return;
  const Index n = model.a.rows(), l = static_cast<Index>(model.channels.size());
  model.innovation = {in.rows("K", n, l), in.rows("innovation_covariance", l, l),
                      in.real("K_step")};
  if (!in.optional("K_se").is_null()) model.k_errors = in.rows("K_se", n, l);
  const Matrix& s = model.innovation.covariance;
  if (!(model.innovation.step > 0)) in.fail("field \"K_step\" is not positive");
  if (!(symmetric_eigenvalues(s).minCoeff() >= -1e-9 * s.norm()))
    in.fail("field \"innovation_covariance\" is not a covariance");
  const Matrix c = model.hidden() ? model.c : Matrix::Identity(n, n);
  const Matrix predictor = exponential(model.innovation.step * model.a) - model.innovation.k * c;
  if (!predictor.allFinite() || eigenvalues(predictor).cwiseAbs().maxCoeff() > 1 + 1e-9)
    in.fail("field \"K\": the predictor is not stable");
}

Model parse(const Json& json, const std::string& file) {
  const JsonReader in(json, file);
  if (!json.is_object() || !json.contains("schema")) in.fail("this is not an lgn model");
  if (in.text("schema") != model_schema)
    in.fail(fmt::format("the model's format is \"{}\", this program reads \"{}\"",
                        in.text("schema"), model_schema));
  Model model;
  model.version = in.text("lgn_version");
  model.structure = in.text("structure");
  model.method = in.text("method");
  if (!in.optional("command").is_null()) model.command = in.text("command");
  model.time_unit = in.text("time_unit");
  const Index n = in.whole("dimension");
  if (n < 1) in.fail("field \"dimension\" is not positive");
  model.channels = in.get<std::vector<std::string>>("channels", "a list of names");
  const auto l = static_cast<Index>(model.channels.size());
  if (!in.raw("C").is_null()) {
    if (l == 0) in.fail("field \"channels\" is empty");
    model.c = in.rows("C", l, n);
    if (!in.optional("C_se").is_null()) model.c_errors = in.rows("C_se", l, n);
  } else if (l != n) {
    in.fail(fmt::format("field \"channels\" has {} names for {} states", l, n));
  }
  model.inputs = in.get<std::vector<std::string>>("inputs", "a list of names");
  read_drive(in, model, n);
  if (!in.optional("record").is_null()) model.record = in.text("record");
  if (!in.optional("ambient").is_null()) {
    const JsonReader ambient = in.object("ambient");
    model.ambient = AmbientResponse{ambient.rows("G", n, l), ambient.rows("R0", l, l)};
  }
  if (in.raw("A").is_object())
    model.sparse = sparse_from_json(in);
  else
    model.a = in.rows("A", n, n);
  if (model.sparse)
    for (const char* field : {"B", "C", "K", "energy", "variation", "nonlinear"})
      if (!in.optional(field).is_null()) in.fail(field, "belongs to models with a dense \"A\"");
  if (model.dimension() != n)
    in.fail(fmt::format("the network has {} states, the model {}", model.dimension(), n));
  read_innovation(in, model);
  model.starts = in.rows("x0", -1, n).transpose();
  if (!in.optional("offset").is_null()) model.offset = in.finite_numbers("offset", l);
  if (!in.optional("offset_se").is_null()) model.offset_errors = in.numbers("offset_se", l);
  if (!in.optional("energy").is_null()) model.energy = in.rows("energy", n, n);
  in.object("parameters");
  // One for each mass, or pair of states.
  const Index size = model.structure == "mechanical" || model.hidden() ? n / 2 : n;
  for (const auto& [name, value] : in.raw("parameters").items()) {
    try {
      NamedValue named = read_named(name, value);
      const Index rows = named.shape == NamedValue::Shape::scalar ? 1 : size;
      const Index columns = named.shape == NamedValue::Shape::matrix ? size : 1;
      // Those of ports have sizes of their own.
      const bool any = model.structure == "port-hamiltonian";
      if (!any && (named.value.rows() != rows || named.value.cols() != columns))
        throw Error("wrong size");
      model.parameters.push_back(std::move(named));
    } catch (const std::exception&) {
      in.fail(
          fmt::format("field \"parameters.{}\" is neither a number, {} numbers nor {} rows of {}",
                      name, size, size, size));
    }
  }
  if (!in.optional("parameters_se").is_null()) {
    const JsonReader errors = in.object("parameters_se");
    model.parameter_errors.resize(static_cast<Index>(model.parameters.size()));
    for (std::size_t k = 0; k < model.parameters.size(); ++k)
      model.parameter_errors[static_cast<Index>(k)] = errors.real(model.parameters[k].name.c_str());
  }
  if (!in.raw("modes").is_array() ||
      (!model.sparse && static_cast<Index>(in.raw("modes").size()) != n))
    in.fail(fmt::format("field \"modes\" is not a list of {} modes", n));
  for (const auto& mode : in.raw("modes")) {
    if (!mode.is_object()) in.fail("an entry of \"modes\" is not an object");
    const JsonReader one(mode, file, "modes.");
    for (const char* field :
         {"re", "im", "natural_frequency", "frequency_hz", "damping_ratio", "time_constant"})
      one.real(field);
  }
  const JsonReader promised = in.object("guarantees");
  model.guarantee = {promised.get<bool>("stable", "true or false"),
                     promised.get<bool>("dissipative", "true or false"),
                     promised.get<bool>("conservative", "true or false")};
  read_passivity(in, promised, model);
  try {
    if (!model.sparse) model.modes = find_modes(model.a, model.guarantee, model.time_unit);
    if (model.hidden()) show_in_channels(model.modes, model.c);
  } catch (const Error& error) {
    in.fail("field \"A\": " + error.problem());
  }
  // Those of a sparse generator are not all, and take a factorisation.
  if (model.sparse)
    for (const JsonReader& mode : in.objects("modes")) {
      const Complex pole(mode.real("re"), mode.real("im"));
      if (!std::isfinite(std::abs(pole))) in.fail("field \"modes\" has one without a pole");
      model.modes.push_back(mode_at(pole, model.guarantee, model.time_unit));
    }
  for (std::size_t k = 0; k < model.modes.size(); ++k)
    read_certainty(JsonReader(in.raw("modes")[k], file, "modes."), model.modes[k]);
  const JsonReader fit = in.object("fit");
  model.fit.nrmse_train = fit.real("nrmse_train");
  if (!fit.raw("nrmse_holdout").is_null()) model.fit.nrmse_holdout = fit.real("nrmse_holdout");
  if (!fit.optional("holdout").is_null()) model.fit.holdout = fit.real("holdout");
  if (!fit.optional("numbers_in_A").is_null()) model.fit.numbers_in_a = fit.whole("numbers_in_A");
  model.fit.noise_sigma = fit.real("noise_sigma");
  read_noise(fit, model);
  model.fit.iterations = static_cast<int>(fit.whole("iterations"));
  model.fit.converged = fit.get<bool>("converged", "true or false");
  model.fit.seconds = fit.real("seconds");
  const JsonReader data = in.object("data");
  model.data.files = data.get<std::vector<std::string>>("files", "a list of names");
  model.data.runs = data.whole("runs");
  model.data.samples = data.whole("samples");
  if (!data.optional("step").is_null()) model.data.step = data.real("step");
  if (!data.optional("assumptions").is_null())
    model.data.assumptions = data.get<std::vector<std::string>>("assumptions", "a list of texts");
  if (!data.raw("sha256").is_null()) model.data.sha256 = data.text("sha256");
  if (!in.raw("warnings").is_array()) in.fail("field \"warnings\" is not a list");
  for (const auto& warning : in.raw("warnings")) {
    const JsonReader one(warning, file, "warnings.");
    model.warnings.push_back({one.text("code"), one.text("message")});
  }
  if (in.optional("candidates").is_array())
    for (const auto& candidate : in.raw("candidates"))
      model.candidates.push_back(read_candidate(JsonReader(candidate, file, "candidates.")));
  if (!in.optional("design").is_null()) model.design = design_from_json(in.object("design"));
  if (!in.optional("stabilisation").is_null())
    model.stabilisation = stabilisation_from_json(in.object("stabilisation"), model.outputs());
  if (!in.optional("estimate").is_null()) read_estimate(in.object("estimate"), model);
  if (!model.sparse && !in.optional("network").is_null())
    model.network = network_from_json(in.object("network"), model.channels);
  if (!in.optional("variation").is_null())
    model.variation = variation_from_json(in.object("variation"), n);
  if (!in.optional("nonlinear").is_null())
    model.nonlinear =
        nonlinear_from_json(in.object("nonlinear"), n, model.drive.b.cols(), model.time_unit);
  return model;
}

/// The stream's text; its beginning only when that cannot be a model, as the rest may never end.
std::string read_text(std::istream& in) {
  std::string text;
  for (int c = in.get(); c != std::istream::traits_type::eof(); c = in.get()) {
    text += static_cast<char>(c);
    if (c == '{') return text.append(std::istreambuf_iterator<char>(in), {});
    if (std::isspace(c) == 0) break;
  }
  return text;
}

}  // namespace

Model model_from_json(const std::string& text, const std::string& file) {
  try {
    return parse(Json::parse(text), file);
  } catch (const Json::parse_error& error) {
    // The byte of a parse error, as line and column.
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto line = static_cast<std::size_t>(std::count(text.begin(), end, '\n')) + 1;
    const auto last = text.rfind('\n', error.byte > 0 ? error.byte - 1 : 0);
    const std::size_t column =
        last == std::string::npos || last >= error.byte ? error.byte : error.byte - last - 1;
    throw Error("this is not an lgn model: not JSON", "models are written by lgn fit",
                {file, line, column});
  } catch (const Json::out_of_range&) {
    throw Error("the model has a number that is too large", "write the model again with lgn fit",
                {file, 0, 0});
  }
}

Model read_model(const std::string& path) {
  if (path == "-") return model_from_json(read_text(std::cin), "standard input");
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw Error("this is a directory, not a model", {}, {path, 0, 0});
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error("the model cannot be read", "check the path and its permissions", {path, 0, 0});
  return model_from_json(read_text(file), path);
}

}  // namespace lgn
