#include "lgn/model/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/number_text.h"

namespace lgn {
namespace {

constexpr double pi = std::numbers::pi;

/// Residuals of a right model are noise, and neighbours in noise do not resemble one another.
bool is_poor(const FitFacts& facts) {
  return facts.residuals.correlation() > 0.5 && facts.residuals.nrmse() > 1e-3;
}

std::string poor_fit(const Model& model, const FitFacts& facts) {
  const bool free = model.structure == "full" || model.structure == "metric";
  return fmt::format(
      "{:.3g}% of the signal is left over and is not noise (neighbouring residuals correlate by {:.2f}): {}",
      100 * facts.residuals.nrmse(), facts.residuals.correlation(),
      model.variation
          ? "A(t) varies in another way, or the system is not linear in these channels; look at the report"
      : free ? "a linear system in these channels alone does not explain it; look at the report"
      : model.network
          ? "this network does not explain it; are all states measured, and is a wiring that was given right? Try --structure auto"
          : "try --structure auto or full; a model has one state per channel, so each oscillation needs two");
}

/// Whether the fastest modes may be aliases, or have some; marks those.
bool find_aliases(Model& model, const FitFacts& facts) {
  if (!facts.evenly_sampled || !(model.data.step > 0)) return false;
  const auto turn = [&](const Mode& mode) { return std::abs(mode.pole.imag()) * model.data.step; };
  double fastest = 0;
  for (const auto& mode : model.modes) fastest = std::max(fastest, turn(mode));
  // Structure can tell a frequency from its alias, as long as the structure fits.
  const bool free = model.structure == "full" || model.structure == "metric";
  constexpr double near = 0.8 * pi;
  if (!(fastest >= pi || (fastest > near && (free || is_poor(facts))))) return false;
  for (auto& mode : model.modes) {
    if (turn(mode) < near) continue;
    mode.identifiable = false;
    mode.reason = turn(mode) >= pi ? "it turns by more than half a turn between samples"
                                   : "samples cannot tell it from a faster one";
  }
  return true;
}

std::string join(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), most));
  return fmt::format("{}{}", fmt::join(names.begin(), end, ", "), names.size() > most ? ", …" : "");
}

/// What the modes of a constant generator give reason for.
std::vector<Warning> mode_warnings(Model& model, const FitFacts& facts) {
  std::vector<Warning> warnings;
  const auto warn = [&](const char* code, std::string message) {
    warnings.push_back({code, std::move(message)});
  };
  if (find_aliases(model, facts))
    warn(
        "aliasing",
        fmt::format(
            "the sampling is too slow for what the data hold: frequencies above {:.4g} {} cannot be told from lower ones: sample faster",
            0.5 / model.data.step / seconds_in(model.time_unit).value_or(1.0),
            frequency_unit(model)));
  const bool grows = std::any_of(model.modes.begin(), model.modes.end(), [](const Mode& mode) {
    return mode.pole.real() > 1e-9 * mode.natural_frequency;
  });
  if (grows)
    warn(
        "unstable",
        model.candidates.empty()
            ? "a mode grows without bound: if the real system cannot, use --structure sd, psd or metric"
            : "the data grow, and so does a mode of the model: no structure that keeps its energy fits them");
  for (const auto& mode : model.modes)
    if (mode.condition > 1e6) {
      warn(
          "ill-conditioned-poles",
          fmt::format(
              "the pole {:.5g}{:+.5g}i and its neighbours are nearly one repeated pole (condition {:.1g}): only their mean is certain",
              mode.pole.real(), mode.pole.imag(), mode.condition));
      break;
    }
  const auto open = std::count_if(model.modes.begin(), model.modes.end(), [](const Mode& mode) {
    return mode.identifiable.has_value() && !*mode.identifiable;
  });
  if (open > 0)
    warn(
        "undetermined-modes",
        fmt::format(
            "{} of {} modes are not determined by these data, and are marked so: measure longer, faster, with less noise or from starts that excite them",
            open, model.modes.size()));
  return warnings;
}

/// What takes their place where the generator varies in time.
std::vector<Warning> variation_warnings(const Model& model) {
  std::vector<Warning> warnings;
  const ModelVariation& variation = *model.variation;
  constexpr double rounding = 1e-9;
  if (variation.floquet && variation.floquet->multipliers.cwiseAbs().maxCoeff() > 1 + rounding)
    warnings.push_back(
        {"unstable",
         fmt::format(
             "a state grows without bound, by a factor of {} in each period: if the real system cannot, use --structure ltv-sd or ltv-psd",
             short_number(variation.floquet->multipliers.cwiseAbs().maxCoeff()))});
  // Without a period: at every time some frozen pole grows.
  const bool grows = !model.guarantee.stable && !variation.floquet &&
                     (variation.course.poles.real().colwise().maxCoeff().array() > rounding).all();
  if (grows)
    warnings.push_back(
        {"unstable",
         "at every time A(t) has a pole that grows: if the real system cannot, use --structure ltv-sd or ltv-psd"});
  const auto period = longest_period(variation);
  const double shown = variation.end - variation.begin;
  if (period && *period > shown)
    warnings.push_back(
        {"frequency-not-seen",
         fmt::format(
             "the slowest period, {0} {2}, is longer than the data, {1} {2}: its frequency is a guess; measure longer, or learn a drift by splines",
             short_number(*period), short_number(shown), model.time_unit)});
  return warnings;
}

}  // namespace

std::vector<Warning> find_warnings(Model& model, const FitFacts& facts) {
  std::vector<Warning> warnings;
  const auto warn = [&](const char* code, std::string message) {
    warnings.push_back({code, std::move(message)});
  };
  if (facts.density)
    warn("not-sparse",
         fmt::format("{:.0f}% of all pairs couple, so that there is no wiring to find; this is the "
                     "dense structure that the data support",
                     100 * *facts.density));
  if (facts.unknowns > facts.values)
    warn(
        "underdetermined",
        fmt::format(
            "{} values cannot determine {} unknowns: other models fit as well; measure more samples or runs, or use fewer channels",
            facts.values, facts.unknowns));
  if (!model.fit.converged)
    warn(
        "not-converged",
        "the fit ended before it converged: these are the best values so far; allow more with --max-seconds or --epochs");
  if (is_poor(facts)) warn("poor-fit", poor_fit(model, facts));
  const auto more = model.variation ? variation_warnings(model) : mode_warnings(model, facts);
  warnings.insert(warnings.end(), more.begin(), more.end());
  std::vector<std::string> idle;
  for (Index c = 0; c < facts.residuals.power.size(); ++c) {
    const double power = facts.residuals.power[c];
    if (power == 0 || facts.residuals.squares[c] > 0.9 * power)
      idle.push_back(model.channels[static_cast<std::size_t>(c)]);
  }
  if (!idle.empty())
    warn("idle-channel",
         fmt::format("{} {} nothing but noise for this model: leave {} out with --channels",
                     join(idle), idle.size() == 1 ? "holds" : "hold",
                     idle.size() == 1 ? "it" : "them"));
  if (facts.bootstrap_skipped)
    warn(
        "bootstrap-skipped",
        "there is no bootstrap for a generator that varies in time: standard errors are those of the information matrix");
  if (facts.errors_skipped)
    warn(
        "errors-skipped",
        "standard errors of so large a model take minutes and were left out: ask for them with --errors always");
  if (facts.bootstrap_ratio > 1.5)
    warn(
        "errors-disagree",
        fmt::format(
            "bootstrap and information matrix differ by a factor of {:.2g} in a standard error: the poles do not move in proportion to the noise; trust the bootstrap, which is shown",
            facts.bootstrap_ratio));
  return warnings;
}

}  // namespace lgn
