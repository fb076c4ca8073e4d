#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <set>

#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/dynamics/log_scale.h"
#include "lgn/report/export/export.h"
#include "lgn/report/export/export_internal.h"
#include "lgn/report/export/templates_internal.h"

namespace lgn {
namespace {

using namespace export_internal;

/// A string literal, of one line.
std::string quoted(const std::string& text) {
  std::string literal;
  for (const char c : one_line(text)) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return "\"" + literal + "\"";
}

/// Words of the language, its own functions and types, and what the model itself is made of.
bool is_taken(const std::string& name) {
  static constexpr std::string_view taken =
      " algorithm and annotation block break class connect connector constant constrainedby der "
      "discrete each else elseif elsewhen encapsulated end enumeration equation expandable "
      "extends external false final flow for function if import impure in initial inner input "
      "loop model not operator or outer output package parameter partial protected public pure "
      "record redeclare replaceable return stream then true type when while within time abs "
      "acos actualStream array asin assert atan atan2 backSample Boolean cardinality cat ceil "
      "change Clock cos cosh cross delay diagonal div edge exp fill floor getInstanceName hold "
      "homotopy identity inStream integer Integer interval linspace log log10 matrix max min "
      "mod ndims noClock noEvent ones outerProduct pre previous product promote Real reinit rem "
      "rooted sample scalar semiLinear shiftSample sign sin sinh size skew smooth "
      "spatialDistribution sqrt String subSample sum superSample symmetric tan tanh terminal "
      "terminate transpose vector zeros A x x0 c d u phi splines S L G scale ";
  return taken.find(" " + name + " ") != taken.npos;
}

/// An identifier, in quotes where it must be; characters that no identifier has become _.
std::string identifier(const std::string& name) {
  static constexpr std::string_view others = "!#$%&()*+,-./:;<>=?@[]^{}|~ ";
  std::string text;
  bool plain = true;
  for (const std::uint32_t c : array_internal::code_points(name)) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool digit = c >= '0' && c <= '9';
    const bool other = c < 0x7f && others.find(static_cast<char>(c)) != others.npos;
    if (c == '\'' || c == '\\' || c == '"') text += '\\';
    const bool kept = letter || digit || other || c == '\'' || c == '\\' || c == '"';
    text += kept ? static_cast<char>(c) : '_';
    plain = plain && (letter || (digit && text.size() > 1) || !kept);
  }
  if (text.empty()) return "_";
  return plain && !is_taken(text) ? text : "'" + text + "'";
}

/// The same for the model, which begins with a capital rather than be a word of the language.
std::string model_name(std::string name) {
  if (is_taken(name))
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return identifier(name);
}

/// Identifiers of the channels, all different: a second one gets _2.
std::vector<std::string> identifiers(const std::vector<std::string>& names,
                                     const std::string& model) {
  std::set<std::string> used{model};
  std::vector<std::string> result;
  for (const auto& name : names) {
    std::string found = identifier(name);
    for (int copy = 2; !used.insert(found).second; ++copy)
      found = identifier(fmt::format("{}_{}", name, copy));
    result.push_back(found);
  }
  return result;
}

std::string vector(const Vector& values) { return fmt::format("{{{}}}", listed(values)); }
std::string matrix(const Matrix& rows) {
  return fmt::format("{{{}}}", listed(rows, "{", "}", ",\n    "));
}

/// An array of expressions.
template <class Entry>
std::string array_of(Index size, std::string_view between, Entry entry) {
  std::string text;
  for (Index i = 0; i < size; ++i) text.append(i > 0 ? between : "").append(entry(i));
  return "{" + text + "}";
}
template <class Entry>
std::string square_of(Index n, Entry entry) {
  return array_of(n, ",\n    ", [=](Index i) {
    return array_of(n, ", ", [=](Index j) -> std::string { return entry(i, j); });
  });
}

std::string entry_of_u(Index k) { return fmt::format("u[{}]", k + 1); }

/// The scale of a logarithm, which counts up to a limit.
std::string scale_of(const std::string& logarithm) {
  return fmt::format("exp(noEvent(max(-{0}, min({0}, {1}))))", exact(largest_log_scale), logarithm);
}

/// The skew matrix of which entries of u are the upper triangle, row by row.
std::string skew_of(Index n) {
  return square_of(n, [n](Index i, Index j) -> std::string {
    if (i == j) return "0.0";
    const Index row = std::min(i, j), column = std::max(i, j);
    return (i < j ? "" : "-") + entry_of_u(row * n - row * (row + 1) / 2 + (column - row - 1));
  });
}

/// The lower triangle of which entries of u, from `first` on, are the columns.
std::string lower_of(Index n, Index first, bool logarithmic_diagonal) {
  return square_of(n, [=](Index i, Index j) -> std::string {
    if (i < j) return "0.0";
    const std::string entry = entry_of_u(first + j * n - j * (j - 1) / 2 + (i - j));
    return i == j && logarithmic_diagonal ? scale_of(entry) : entry;
  });
}

/// The equations of u; those of entries that are log(1 + exp(·)) stand alone.
std::string entries_of(const Course& course) {
  if (!course.softplus || course.bounded.empty()) return "  u = c*phi;";
  std::string text;
  for (Index e = 0; e < course.coefficients.rows(); ++e) {
    std::string sum = fmt::format("c[{}, :]*phi", e + 1);
    if (std::find(course.bounded.begin(), course.bounded.end(), e) != course.bounded.end())
      sum = fmt::format("noEvent(max({0}, 0.0)) + log(1.0 + exp(-noEvent(abs({0}))))", sum);
    text += fmt::format("{}  u[{}] = {};", e > 0 ? "\n" : "", e + 1, sum);
  }
  return text;
}

void add_course(const ModelVariation& variation, Fillings& fillings) {
  const Course course = describe_course(variation);
  const Index n = variation.structure->dimension(), pairs = n * (n - 1) / 2;
  const Vector& omega = course.frequencies;
  std::string waves = "1.0";
  for (const double frequency : omega)
    waves += fmt::format(",\n    cos({0}*(time - ({1}))), sin({0}*(time - ({1})))",
                         exact(frequency), exact(course.origin));
  fillings.insert(
      fillings.end(),
      {{"entries", fmt::format("{}", course.coefficients.rows())},
       {"functions", fmt::format("{}", course.coefficients.cols())},
       {"waves", "{" + waves + "}"},
       {"spans", fmt::format("{}", course.knots.size() - 1)},
       {"first", exact(course.knots.size() > 0 ? course.knots[0] : 0)},
       {"last", exact(course.knots.size() > 0 ? course.knots[course.knots.size() - 1] : 1)},
       {"u", entries_of(course)},
       {"square", square_of(n, [n](Index i, Index j) { return entry_of_u(j * n + i); })},
       {"S", skew_of(n)},
       {"L", lower_of(n, pairs, false)},
       {"G", lower_of(n, n * n, true)},
       {"d", array_of(n, ", ",
                      [=](Index i) {
                        return fmt::format("noEvent(max({}, 0.0))", entry_of_u(pairs + i));
                      })},
       {"scale", array_of(n, ", ", [=](Index i) {
          return i == 0 ? "1.0" : scale_of(entry_of_u(pairs + n + i - 1));
        })}});
}

/// When the first run starts.
double begin_of(const Model& model) {
  if (!model.variation) return 0;
  const Vector& times = model.variation->start_times;
  return times.size() > 0 ? times[0] : model.variation->begin;
}

/// The end of the data, or, where the model knows of none, of a few turns of its slowest mode.
double end_of(const Model& model) {
  if (model.variation && model.variation->end > begin_of(model)) return model.variation->end;
  const Index samples = model.data.runs > 0 ? model.data.samples / model.data.runs : 0;
  if (model.data.step > 0 && samples > 1)
    return std::stod(fmt::format("{:.12g}", model.data.step * static_cast<double>(samples - 1)));
  double slowest = 0;
  for (const auto& mode : model.modes)
    if (mode.natural_frequency > 0 && (slowest == 0 || mode.natural_frequency < slowest))
      slowest = mode.natural_frequency;
  constexpr double turns = 5;
  return slowest > 0 ? turns * 2 * std::numbers::pi / slowest : 1;
}

}  // namespace

std::string modelica_text(const Model& model, const std::string& name) {
  const std::string called = model_name(name);
  const std::vector<std::string> identified = identifiers(model.channels, called);
  std::string outputs;
  for (std::size_t k = 0; k < identified.size(); ++k)
    outputs += fmt::format("{}  output Real {} = x[{}] {};", k > 0 ? "\n" : "", identified[k],
                           k + 1, quoted(model.channels[k]));
  const bool known = model.starts.cols() > 0;
  const Vector x0 = known ? Vector(model.starts.col(0)) : Vector::Ones(model.dimension());
  const std::string interval =
      model.data.step > 0 ? fmt::format(", Interval = {:.12g}", model.data.step) : "";
  Fillings own{{"name", called},
               {"unit", one_line(model.time_unit)},
               {"x0", vector(x0)},
               {"start", quoted(known ? "start of the first run" : "no start is known")},
               {"outputs", outputs},
               {"begin", exact(begin_of(model))},
               {"stop", exact(end_of(model))},
               {"interval", interval}};
  if (model.variation) add_course(*model.variation, own);
  return rendered(embedded::modelica_template, model, {quoted, vector, matrix, 1}, own);
}

}  // namespace lgn
