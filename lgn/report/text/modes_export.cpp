#include "lgn/report/text/modes_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/report/text/tables.h"

namespace lgn {
namespace {

bool determined(const ModeRow& row) { return row.pole != "not determined"; }

/// What the numbers rest on, in one sentence each.
std::string provenance(const Model& model) {
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
  if (model.modes_of() != "the generator") text += " Modes are those of " + model.modes_of() + ".";
  // As many digits as tell any two files apart.
  constexpr std::size_t digits = 16;
  if (!model.data.sha256.empty())
    text += fmt::format(" SHA-256 of the data: {}.", model.data.sha256.substr(0, digits));
  return text;
}

std::string as_markdown(const Model& model) {
  const std::string unit = markdown_text(model.time_unit);
  Table table{{fmt::format("pole [1/{}]", unit), fmt::format("ω\\_n [rad/{}]", unit),
               fmt::format("f [{}]", frequency_unit(model)), "ζ", fmt::format("τ [{}]", unit), "Q",
               "channels"},
              {}};
  for (const auto& row : mode_rows(model))
    table.rows.push_back({row.pole, row.natural_frequency, row.frequency, row.damping,
                          row.time_constant, row.quality, markdown_text(row.channels)});
  return markdown_table(table) + "\n" + markdown_text(provenance(model)) + "\n";
}

std::string as_latex(const Model& model) {
  const std::string unit = latex_text(model.time_unit);
  Table table{{fmt::format("pole [1/{}]", unit), fmt::format("$\\omega_n$ [rad/{}]", unit),
               fmt::format("$f$ [{}]", latex_text(frequency_unit(model))), "$\\zeta$",
               fmt::format("$\\tau$ [{}]", unit), "$Q$", "channels"},
              {}};
  for (const auto& row : mode_rows(model))
    table.rows.push_back({determined(row) ? latex_number(row.pole) : row.pole,
                          latex_number(row.natural_frequency), latex_number(row.frequency),
                          latex_number(row.damping), latex_number(row.time_constant),
                          latex_number(row.quality), latex_text(row.channels)});
  return latex_table(table, "llllllr", "Modes. " + latex_text(provenance(model)));
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
  text += "identifiable,spurious\n";
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
    text += mode.spurious.empty() ? ",\n" : fmt::format(",\"{}\"\n", mode.spurious);
  }
  return text;
}

}  // namespace

std::string modes_in(TableFormat format, const Model& model) {
  switch (format) {
    case TableFormat::csv:
      return as_csv(model);
    case TableFormat::markdown:
      return as_markdown(model);
    case TableFormat::latex:
      return as_latex(model);
    case TableFormat::text:
      break;
  }
  return modes_table(model);
}

}  // namespace lgn
