#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/report/export/export.h"
#include "lgn/report/export/export_internal.h"
#include "lgn/report/text/table_formats.h"

namespace lgn {
namespace {

/// A state's name in a formula: q_{1}, \theta, \mathrm{swing}.
std::string latex_name(const std::string& name) {
  constexpr std::array greek{"alpha", "beta", "gamma", "delta", "theta", "phi", "psi", "omega"};
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t base = name.size();
  while (base > 1 && is_digit(name[base - 1])) --base;
  const std::string letters = name.substr(0, base), digits = name.substr(base);
  std::string text;
  if (std::find(greek.begin(), greek.end(), letters) != greek.end()) {
    text = "\\" + letters;
  } else if (letters.size() == 1 && std::isalpha(static_cast<unsigned char>(letters[0])) != 0) {
    text = letters;
  } else {
    text = "\\mathrm{" + latex_text(export_internal::one_line(letters)) + "}";
  }
  return digits.empty() ? text : fmt::format("{}_{{{}}}", text, digits);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

namespace export_internal {

void add_law(const Model& model, const Language& language, Marks& marks) {
  if (!model.nonlinear) return;
  const Index n = model.dimension();
  const std::string state = "x" + std::string(language.entry.substr(1));
  const auto factor = [&](int code) {
    if (is_input(code, n))
      return fmt::format(fmt::runtime(language.entry),
                         code - input_of(0, n) + language.first_index);
    const Index place = code < n ? code : (code - n) / 2;
    const std::string x = fmt::format(fmt::runtime(state), place + language.first_index);
    return code < n ? x : fmt::format("{}({})", (code - n) % 2 == 0 ? "sin" : "cos", x);
  };
  std::vector<std::string> slopes(static_cast<std::size_t>(n));
  for (const auto& [row, factors, coefficient, error] : model.nonlinear->terms()) {
    std::string term = exact(std::abs(coefficient));
    for (const int code : factors) term += "*" + factor(code);
    std::string& slope = slopes[static_cast<std::size_t>(row)];
    slope += fmt::format("{}{}", coefficient < 0 ? " - " : slope.empty() ? "" : " + ", term);
  }
  for (auto& slope : slopes)
    if (slope.empty()) slope = "0.0";
  marks["field"] = language.column(slopes);
  marks["rest"] = language.vector(model.rest());
  marks["u_after"] = model.drive.active() ? ", u" : "";
}

}  // namespace export_internal

std::string law_latex(const Model& model) {
  if (!model.nonlinear)
    throw Error(
        "LaTeX is for laws that are not linear",
        "tables of modes are written by the command modes, with " + setting("format", "latex"));
  std::vector<std::string> names;
  for (const auto& name : model.states()) names.push_back(latex_name(name));
  std::vector<std::string> inputs;
  for (const auto& name : model.inputs) inputs.push_back(latex_name(name));
  std::vector<std::string> lines = law_lines(*model.nonlinear, names, inputs);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    // "dq/dt = …" as the other languages have it.
    lines[k] =
        fmt::format("\\dot{{{}}} &={}", names[k], lines[k].substr(lines[k].find("/dt =") + 5));
    replace_all(lines[k], " sin(", " \\sin(");
    replace_all(lines[k], " cos(", " \\cos(");
  }
  return fmt::format("\\begin{{align}}\n  {}\n\\end{{align}}\n", fmt::join(lines, " \\\\\n  "));
}

}  // namespace lgn
