#include "lgn/report/modes_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string_view>

#include "lgn/core/error.h"
#include "lgn/report/tables.h"

namespace lgn {
namespace {

/// Each character of `text` as `escape` writes it.
template <class Escape>
std::string escaped(const std::string& text, Escape escape) {
  std::string result;
  for (const char c : text) result += escape(c);
  return result;
}

std::string markdown_text(const std::string& text) {
  return escaped(text, [](char c) {
    const bool special = std::string_view("\\`*_|<>[]").find(c) != std::string_view::npos;
    return special ? std::string{'\\', c} : std::string{c};
  });
}

std::string latex_text(const std::string& text) {
  return escaped(text, [](char c) -> std::string {
    switch (c) {
      case '\\':
        return "\\textbackslash{}";
      case '~':
        return "\\textasciitilde{}";
      case '^':
        return "\\textasciicircum{}";
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        return {'\\', c};
      default:
        return {c};
    }
  });
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

/// A cell such as "0.11218 ± 0.00037" or "-0.05 ± 1.2i" as mathematics; a dash stays one.
std::string latex_number(const std::string& cell) {
  if (cell == "–") return "--";
  std::string text = replaced(replaced(cell, "±", "\\pm"), "i", "\\,\\mathrm{i}");
  for (auto at = text.find('e'); at != std::string::npos; at = text.find('e', at + 1)) {
    // Only the powers of ten are left to hold an e; 1e+07 and 1e-07 are written without zeros.
    std::size_t end = at + 2;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    const std::string power = fmt::format(
        "\\cdot 10^{{{}}}", std::stoi(text.substr(text[at + 1] == '+' ? at + 2 : at + 1)));
    text.replace(at, end - at, power);
    at += power.size() - 1;
  }
  return "$" + text + "$";
}

bool determined(const ModeRow& row) { return row.pole != "not determined"; }

/// What the numbers rest on, in one sentence each.
std::string provenance(const Model& model) {
  const auto counted = [](Index n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  std::string text = fmt::format(
      "Identified by lgn {} (structure {}, method {}) from {}, {}", model.version, model.structure,
      model.method, counted(model.data.runs, "run"), counted(model.data.samples, "sample"));
  if (std::isfinite(model.fit.noise_sigma) && model.fit.noise_sigma > 0)
    text += fmt::format(", noise standard deviation {:.3g}", model.fit.noise_sigma);
  text += ".";
  const bool any = std::any_of(model.modes.begin(), model.modes.end(),
                               [](const Mode& mode) { return mode.se.has_value(); });
  if (any)
    text += fmt::format(" Errors are one standard error{}.",
                        model.fit.bootstrap > 0
                            ? fmt::format(" ({} bootstrap samples)", model.fit.bootstrap)
                            : std::string());
  if (model.variation) text += " Modes are those of the mean generator.";
  // As many digits as tell any two files apart.
  constexpr std::size_t digits = 16;
  if (!model.data.sha256.empty())
    text += fmt::format(" SHA-256 of the data: {}.", model.data.sha256.substr(0, digits));
  return text;
}

std::string as_markdown(const Model& model) {
  const std::string unit = markdown_text(model.time_unit);
  std::string text = fmt::format(
      "| pole [1/{0}] | ω_n [rad/{0}] | f [{1}] | ζ | τ [{0}] | Q | channels |\n"
      "|---|---|---|---|---|---|---|\n",
      unit, frequency_unit(model));
  text = replaced(text, "ω_n", "ω\\_n");
  for (const auto& row : mode_rows(model))
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", row.pole, row.natural_frequency,
                        row.frequency, row.damping, row.time_constant, row.quality,
                        markdown_text(row.channels));
  return text + "\n" + markdown_text(provenance(model)) + "\n";
}

std::string as_latex(const Model& model) {
  const std::string unit = latex_text(model.time_unit);
  std::string text =
      "\\begin{table}\n\\centering\n\\caption{Modes. " + latex_text(provenance(model)) +
      "}\n\\begin{tabular}{llllllr}\n\\hline\n" +
      fmt::format(
          "pole [1/{0}] & $\\omega_n$ [rad/{0}] & $f$ [{1}] & $\\zeta$ & $\\tau$ [{0}] & $Q$ & "
          "channels \\\\\n\\hline\n",
          unit, latex_text(frequency_unit(model)));
  for (const auto& row : mode_rows(model)) {
    const std::string pole = determined(row) ? latex_number(row.pole) : row.pole;
    text += fmt::format("{} & {} & {} & {} & {} & {} & {} \\\\\n", pole,
                        latex_number(row.natural_frequency), latex_number(row.frequency),
                        latex_number(row.damping), latex_number(row.time_constant),
                        latex_number(row.quality), latex_text(row.channels));
  }
  return text + "\\hline\n\\end{tabular}\n\\end{table}\n";
}

std::string as_csv(const Model& model) {
  const auto number = [](double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
  };
  std::string text;
  for (const char* name :
       {"re", "im", "natural_frequency", "frequency_hz", "damping_ratio", "time_constant",
        "quality_factor", "se_re", "se_im", "se_natural_frequency", "se_frequency_hz",
        "se_damping_ratio", "se_time_constant"})
    text += fmt::format("{},", name);
  text += "identifiable\n";
  for (const auto& mode : model.modes) {
    if (mode.pole.imag() < 0) continue;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const Mode::Errors se = mode.se.value_or(Mode::Errors{none, none, none, none, none, none});
    for (const double value :
         {mode.pole.real(), mode.pole.imag(), mode.natural_frequency, mode.frequency_hz,
          mode.damping_ratio, mode.time_constant, mode.quality, se.re, se.im, se.natural_frequency,
          se.frequency_hz, se.damping_ratio, se.time_constant})
      text += number(value) + ',';
    if (mode.identifiable) text += *mode.identifiable ? "true" : "false";
    text += '\n';
  }
  return text;
}

}  // namespace

ModesFormat find_modes_format(const std::string& name) {
  if (name == "text") return ModesFormat::text;
  if (name == "csv") return ModesFormat::csv;
  if (name == "markdown") return ModesFormat::markdown;
  if (name == "latex") return ModesFormat::latex;
  throw Error(fmt::format("unknown format \"{}\"", name),
              "formats are text, csv, markdown and latex");
}

std::string modes_in(ModesFormat format, const Model& model) {
  switch (format) {
    case ModesFormat::csv:
      return as_csv(model);
    case ModesFormat::markdown:
      return as_markdown(model);
    case ModesFormat::latex:
      return as_latex(model);
    case ModesFormat::text:
      break;
  }
  return modes_table(model);
}

}  // namespace lgn
