#include "lgn/report/report_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "lgn/identify/residuals.h"
#include "lgn/report/drawn_runs_internal.h"
#include "lgn/report/tables.h"
#include "lgn/report/variation_table.h"

namespace lgn {
namespace {

std::string count_word(std::size_t count) {
  static constexpr std::array words{"no",    "one",   "two",  "three", "four",   "five",  "six",
                                    "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  return count < words.size() ? words[count] : fmt::format("{}", count);
}

std::string capital(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string three_digits(double value) { return fmt::format("{:.3g}", value); }

std::string percent(double part) { return fmt::format("{:.2g}%", 100 * part); }

/// Modes of one kind, such as "three damped oscillations".
void add_kind(std::vector<std::string>& parts, std::size_t count, const char* one,
              const char* many) {
  if (count > 0) parts.push_back(fmt::format("{} {}", count_word(count), count == 1 ? one : many));
}

std::string listed(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t k = 0; k < parts.size(); ++k)
    text += (k == 0 ? "" : k + 1 == parts.size() ? " and " : ", ") + parts[k];
  return text;
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  if (names.size() <= most) return listed(names);
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + most, ", "),
                     names.size() - most);
}

/// What the fit leaves over, and whether it is noise.
Reason left_over(const Model& model, const DrawnRuns& drawn) {
  const auto fits_anything = [](const Warning& warning) {
    return warning.code == "underdetermined";
  };
  if (std::any_of(model.warnings.begin(), model.warnings.end(), fits_anything))
    return {false, "There are more unknowns than values: that the model fits says nothing."};
  const double part = std::sqrt(drawn.left_over.sum() / std::max(drawn.power.sum(), 1e-300));
  if (part < explained)
    return {true,
            fmt::format(
                "The model explains the data to {:.1g} of their size: what is left is rounding.",
                part)};
  std::vector<std::string> coloured;
  for (Index c = 0; c < model.dimension(); ++c)
    if (!drawn.autocorrelation.white(c))
      coloured.push_back(model.channels[static_cast<std::size_t>(c)]);
  const std::string left = fmt::format("The model leaves {} of the signal", percent(part));
  if (coloured.empty()) return {true, left + ", and what is left looks like noise."};
  return {false,
          fmt::format("{}. In {} neighbouring residuals resemble one another more than noise does: "
                      "the model, or the idea of independent noise, is not the whole truth there.",
                      left,
                      coloured.size() == model.channels.size() && coloured.size() > 1
                          ? "every channel"
                          : some_of(coloured))};
}

/// How the part that was held out is predicted: as noise allows, or worse.
Reason ahead(const DrawnRuns& drawn) {
  // Channels may have units of their own.
  const Vector least = explained * explained * drawn.power.cwiseMax(1e-300);
  const double ratio = std::sqrt(
      (drawn.held_out.cwiseMax(least).array() / drawn.left_over.cwiseMax(least).array()).mean());
  const std::string times = fmt::format("{:.2g} times as large as where it was fitted", ratio);
  if (ratio <= 1.3)
    return {true, "It predicts the part that was held out: the error there is " + times + "."};
  return {false, "It predicts the part that was held out worse: the error there is " + times + "."};
}

Reason pole_certainty(const Model& model) {
  const auto open = static_cast<std::size_t>(
      std::count_if(model.modes.begin(), model.modes.end(),
                    [](const Mode& mode) { return mode.identifiable && !*mode.identifiable; }));
  if (open > 0)
    return {
        false,
        fmt::format(
            "{} of {} modes are not determined by these data; their numbers are not to be used.",
            capital(count_word(open)), model.modes.size())};
  double pole = 0, damping = 0;
  for (const auto& mode : model.modes) {
    if (!mode.se || !(std::abs(mode.pole) > 0)) continue;
    pole = std::max(pole, std::hypot(mode.se->re, mode.se->im) / std::abs(mode.pole));
    if (mode.oscillates() && mode.damping_ratio != 0)
      damping = std::max(damping, mode.se->damping_ratio / std::abs(mode.damping_ratio));
  }
  std::string text = fmt::format(
      "Every pole is determined, the least certain one to {} of its size", percent(pole));
  if (damping > 0)
    text += fmt::format(" and the least certain damping ratio to {}", percent(damping));
  return {true, text + " (one standard error)."};
}

Reason guaranteed(const Model& model) {
  const auto of_structure = [&](const char* what) {
    return fmt::format("Its structure, {}, {}.", model.structure, what);
  };
  if (model.guarantee.conservative)
    return {true, of_structure("conserves energy whatever its parameters are")};
  if (model.guarantee.dissipative)
    return {true,
            of_structure("cannot gain energy: the model is stable whatever its parameters are")};
  if (model.guarantee.stable) return {true, of_structure("is stable whatever its parameters are")};
  return {false,
          of_structure("guarantees nothing: that the model is stable, if it is, the data say")};
}

}  // namespace

std::string found_in_words(const Model& model) {
  std::size_t damped = 0, lasting = 0, growing = 0, decays = 0, rises = 0, still = 0;
  const Mode* slowest = nullptr;
  for (const auto& mode : model.modes) {
    const double rate = mode.pole.real();
    if (mode.pole.imag() > 0) {
      ++(rate < 0 ? damped : rate > 0 ? growing : lasting);
      if (slowest == nullptr || mode.natural_frequency < slowest->natural_frequency)
        slowest = &mode;
    } else if (!mode.oscillates()) {
      ++(rate < 0 ? decays : rate > 0 ? rises : still);
    }
  }
  std::vector<std::string> parts;
  add_kind(parts, damped, "damped oscillation", "damped oscillations");
  add_kind(parts, lasting, "undamped oscillation", "undamped oscillations");
  add_kind(parts, growing, "growing oscillation", "growing oscillations");
  add_kind(parts, decays, "decay without oscillation", "decays without oscillation");
  add_kind(parts, rises, "growth without oscillation", "growths without oscillation");
  add_kind(parts, still, "state that stays as it is", "states that stay as they are");
  std::string text = listed(parts);
  text = model.variation ? variation_in_words(model) + "Its mean has " + text : capital(text);
  if (slowest != nullptr) {
    text += fmt::format("; {} rings at {} {}",
                        damped + lasting + growing > 1 ? "the slowest"
                        : parts.size() > 1             ? "the oscillation"
                                                       : "it",
                        three_digits(slowest->frequency_hz), frequency_unit(model));
    if (slowest->pole.real() < 0)
      text +=
          fmt::format(" and loses half its energy in {} {}",
                      three_digits(std::log(2.0) / (-2 * slowest->pole.real())), model.time_unit);
  }
  return text + ".";
}

std::vector<Reason> reasons_to_trust(const Model& model, const DrawnRuns& drawn,
                                     const SignalContent& content) {
  std::vector<Reason> reasons{left_over(model, drawn)};
  if (drawn.held_out.size() > 0) reasons.push_back(ahead(drawn));
  const bool errors_known = std::any_of(model.modes.begin(), model.modes.end(),
                                        [](const Mode& mode) { return mode.se.has_value(); });
  if (errors_known && !model.variation) reasons.push_back(pole_certainty(model));
  if (content.singular_values.size() > 0) {
    const Index seen = content.above_floor(), all = model.dimension();
    if (seen < all)
      reasons.push_back(
          {false,
           fmt::format("The data show {} of {} directions of motion above the noise; about the "
                       "others the model says what its structure demands.",
                       seen, all)});
    else
      reasons.push_back(
          {true, all == 1 ? "The motion stands above the noise."
                 : all == 2
                     ? "Both directions of motion stand above the noise."
                     : fmt::format("All {} directions of motion stand above the noise.", all)});
  }
  reasons.push_back(guaranteed(model));
  return reasons;
}

}  // namespace lgn
