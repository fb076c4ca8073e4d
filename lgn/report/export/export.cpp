#include "lgn/report/export/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/model/law_curves.h"
#include "lgn/report/export/export_internal.h"
#include "lgn/report/export/subcircuit.h"
#include "lgn/report/export/templates_internal.h"

namespace lgn {
namespace {

using namespace export_internal;

/// Letters, digits and _, a letter first: a name in every language, whatever the locale.
bool is_name(const std::string& text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !text.empty() && letter(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '_';
  });
}

/// A string literal of Python.
std::string quoted(const std::string& text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

/// A string literal of Modelica, which has few escapes.
std::string quoted_line(const std::string& text) { return quoted(one_line(text)); }

/// Text as an expression in ASCII: characters of Octave are bytes, those of MATLAB UTF-16, and both
/// convert from UTF-8.
std::string octave_text(const std::string& text) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; })) {
    std::string result;
    for (const char c : text) result.append(c == '\'' ? 2 : 1, c);
    return "'" + result + "'";
  }
  const std::string valid = array_internal::valid_utf8(text);
  const std::vector<unsigned char> bytes(valid.begin(), valid.end());
  return fmt::format("native2unicode(uint8([{}]), 'UTF-8')", fmt::join(bytes, " "));
}

constexpr Language python{"np.array([",         "])",    "[", "]",  ",\n    ", "\n    ",
                          "np.zeros(({}, {}))", "u[{}]", 0,   "**", " @ ",     quoted};
constexpr Language octave{"[",     "]", "",   "",    "; ...\n  ", ";\n", "zeros({}, {})",
                          "u({})", 1,   ".^", " * ", octave_text};
constexpr Language modelica{"{",     "}", "{",  "}", ",\n    ",  ";\n", "zeros({}, {})",
                            "u[{}]", 1,   ".^", "*", quoted_line};

/// A difference of times without their rounding.
std::string duration(double difference) { return fmt::format("{:.12g}", difference); }

/// An identifier of Modelica in its quotes; characters that none has become _.
std::string identifier(const std::string& name) {
  std::string text;
  for (const std::uint32_t c : array_internal::code_points(name)) {
    if (c == '\'' || c == '\\' || c == '"') text += '\\';
    text += c >= ' ' && c < 0x7f && c != '`' ? static_cast<char>(c) : '_';
  }
  return fmt::format("'{}'", text.empty() ? "_" : text);
}

/// Inputs and outputs called as theirs, all different: a second one gets _2.
class ModelicaNames {
 public:
  std::string unique(const std::string& name) {
    std::string found = identifier(name);
    for (int copy = 2; !used_.insert(found).second; ++copy)
      found = identifier(fmt::format("{}_{}", name, copy));
    return found;
  }

 private:
  std::set<std::string> used_;
};

std::string without_last_line_end(std::string_view text) {
  return std::string(text.substr(0, text.find_last_not_of('\n') + 1));
}

/// Declarations of outputs and inputs, and where inputs enter.
void add_variables(const Model& model, Marks& marks) {
  const auto& [timing, b, d] = model.drive;
  ModelicaNames names;
  std::vector<std::string> outputs, inputs, now;
  const char seen = model.hidden() || d.size() > 0 || model.nonlinear ? 'y' : 'x';
  for (const auto& name : model.channels)
    outputs.push_back(fmt::format("  output Real {} = {}[{}] {};", names.unique(name), seen,
                                  outputs.size() + 1, quoted_line(name)));
  marks["outputs"] = fmt::format("{}", fmt::join(outputs, "\n"));
  marks["forced"] = model.drive.active() ? " + B*u" : "";
  marks["times_input"] = d.size() > 0 ? " + D*u" : "";
  if (!model.drive.active()) return;
  for (const auto& name : model.inputs) {
    const std::string variable = names.unique(name);
    inputs.push_back(fmt::format("  input Real {} {};", variable, quoted_line(name)));
    now.push_back(timing.delay > 0 ? fmt::format("delay({}, {})", variable, exact(timing.delay))
                                   : variable);
  }
  marks.insert({{"input_variables", fmt::format("{}", fmt::join(inputs, "\n"))},
                {"inputs_now", fmt::format("{}", fmt::join(now, ", "))},
                {"delayed", timing.delay > 0 ? ", which act late" : ""},
                {"hold_words", timing.hold == Hold::zoh ? "constant" : "straight lines"}});
  if (!model.hidden() && d.size() > 0) marks["fed_states"];
}

/// A name that every circuit simulator takes.
std::string circuit_name(const std::string& stem) { return is_name(stem) ? stem : "model"; }

struct Format {
  std::string_view name, ending;
  /// The text, for a file whose name without ending is given; `ports`: what is said of them.
  std::string (*text)(const Model& model, const std::string& stem, const std::string& ports);
};
constexpr auto script = [](const Model& m, const std::string& stem, const std::string&) {
  return octave_script(m, stem);
};
constexpr std::array formats{
    Format{"python", ".py",
           [](const Model& m, const std::string&, const std::string&) { return python_script(m); }},
    Format{"octave", ".m", script},
    Format{"matlab", ".m", script},
    Format{"mat", ".mat",
           [](const Model& m, const std::string&, const std::string&) { return mat_file(m); }},
    Format{"modelica", ".mo",
           [](const Model& m, const std::string& stem, const std::string&) {
             return modelica_text(m, stem);
           }},
    Format{"spice", ".cir",
           [](const Model& m, const std::string& stem, const std::string& ports) {
             return spice_subcircuit(m, circuit_name(stem), find_port_kind(m, ports));
           }},
    Format{"latex", ".tex",
           [](const Model& m, const std::string&, const std::string&) { return law_latex(m); }},
};

}  // namespace

std::string python_script(const Model& of_channels) {
  const Model model = states_as_channels(of_channels);
  Vector begins(model.starts.cols());
  for (Index run = 0; run < begins.size(); ++run) begins[run] = model.begin(run);
  Marks marks{{"starts", python.matrix(model.starts.transpose())},
              {"begins", python.vector(begins)},
              {"begin", exact(model.begin())},
              {"data_step", duration(model.data.step)},
              {"input_pieces", without_last_line_end(embedded::python_inputs_template)}};
  add_law(model, python, marks);
  return rendered(model.nonlinear ? embedded::python_law_template : embedded::python_template,
                  model, python, std::move(marks));
}

bool is_function_name(const std::string& name) {
  constexpr std::size_t longest = 63;
  // Words of both languages, and functions of the script that it would hide.
  constexpr std::string_view taken =
      " break case catch classdef continue else elseif end end_try_catch for function global if "
      "otherwise parfor persistent return spmd switch try while do until endif endfor endfunction "
      "endwhile endswitch unwind_protect unwind_protect_cleanup end_unwind_protect endparfor "
      "states_at field_of generator_of magnus_step corner_between flow_between pieces_of flow_of ";
  return name.size() <= longest && is_name(name) && taken.find(" " + name + " ") == taken.npos;
}

std::string octave_script(const Model& of_channels, const std::string& name) {
  const Model model = states_as_channels(of_channels);
  if (!is_function_name(name))
    throw Error(fmt::format("\"{}\" cannot be the name of a MATLAB function", one_line(name)),
                "use letters, digits and _, a letter first, and no word of the language");
  Marks marks{{"name", name},
              {"input_pieces", without_last_line_end(embedded::octave_inputs_template)}};
  add_law(model, octave, marks);
  return rendered(model.nonlinear ? embedded::octave_law_template : embedded::octave_template,
                  model, octave, std::move(marks));
}

std::string modelica_text(const Model& of_channels, const std::string& name) {
  const Model model = states_as_channels(of_channels);
  // No word of the language begins with a capital.
  std::string called = name;
  if (is_name(name)) called[0] = static_cast<char>(std::toupper(called[0]));
  const bool known = model.starts.cols() > 0;
  const double begin = model.begin(0), step = model.data.step;
  Marks marks{{"name", is_name(called) ? called : identifier(name)},
              {"unit", one_line(model.time_unit)},
              {"x0", modelica.vector(known ? Vector(model.starts.col(0))
                                           : Vector::Ones(model.dimension()))},
              {"initial", known ? "initial state of the first run" : "no initial state is known"},
              {"begin", exact(begin)},
              {"stop", duration(std::max(model.end(), begin))},
              {"interval", step > 0 ? ", Interval = " + duration(step) : ""}};
  add_variables(model, marks);
  add_law(model, modelica, marks);
  return rendered(model.nonlinear ? embedded::modelica_law_template : embedded::modelica_template,
                  model, modelica, std::move(marks));
}

std::string export_text(const Model& model, const std::string& path, const std::string& wanted,
                        const std::string& ports) {
  model.check_dense("an export");
  const std::filesystem::path file(path == "-" ? "model" : path);
  for (const Format& format : formats)
    if (wanted.empty() ? format.ending == file.extension() : format.name == wanted)
      return format.text(model, file.stem().string(), ports);
  if (!wanted.empty())
    throw Error(fmt::format("there is no format \"{}\"", wanted),
                setting("format") + " is python, octave, matlab, mat, modelica, spice or latex");
  throw Error(
      "a model cannot be exported as this",
      "give " + setting("format") + ", or a file that ends in .py, .m, .mat, .mo, .cir or .tex",
      {path == "-" ? "" : path, 0, 0});
}

}  // namespace lgn
