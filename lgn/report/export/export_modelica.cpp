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
#include "lgn/report/text/markup.h"

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
  static const std::set<std::string> taken{
      "algorithm", "and", "annotation", "block", "break", "class", "connect", "connector",
      "constant", "constrainedby", "der", "discrete", "each", "else", "elseif", "elsewhen",
      "encapsulated", "end", "enumeration", "equation", "expandable", "extends", "external",
      "false", "final", "flow", "for", "function", "if", "import", "impure", "in", "initial",
      "inner", "input", "loop", "model", "not", "operator", "or", "outer", "output", "package",
      "parameter", "partial", "protected", "public", "pure", "record", "redeclare", "replaceable",
      "return", "stream", "then", "true", "type", "when", "while", "within",
      // predefined
      "time", "abs", "acos", "actualStream", "array", "asin", "assert", "atan", "atan2",
      "backSample", "Boolean", "cardinality", "cat", "ceil", "change", "Clock", "cos", "cosh",
      "cross", "delay", "diagonal", "div", "edge", "exp", "fill", "floor", "getInstanceName",
      "hold", "homotopy", "identity", "inStream", "integer", "Integer", "interval", "linspace",
      "log", "log10", "matrix", "max", "min", "mod", "ndims", "noClock", "noEvent", "ones",
      "outerProduct", "pre", "previous", "product", "promote", "Real", "reinit", "rem", "rooted",
      "sample", "scalar", "semiLinear", "shiftSample", "sign", "sin", "sinh", "size", "skew",
      "smooth", "spatialDistribution", "sqrt", "String", "subSample", "sum", "superSample",
      "symmetric", "tan", "tanh", "terminal", "terminate", "transpose", "vector", "zeros",
      // of the model
      "A", "x", "x0", "c", "u", "phi", "splines", "S", "L", "G", "scale", "omega2", "gamma0", "a",
      "omega_d", "stiffness", "damping", "drift", "tau", "k"};
  return taken.contains(name);
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

std::string array(const Vector& values) { return fmt::format("{{{}}}", listed(values)); }
std::string array(const Matrix& matrix) {
  return fmt::format("{{{}}}", listed(matrix, "{", "}", ",\n    "));
}

/// A matrix of entry(i, j), each an expression.
template <class Entry>
std::string matrix_text(Index n, Entry entry) {
  std::string text;
  for (Index i = 0; i < n; ++i) {
    text += i == 0 ? "{" : ",\n    {";
    for (Index j = 0; j < n; ++j) text += (j == 0 ? "" : ", ") + std::string(entry(i, j));
    text += "}";
  }
  return "{" + text + "}";
}

/// A logarithm of a scale within what counts, and the scale.
std::string scale_of(const std::string& logarithm) {
  return fmt::format("exp(noEvent(max(-{0}, min({0}, {1}))))", exact(largest_log_scale), logarithm);
}

/// S or L, made of entries of u.
std::string matrix_of(Part part, Index n, Index first, bool logarithmic_diagonal = false) {
  return matrix_text(n, [=](Index i, Index j) -> std::string {
    const Index k = place(part, n, first, i, j);
    if (k == 0) return "0.0";
    const std::string entry = fmt::format("{}u[{}]", k < 0 ? "-" : "", std::abs(k));
    return i == j && logarithmic_diagonal ? scale_of(entry) : entry;
  });
}

/// d, the entries of u from `first` on that cannot be negative, as a diagonal matrix.
std::string damping_of(Index n, Index first) {
  std::string text;
  for (Index i = 0; i < n; ++i)
    text += fmt::format("{}noEvent(max(u[{}], 0.0))", i == 0 ? "" : ", ", first + i + 1);
  return fmt::format("diagonal({{{}}})", text);
}

/// What is declared, and what holds.
struct Equations {
  std::string declared, holds;
};

constexpr std::string_view spline_function =
    R"mo(  function splines "1, then cubic B-splines on even knots; the values at the ends are held"
    input Real t;
    output Real phi[@size@];
  protected
    Real v;
    Real n[4];
    Real saved;
    Real share;
    Integer first;
    Integer right;
    Integer left;
  algorithm
    v := @spans@*max(0.0, min(1.0, (t - (@begin@))/((@end@) - (@begin@))));
    first := min(integer(floor(v)), @spans@ - 1);
    n := {1.0, 0.0, 0.0, 0.0};
    for degree in 1:3 loop
      saved := 0.0;
      for j in 1:degree loop
        right := min(max(first + j, 0), @spans@);
        left := min(max(first + j - degree, 0), @spans@);
        share := n[j]/(right - left);
        n[j] := saved + (right - v)*share;
        saved := (v - left)*share;
      end for;
      n[degree + 1] := saved;
    end for;
    phi := zeros(@size@);
    phi[1] := 1.0;
    for j in 1:4 loop
      phi[first + 1 + j] := n[j];
    end for;
  end splines;
)mo";

/// φ(t).
Equations functions_of(const ModulatedStructure& structure, const Vector& theta) {
  if (const auto* spline = dynamic_cast<const SplineBasis*>(&structure.basis()))
    return {filled(spline_function, {{"size", fmt::format("{}", spline->size())},
                                     {"spans", fmt::format("{}", spline->count() - 3)},
                                     {"begin", exact(spline->begin())},
                                     {"end", exact(spline->end())}}),
            "  phi = splines(time);\n"};
  const auto* fixed = dynamic_cast<const FourierFeatures*>(&structure.basis());
  const Vector omega = fixed ? fixed->frequencies() : structure.omega(theta);
  const double origin =
      fixed ? fixed->origin() : dynamic_cast<const Harmonics&>(structure.basis()).origin();
  std::string waves = "1.0";
  for (Index k = 0; k < omega.size(); ++k)
    waves += fmt::format(",\n    cos({0}*(time - ({1}))), sin({0}*(time - ({1})))", exact(omega[k]),
                         exact(origin));
  return {"", fmt::format("  phi = {{{}}};\n", waves)};
}

Equations modulated(const ModulatedStructure& structure, const Vector& theta) {
  const std::string base = structure.base().name();
  const Index n = structure.dimension(), pairs = n * (n - 1) / 2;
  Equations of = functions_of(structure, theta);
  const Matrix c = structure.coefficients(theta);
  of.declared += fmt::format(
      "  parameter Real c[{0}, {1}] = {2} \"a row per entry, a column per function of time\";\n"
      "  Real phi[{1}] \"functions of time\";\n"
      "  Real u[{0}] \"entries\";\n",
      c.rows(), c.cols(), array(c));
  const Vector bounds = structure.base().lower_bounds();
  const bool softplus = structure.link() == ModulatedStructure::Link::softplus;
  if (!softplus || (bounds.array() != 0).all()) {
    of.holds += "  u = c*phi;\n";
  } else {
    for (Index e = 0; e < bounds.size(); ++e) {
      const std::string sum = fmt::format("c[{}, :]*phi", e + 1);
      of.holds +=
          bounds[e] != 0
              ? fmt::format("  u[{}] = {};\n", e + 1, sum)
              : fmt::format(
                    "  u[{0}] = noEvent(max({1}, 0.0)) + log(1.0 + exp(-noEvent(abs({1}))));\n",
                    e + 1, sum);
    }
  }
  const std::string s = base == "full" ? "" : "  S = " + matrix_of(Part::skew, n, 0) + ";\n";
  const auto declare = [&](const char* name) {
    of.declared += fmt::format("  Real {}[{}, {}];\n", name, n, n);
  };
  if (base == "full") {
    of.holds +=
        "  A = " +
        matrix_text(n, [n](Index i, Index j) { return fmt::format("u[{}]", j * n + i + 1); }) +
        ";\n";
    return of;
  }
  declare("S");
  of.holds += s;
  if (base == "skew") of.holds += "  A = S;\n";
  if (base == "sd") of.holds += fmt::format("  A = S - {};\n", damping_of(n, pairs));
  if (base == "scaled-sd") {
    of.declared += fmt::format("  Real scale[{}];\n", n);
    std::string scale = "1.0";
    for (Index i = 1; i < n; ++i) scale += ", " + scale_of(fmt::format("u[{}]", pairs + n + i));
    of.holds += fmt::format("  scale = {{{}}};\n", scale);
    of.holds += fmt::format("  A = diagonal(scale)*(S - {})*diagonal(fill(1.0, {})./scale);\n",
                            damping_of(n, pairs), n);
  }
  if (base == "psd" || base == "metric") {
    declare("L");
    of.holds += "  L = " + matrix_of(Part::lower, n, pairs) + ";\n";
  }
  if (base == "psd") of.holds += "  A = S - L*transpose(L);\n";
  if (base == "metric") {
    declare("G");
    of.holds += "  G = " + matrix_of(Part::lower, n, pairs + n * (n + 1) / 2, true) + ";\n";
    of.holds += "  A = (S - L*transpose(L))*(G*transpose(G));\n";
  }
  return of;
}

Equations law(const VaryingParametric& structure, const Vector& theta) {
  Equations of;
  const Vector p = structure.constants().values(theta);
  const auto names = structure.parameter_names();
  for (Index k = 0; k < p.size(); ++k)
    of.declared +=
        fmt::format("  parameter Real {} = {};\n", names[static_cast<std::size_t>(k)], exact(p[k]));
  if (structure.law().name() == "ltv-oscillator") {
    of.holds = "  A = {{0.0, 1.0}, {-omega2, -gamma0*(1.0 + a*sin(omega_d*time))}};\n";
    return of;
  }
  // ltv-chain: spring i is to the left of mass i.
  const Index masses = structure.dimension() / 2;
  of.declared += fmt::format("  Real k[{}] \"springs\";\n", masses + 1);
  for (Index i = 0; i <= masses; ++i)
    of.holds += fmt::format("  k[{}] = stiffness{};\n", i + 1,
                            i == (masses + 1) / 2 ? "*(1.0 + drift*tanh(time/tau))" : "");
  of.holds += "  A = " +
              matrix_text(2 * masses,
                          [=](Index i, Index j) -> std::string {
                            if (i < masses) return j == i + masses ? "1.0" : "0.0";
                            const Index mass = i - masses;
                            if (j >= masses) return j == i ? "-damping" : "0.0";
                            if (j == mass) return fmt::format("-k[{}] - k[{}]", mass + 1, mass + 2);
                            return std::abs(j - mass) == 1
                                       ? fmt::format("k[{}]", std::max(j, mass) + 1)
                                       : "0.0";
                          }) +
              ";\n";
  return of;
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
  const Variation as = check_exportable(model);
  const Index n = model.dimension();
  const std::string called = model_name(name);
  const std::vector<std::string> outputs = identifiers(model.channels, called);
  const bool known = model.starts.cols() > 0;
  std::string text = fmt::format(
      "model {} {}\n  // dx/dt = A x; time in {}, angular rates in rad per unit of time, channels in their own units\n",
      called, quoted(title(model)), one_line(model.time_unit));
  text += fmt::format("  parameter Real x0[{}] = {} {};\n", n,
                      array(known ? Vector(model.starts.col(0)) : Vector::Ones(n)),
                      quoted(known ? "start of the first run" : "no start is known"));
  text += fmt::format("  Real x[{}](start = x0, each fixed = true) \"states\";\n", n);
  for (std::size_t k = 0; k < outputs.size(); ++k)
    text +=
        fmt::format("  output Real {} = x[{}] {};\n", outputs[k], k + 1, quoted(model.channels[k]));
  Equations of;
  if (model.variation) {
    of = as.law ? law(*as.law, model.variation->theta)
                : modulated(*as.modulated, model.variation->theta);
    of.declared += fmt::format("  Real A[{0}, {0}] \"generator\";\n", n);
  } else {
    of.declared =
        fmt::format("  parameter Real A[{0}, {0}] = {1} \"generator\";\n", n, array(model.a));
  }
  text += of.declared + "equation\n" + of.holds + "  der(x) = A*x;\n";
  const double begin = begin_of(model), end = end_of(model);
  text += fmt::format(
      "  annotation(experiment(StartTime = {}, StopTime = {}, Tolerance = 1e-10{}));\n"
      "end {};\n",
      exact(begin), exact(end),
      model.data.step > 0 ? fmt::format(", Interval = {:.12g}", model.data.step) : "", called);
  return text;
}

}  // namespace lgn
