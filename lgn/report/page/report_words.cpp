#include "lgn/report/page/report_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>

#include "lgn/identify/residuals.h"
#include "lgn/report/page/drawn_runs_internal.h"
#include "lgn/report/text/tables.h"
#include "lgn/report/text/variation_table.h"

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

std::string percent(double part) {
  return part > 1 ? "more than 100%" : fmt::format("{:.2g}%", 100 * part);
}

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

bool underdetermined(const Model& model) {
  return std::any_of(model.warnings.begin(), model.warnings.end(),
                     [](const Warning& warning) { return warning.code == "underdetermined"; });
}

/// The size of the residuals, and whether they are white.
Reason residual_whiteness(const Model& model, const DrawnRuns& drawn) {
  if (!drawn.finite)
    return {false, "The response of the model overflows on these data: it is not their system."};
  if (underdetermined(model))
    return {false, "There are more unknowns than measured values: small residuals say nothing."};
  const double part = std::sqrt(drawn.residual_power.sum() / std::max(drawn.power.sum(), 1e-300));
  if (part < explained)
    return {true, fmt::format("Residuals are {:.1g} of the signal: rounding.", part)};
  const std::string size =
      model.innovation.active()
          ? fmt::format(
                "Residuals of a simulation are {} of the signal, as noise that is not white has them; those of the next sample count. They are",
                percent(part))
          : fmt::format("Residuals are {} of the signal", percent(part));
  constexpr Index fewest_lags = 2;
  if (drawn.autocorrelation.lags() < fewest_lags)
    return {false, size + "; there are too few samples to test whether they are white."};
  std::vector<std::string> coloured;
  for (Index c = 0; c < model.outputs(); ++c)
    if (!drawn.autocorrelation.white(c))
      coloured.push_back(model.channels[static_cast<std::size_t>(c)]);
  const bool predicts = model.innovation.active();
  if (coloured.empty())
    return {true,
            size + (predicts ? " white" : " and white") + ": no autocorrelation beyond chance."};
  const bool all = coloured.size() == model.channels.size() && coloured.size() > 1;
  return {
      false,
      predicts
          ? fmt::format("{} autocorrelated in {}: more states may describe them.", size,
                        all ? "every channel" : some_of(coloured))
          : fmt::format("{}. In {} they are autocorrelated: unmodelled dynamics or coloured noise.",
                        size, all ? "every channel" : some_of(coloured))};
}

/// How well the validation part is predicted: as the noise allows, or worse.
Reason validation(const DrawnRuns& drawn) {
  // Channels may have units of their own.
  const Vector least = explained * explained * drawn.power.cwiseMax(1e-300);
  const double ratio = std::sqrt((drawn.validation_power.cwiseMax(least).array() /
                                  drawn.residual_power.cwiseMax(least).array())
                                     .mean());
  // By chance a root of N squares varies by 1/√(2N).
  const bool good = ratio <= 1.25 + 3 / std::sqrt(2 * drawn.validation_values);
  const std::string size =
      ratio > 0.9 && ratio < 1.1 ? "as large as" : fmt::format("{:.2g} times as large as", ratio);
  return {
      good,
      fmt::format(
          "Validation{}: residuals of the part that was not fitted are {} those of the fitted part.",
          good ? "" : " fails", size)};
}

/// Poles with a larger relative standard error, of |λ| or of ζ, are no estimates to use.
constexpr double well_known = 0.3;

Reason pole_certainty(const Model& model) {
  const auto open = static_cast<std::size_t>(
      std::count_if(model.modes.begin(), model.modes.end(),
                    [](const Mode& mode) { return mode.identifiable && !*mode.identifiable; }));
  if (open > 0)
    return {false,
            fmt::format(
                "{} of {} modes {} not determined by these data; {} estimates are not to be used.",
                capital(count_word(open)), model.modes.size(), open == 1 ? "is" : "are",
                open == 1 ? "its" : "their")};
  double pole = 0, damping = 0;
  for (const auto& mode : model.modes) {
    if (!mode.se || !(std::abs(mode.pole) > 0)) continue;
    pole = std::max(pole, std::hypot(mode.se->re, mode.se->im) / std::abs(mode.pole));
    if (mode.oscillates() && mode.damping_ratio != 0)
      damping = std::max(damping, mode.se->damping_ratio / std::abs(mode.damping_ratio));
  }
  const bool good = pole <= well_known && damping <= well_known;
  std::string text = fmt::format(
      "{} pole{} is well determined: the largest standard error is {} of |λ|",
      good ? "Every" : "Not every", model.sparse ? " that the fit computed" : "", percent(pole));
  if (damping > 0) text += fmt::format(", and {} of a damping ratio", percent(damping));
  return {good, text + "."};
}

Reason guaranteed(const Model& model) {
  const auto of_structure = [&](const char* what) {
    return fmt::format("The structure {} {}.", model.structure, what);
  };
  const Guarantee promised = promised_by(model);
  if (promised.passive)
    return {true, of_structure("is guaranteed passive at its ports: no energy comes out that did "
                               "not go in, for every parameter value")};
  if (promised.conservative)
    return {true, of_structure(
                      "is guaranteed conservative: energy is constant for every parameter value")};
  if (promised.dissipative)
    return {true,
            of_structure("is guaranteed passive: energy never grows, for every parameter value")};
  if (promised.stable)
    return {true, of_structure("is guaranteed stable for every parameter value")};
  return {
      false,
      of_structure(
          "guarantees neither stability nor passivity: the poles alone say what the data show")};
}

enum class Rate { falls, stays, grows, unresolved };

/// What a mode's size does, as far as its standard error lets one say.
Rate rate_of(const Mode& mode) {
  const double rate = mode.pole.real();
  if (rate == 0) return Rate::stays;
  const bool known = mode.se && std::isfinite(mode.se->re);
  if (known && std::abs(rate) < 2 * mode.se->re) return Rate::unresolved;
  return rate < 0 ? Rate::falls : Rate::grows;
}

/// Whether one cycle takes longer than ten runs: nothing of it was observed.
bool beyond_record(const Model& model, const Mode& mode) {
  const auto runs = static_cast<double>(std::max<Index>(model.data.runs, 1));
  const double record = model.data.step * static_cast<double>(model.data.samples) / runs;
  return mode.oscillates() && record > 0 &&
         2 * std::numbers::pi > 10 * record * mode.natural_frequency;
}

}  // namespace

std::string found_in_words(const Model& model) {
  std::size_t damped = 0, lasting = 0, growing = 0, open = 0, decays = 0, rises = 0, still = 0,
              slow = 0;
  const Mode* slowest = nullptr;
  for (const auto& mode : model.modes) {
    if (mode.pole.imag() < 0) continue;
    const Rate rate = rate_of(mode);
    if (beyond_record(model, mode) || (!mode.oscillates() && rate == Rate::unresolved)) {
      ++slow;
      continue;
    }
    if (!mode.oscillates()) {
      ++(rate == Rate::falls ? decays : rate == Rate::grows ? rises : still);
      continue;
    }
    ++(rate == Rate::falls   ? damped
       : rate == Rate::grows ? growing
       : rate == Rate::stays ? lasting
                             : open);
    if (slowest == nullptr || mode.natural_frequency < slowest->natural_frequency) slowest = &mode;
  }
  std::vector<std::string> parts;
  add_kind(parts, damped, "damped oscillation", "damped oscillations");
  add_kind(parts, lasting, "undamped oscillation", "undamped oscillations");
  add_kind(parts, growing, "growing oscillation", "growing oscillations");
  add_kind(parts, open, "oscillation whose damping is not resolved",
           "oscillations whose damping is not resolved");
  add_kind(parts, decays, "exponential decay", "exponential decays");
  add_kind(parts, rises, "growing exponential", "growing exponentials");
  add_kind(parts, still, "zero pole (constant mode)", "zero poles (constant modes)");
  add_kind(parts, slow, "mode too slow for the length of the record",
           "modes too slow for the length of the record");
  std::string text = listed(parts);
  if (model.sparse)
    text =
        fmt::format("A network of {} states, whose slowest modes are {}", model.dimension(), text);
  else
    text = model.variation ? variation_in_words(model) + "Its mean has " + text : capital(text);
  if (slowest != nullptr) {
    text += fmt::format("; {} rings at {} {}",
                        damped + lasting + growing + open > 1 ? "the slowest"
                        : parts.size() > 1                    ? "the oscillation"
                                                              : "it",
                        three_digits(slowest->frequency_hz), frequency_unit(model));
    if (rate_of(*slowest) == Rate::falls)
      text +=
          fmt::format(" and loses half its energy in {} {}",
                      three_digits(std::log(2.0) / (-2 * slowest->pole.real())), model.time_unit);
  }
  if (model.offset.size() > 0) text += ". At rest the channels show " + offset_text(model);
  return text + ".";
}

std::vector<Reason> reasons_to_trust(const Model& model, const DrawnRuns& drawn,
                                     const SignalContent& content) {
  std::vector<Reason> reasons;
  if (!model.ambient) reasons.push_back(residual_whiteness(model, drawn));
  if (drawn.validation_power.size() > 0) reasons.push_back(validation(drawn));
  const bool errors_known = std::any_of(model.modes.begin(), model.modes.end(),
                                        [](const Mode& mode) { return mode.se.has_value(); });
  if (errors_known && !model.variation) reasons.push_back(pole_certainty(model));
  if (content.singular_values.size() > 0 && !underdetermined(model)) {
    const Index rank = content.above_floor(), all = model.outputs();
    reasons.push_back(
        {rank == all,
         fmt::format("Numerical rank of the data above the noise: {} of {}{}.", rank, all,
                     rank < all ? "; the remaining directions are set by the structure" : "")});
  }
  reasons.push_back(guaranteed(model));
  return reasons;
}

}  // namespace lgn
