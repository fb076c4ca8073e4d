#include "lgn/report/text/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "lgn/dynamics/modulated.h"
#include "lgn/model/ports.h"
#include "lgn/physics/assignment.h"

namespace lgn {
namespace {

/// Number of characters that a UTF-8 text takes on screen.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string pole_text(const Complex& pole) {
  if (pole.imag() == 0) return short_number(pole.real());
  return fmt::format("{} ± {}i", short_number(pole.real()), short_number(std::abs(pole.imag())));
}

/// The error in units of the last digits: 0.39694(12) is 0.39694 ± 0.00012.
std::string concise(double value, double error) {
  const auto decimals = decimals_for(value, error);
  if (!decimals) return short_number(value);
  return fmt::format("{:.{}f}({:.0f})", value, *decimals, error * std::pow(10.0, *decimals));
}

std::string pole_text(const Mode& mode) {
  if (!mode.se) return pole_text(mode.pole);
  return root_text(mode.pole, mode.se->re, mode.se->im);
}

/// Channels whose participation is at least half of the largest, at most four.
std::string main_channels(const Mode& mode, const std::vector<std::string>& channels) {
  if (mode.participation.size() == 0) return "–";
  std::vector<Index> order(channels.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return mode.participation[a] > mode.participation[b] * (1 + 1e-9);
  });
  std::string text;
  for (std::size_t k = 0; k < std::min<std::size_t>(order.size(), 4); ++k) {
    if (mode.participation[order[k]] < 0.5 * mode.participation[order[0]]) break;
    text += (k > 0 ? ", " : "") + channels[static_cast<std::size_t>(order[k])];
  }
  return text;
}

/// The second of a conjugate pair adds nothing to the first.
bool is_second_of_pair(const Mode& mode) { return mode.pole.imag() > 0; }

}  // namespace

std::string root_text(const Complex& root, double re_error, double im_error) {
  const std::string real = concise(root.real(), re_error);
  if (root.imag() == 0) return real;
  return fmt::format("{} ± {}i", real, concise(std::abs(root.imag()), im_error));
}

std::string text_table(const std::vector<std::string>& header,
                       const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& cell : header) widths.push_back(width(cell));
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  std::string text;
  const auto add = [&](const std::vector<std::string>& row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - width(row[c]), ' ');
      text += (c > 0 ? "  " : "") + (c > 0 ? padding + row[c] : row[c] + padding);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  };
  add(header);
  const std::size_t total = std::accumulate(widths.begin(), widths.end(), 2 * (widths.size() - 1));
  for (std::size_t i = 0; i < total; ++i) text += "─";
  text += '\n';
  for (const auto& row : rows) add(row);
  return text;
}

void align_left(std::vector<std::vector<std::string>>& rows, std::size_t column) {
  std::size_t widest = 0;
  for (const auto& row : rows) widest = std::max(widest, width(row[column]));
  for (auto& row : rows) row[column] += std::string(widest - width(row[column]), ' ');
}

std::vector<ModeRow> mode_rows(const Model& model) {
  constexpr const char* none = "–";
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<ModeRow> rows;
  for (const auto& mode : model.modes) {
    if (is_second_of_pair(mode)) continue;
    if (mode.identifiable.has_value() && !*mode.identifiable) {
      rows.push_back({"not determined", none, none, none, none, none, mode.reason});
      continue;
    }
    const bool oscillates = mode.oscillates();
    const Mode::Errors se = mode.se.value_or(
        Mode::Errors{unknown, unknown, unknown, unknown, unknown, unknown, unknown});
    rows.push_back({pole_text(mode),
                    mode.decay_below && !oscillates
                        ? fmt::format("< {:.2g}", *mode.decay_below)
                        : with_error(mode.natural_frequency, se.natural_frequency),
                    oscillates ? with_error(mode.frequency_hz, se.frequency_hz) : none,
                    !oscillates        ? none
                    : mode.decay_below ? fmt::format("< {:.2g}", *mode.damping_ratio_below())
                                       : with_error(mode.damping_ratio, se.damping_ratio),
                    mode.decay_below ? fmt::format("> {:.2g}", *mode.time_constant_above())
                                     : with_error(mode.time_constant, se.time_constant),
                    !oscillates        ? none
                    : mode.decay_below ? fmt::format("> {:.2g}", 0.5 / *mode.damping_ratio_below())
                                       : short_number(mode.quality),
                    main_channels(mode, model.channels) +
                        (mode.spurious.empty() ? "" : "; spurious? " + mode.spurious)});
  }
  return rows;
}

Table candidates(const Model& model) {
  const auto percent = [](double part) {
    return std::isfinite(part) ? fmt::format("{:.3g}%", 100 * part) : std::string("–");
  };
  Table table{{"structure", "free parameters", "fit error", "validation error", "BIC", "verdict"},
              {}};
  for (const auto& c : model.candidates)
    table.rows.push_back({c.structure, c.parameters > 0 ? std::to_string(c.parameters) : "–",
                          percent(c.nrmse), percent(c.held_out),
                          std::isfinite(c.criterion) ? fmt::format("{:.1f}", c.criterion) : "–",
                          c.verdict});
  const bool hidden = std::any_of(model.candidates.begin(), model.candidates.end(),
                                  [](const auto& c) { return c.states > 0; });
  if (!hidden) return table;
  table.header.insert(table.header.begin() + 1, "states");
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    const Index states = model.candidates[k].states;
    table.rows[k].insert(
        table.rows[k].begin() + 1,
        std::to_string(states > 0 ? states : static_cast<Index>(model.channels.size())));
  }
  return table;
}

std::string candidates_table(const Model& model) {
  Table table = candidates(model);
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    std::string& verdict = table.rows[k].back();
    verdict = (model.candidates[k].chosen ? "→ " : "  ") + verdict;
  }
  align_left(table.rows, table.header.size() - 1);
  return text_table(table.header, table.rows);
}

namespace {

std::string errors_note(const Model& model) {
  const bool any = std::any_of(model.modes.begin(), model.modes.end(),
                               [](const Mode& mode) { return mode.se.has_value(); });
  if (!any) return {};
  const bool limits = std::any_of(model.modes.begin(), model.modes.end(), [](const Mode& mode) {
    return mode.decay_below && mode.identifiable.value_or(true);
  });
  std::string more;
  if (limits)
    more += fmt::format("< and >: limits with {:.4g}% confidence, where no decay is resolved\n",
                        100 * model.fit.confidence);
  if (model.fit.error_widening > 1.1)
    more +=
        model.fit.bootstrap > 0
            ? fmt::format(
                  "residuals are autocorrelated, noise of bootstrap samples is not: standard errors "
                  "are too small, by up to {:.2g}; leave the bootstrap out to have them widened\n",
                  model.fit.error_widening)
            : fmt::format(
                  "residuals are autocorrelated: standard errors are widened for that, by up to {:.2g}\n",
                  model.fit.error_widening);
  return fmt::format(
      "± one standard error{}; {:.4g}% confidence interval: ±{:.2f} standard errors\n{}",
      model.fit.bootstrap > 0 ? fmt::format(" by {} bootstrap samples", model.fit.bootstrap)
                              : std::string(),
      100 * model.fit.confidence, model.fit.interval, more);
}

/// Poles of a generator that varies are not its modes, and those of a large one are not all: neither is to be taken for the modes.
std::string modes_heading(const Model& model) {
  if (model.sparse)
    return fmt::format("{} of {} poles, those that were computed\n", model.modes.size(),
                       model.dimension());
  if (!model.variation) return {};
  const ModulatedStructure* modulated = model.variation->structure->modulated();
  if (modulated != nullptr && modulated->constant())
    return "no parameter of the generator varies beyond its standard error\n";
  return "modes of the mean generator; A(t) itself varies\n";
}

}  // namespace

std::string modes_table(const Model& model) {
  if (model.modes.empty()) return "no modes were computed with the fit\n";
  const std::string& unit = model.time_unit;
  const std::string hertz = fmt::format("f [{}]", frequency_unit(model));
  std::vector<std::vector<std::string>> rows;
  for (const auto& r : mode_rows(model))
    rows.push_back({r.pole, r.natural_frequency, r.frequency, r.damping, r.time_constant, r.quality,
                    r.channels});
  return modes_heading(model) +
         text_table({fmt::format("pole [1/{}]", unit), fmt::format("ω_n [rad/{}]", unit), hertz,
                     "ζ", fmt::format("τ [{}]", unit), "Q", "channels"},
                    rows) +
         errors_note(model);
}

std::string modes_table(const Model& model, const Model& truth) {
  model.check_dense("a comparison of all modes");
  truth.check_dense("a comparison of all modes");
  ComplexVector found(model.dimension()), real(truth.dimension());
  for (Index k = 0; k < found.size(); ++k) found[k] = model.modes[static_cast<std::size_t>(k)].pole;
  for (Index k = 0; k < real.size(); ++k) real[k] = truth.modes[static_cast<std::size_t>(k)].pole;
  const EigenvalueMatch match = match_eigenvalues(real, found);
  std::vector<std::vector<std::string>> rows;
  for (Index k = 0; k < real.size(); ++k) {
    const Mode& mode = truth.modes[static_cast<std::size_t>(k)];
    if (is_second_of_pair(mode)) continue;
    const Mode& partner =
        model.modes[static_cast<std::size_t>(match.partner[static_cast<std::size_t>(k)])];
    const double relative = match.distance[k] / mode.natural_frequency;
    rows.push_back({pole_text(partner.pole), pole_text(mode.pole),
                    short_number(partner.frequency_hz), short_number(mode.frequency_hz),
                    short_number(partner.damping_ratio), short_number(mode.damping_ratio),
                    fmt::format("{:.1e}", relative)});
  }
  const std::string hertz = frequency_unit(model);
  // Hidden states have coordinates of their own.
  const std::string distance =
      model.hidden() || truth.hidden()
          ? ""
          : fmt::format("; ‖A − A*‖/‖A*‖ {:.2e}", (model.a - truth.a).norm() / truth.a.norm());
  return modes_heading(model) +
         text_table({fmt::format("pole [1/{}]", model.time_unit), "true pole",
                     fmt::format("f [{}]", hertz), "true f", "ζ", "true ζ", "|Δλ|/|λ|"},
                    rows) +
         fmt::format("mean |Δλ| {:.2e}{}\n", match.distance.mean(), distance);
}

Guarantee promised_by(const Model& model) {
  if (!model.drive.active()) return model.guarantee;
  return {model.guarantee.stable, false, false, model.guarantee.passive};
}

std::string guarantee_text(const Guarantee& guarantee) {
  if (guarantee.passive)
    return "guaranteed passive at its ports: no energy comes out that did not go in, for every "
           "parameter value";
  if (guarantee.conservative)
    return "guaranteed conservative: energy is constant for every parameter value";
  if (guarantee.dissipative)
    return "guaranteed passive: energy never grows, for every parameter value";
  if (guarantee.stable) return "guaranteed stable for every parameter value";
  return "no guarantee";
}

namespace {

/// The units of the channels in which a rescaled model is S − D.
std::string scale_text(const Model& model, const Vector& scale) {
  constexpr Index most = 8;
  std::string text = "S − D in channel units of ";
  for (Index c = 0; c < std::min(scale.size(), most); ++c)
    text += fmt::format("{}{} {}", c > 0 ? ", " : "", short_number(scale[c]),
                        model.channels[static_cast<std::size_t>(c)]);
  return text + (scale.size() > most ? ", …\n" : "\n");
}

/// How far the model is from its data.
std::string error_text(const Model& model) {
  if (model.ambient)
    return model.fit.nrmse_train > 0
               ? fmt::format("random vibration, spectra differ by {:.3g}% beyond chance",
                             100 * model.fit.nrmse_train)
               : "random vibration, spectra differ no more than by chance";
  return fmt::format("fit error {:.3g}% of the signal", 100 * model.fit.nrmse_train);
}

}  // namespace

std::string offset_text(const Model& model) {
  constexpr Index most = 8;
  std::string text;
  for (Index c = 0; c < std::min(model.offset.size(), most); ++c) {
    const double error = c < model.offset_errors.size() ? model.offset_errors[c] : 0;
    text += fmt::format("{}{} {}", c > 0 ? ", " : "", model.channels[static_cast<std::size_t>(c)],
                        short_number(model.offset[c]));
    if (error > 0) text += fmt::format(" ± {}", short_number(error));
  }
  return text + (model.offset.size() > most ? ", …" : "");
}

/// How inputs enter, as it was found or given.
std::string inputs_text(const Model& model) {
  const auto& [timing, b, d] = model.drive;
  std::string text = fmt::format(
      "input{} {}: {}, {}", model.inputs.size() == 1 ? "" : "s", fmt::join(model.inputs, ", "),
      timing.hold == Hold::zoh ? "held between samples (zoh)" : "linear between samples (foh)",
      d.size() > 0 ? "with feedthrough" : "no feedthrough");
  if (timing.delay > 0)
    text += fmt::format(", delay {} {}", short_number(timing.delay), model.time_unit);
  if (model.innovation.active()) {
    text += ", noise not white: innovations form, errors of the next sample σ ≈ ";
    const Vector sigma = model.innovation.covariance.diagonal().cwiseSqrt();
    constexpr Index most = 8;
    for (Index c = 0; c < std::min(sigma.size(), most); ++c)
      text += fmt::format("{}{:.3g}", c > 0 ? ", " : "", sigma[c]);
    if (sigma.size() > most) text += ", …";
  }
  text += '\n';
  if (model.network)
    for (const ModelPort& port : ports(model))
      text += fmt::format("{} drives {}: {}{}\n", port.input, port.state, short_number(port.gain),
                          port.error > 0 ? " ± " + short_number(port.error) : "");
  return text;
}

std::string summary_text(const Model& model) {
  std::string text = fmt::format("{}, structure {} ({})\n", counted(model.dimension(), "state"),
                                 model.structure, guarantee_text(promised_by(model)));
  text += fmt::format("{}, {}: {}", counted(model.data.runs, "run"),
                      counted(model.data.samples, "sample"), error_text(model));
  if (model.fit.nrmse_holdout)
    text += fmt::format(", validation error {:.3g}%", 100 * *model.fit.nrmse_holdout);
  text += fmt::format(", noise σ ≈ {:.3g}; ", model.fit.noise_sigma);
  if (model.fit.iterations > 0)
    text +=
        fmt::format("{} after {} {} of {}, {:.2g} s\n",
                    model.fit.converged ? "converged" : "NOT converged", model.fit.iterations,
                    model.method == "adam" ? "epochs" : "steps", model.method, model.fit.seconds);
  else
    text += fmt::format("{}by {}, {:.2g} s\n", model.fit.converged ? "" : "NOT converged, ",
                        model.method, model.fit.seconds);
  // How such records are prepared is a choice, which others make otherwise.
  if (model.ambient && !model.data.assumptions.empty())
    text += fmt::format("data: {}\n", fmt::join(model.data.assumptions, "; "));
  for (std::size_t k = 0; k < model.parameters.size(); ++k) {
    const NamedValue& named = model.parameters[k];
    const auto place = static_cast<Index>(k);
    const double error =
        place < model.parameter_errors.size() ? model.parameter_errors[place] : std::nan("");
    if (named.shape == NamedValue::Shape::scalar && !model.variation)
      text += fmt::format("{} = {}\n", named.name, with_error(named.value(0, 0), error));
    if (named.name == "scale") text += scale_text(model, named.value.col(0));
  }
  if (model.offset.size() > 0) text += "offset: " + offset_text(model) + '\n';
  if (model.drive.active()) text += inputs_text(model);
  for (const auto& warning : model.warnings)
    text += fmt::format("warning [{}]: {}\n", warning.code, warning.message);
  return text;
}

}  // namespace lgn
