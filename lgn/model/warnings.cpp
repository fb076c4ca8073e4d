#include "lgn/model/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/number_text.h"
#include "lgn/core/setting.h"

namespace lgn {
namespace {

constexpr double pi = std::numbers::pi;

/// Residuals of a right model are white noise: their autocorrelation at lag 1 is near zero.
bool is_poor(const FitFacts& facts) {
  return facts.residuals.correlation() > 0.5 && facts.residuals.nrmse() > 1e-3;
}

std::string poor_fit(const Model& model, const FitFacts& facts) {
  const bool free = model.structure == "full" || model.structure == "metric";
  const std::string automatic = setting("structure", "auto");
  return fmt::format(
      "residuals are {:.3g}% of the signal and autocorrelated (lag-1 ρ = {:.2f}): unmodelled dynamics; {}",
      100 * facts.residuals.nrmse(), facts.residuals.correlation(),
      model.variation
          ? "A(t) varies in another way, or the system is not linear in these channels; see the report"
      : free ? "no linear system whose states are these channels explains them; see the report"
      : model.network
          ? "are all states measured, and is a topology that was given right? Try " + automatic
          : "try " + automatic + " or " + setting("structure", "full") +
                "; a model has one state per channel, so each oscillation needs two");
}

/// Whether the fastest modes may be aliases, or have some; marks those.
bool find_aliases(Model& model, const FitFacts& facts) {
  if (!facts.evenly_sampled || !(model.data.step > 0)) return false;
  const auto phase_step = [&](const Mode& mode) {
    return std::abs(mode.pole.imag()) * model.data.step;
  };
  double fastest = 0;
  for (const auto& mode : model.modes) fastest = std::max(fastest, phase_step(mode));
  // Structure can tell a frequency from its alias, as long as the structure fits.
  const bool free = model.structure == "full" || model.structure == "metric";
  constexpr double near = 0.8 * pi;
  if (!(fastest >= pi || (fastest > near && (free || is_poor(facts))))) return false;
  for (auto& mode : model.modes) {
    if (phase_step(mode) < near) continue;
    mode.identifiable = false;
    mode.reason = phase_step(mode) >= pi ? "above the Nyquist frequency"
                                         : "near the Nyquist frequency: may be aliased";
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
    warn("aliasing",
         fmt::format(
             "modes near or above the Nyquist frequency ({:.4g} {}) may be aliased: sample faster",
             0.5 / model.data.step / seconds_in(model.time_unit).value_or(1.0),
             frequency_unit(model)));
  const bool grows = std::any_of(model.modes.begin(), model.modes.end(), [](const Mode& mode) {
    return mode.pole.real() > 1e-9 * mode.natural_frequency;
  });
  if (grows)
    warn(
        "unstable",
        model.candidates.empty()
            ? fmt::format("a mode grows without bound: if the real system cannot, use {}, {} or {}",
                          setting("structure", "sd"), setting("structure", "psd"),
                          setting("structure", "metric"))
            : "the data grow, and so does a mode of the model: no passive structure fits");
  for (const auto& mode : model.modes)
    if (mode.condition > 1e6) {
      warn(
          "ill-conditioned-poles",
          fmt::format(
              "the pole {:.5g}{:+.5g}i and its neighbours are nearly one repeated pole (condition number {:.1g}): only their mean is well determined",
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
            "{} of {} modes are not determined by these data, and are marked so: measure longer, faster, with less noise or from initial conditions that excite them",
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
             "the free response grows without bound (largest Floquet multiplier {}): if the real system cannot, use {} or {}",
             short_number(variation.floquet->multipliers.cwiseAbs().maxCoeff()),
             setting("structure", "ltv-sd"), setting("structure", "ltv-psd"))});
  // Without a period: at every time some frozen pole grows.
  const bool grows = !model.guarantee.stable && !variation.floquet &&
                     (variation.course.poles.real().colwise().maxCoeff().array() > rounding).all();
  if (grows)
    warnings.push_back(
        {"unstable",
         fmt::format(
             "at every time A(t) has a frozen-time pole with positive real part: if the real system "
             "cannot grow, use {} or {}",
             setting("structure", "ltv-sd"), setting("structure", "ltv-psd"))});
  const auto period = longest_period(variation);
  const double shown = variation.end - variation.begin;
  if (period && *period > shown)
    warnings.push_back(
        {"frequency-not-seen",
         fmt::format(
             "the longest period, {0} {2}, exceeds the record length, {1} {2}: its frequency is extrapolated; measure longer, or model a drift with {3}",
             short_number(*period), short_number(shown), model.time_unit,
             setting("basis", "spline"))});
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
         fmt::format(
             "{:.0f}% of all pairs couple, so that there is no sparse topology to find; this "
             "is the dense structure that the data support",
             100 * *facts.density));
  if (facts.unknowns > facts.values)
    warn(
        "underdetermined",
        fmt::format(
            "{} measured values cannot determine {} unknowns (free parameters and initial states): other models fit as well; measure more samples or runs, or use fewer channels",
            facts.values, facts.unknowns));
  if (!model.fit.converged)
    warn(
        "not-converged",
        fmt::format(
            "the fit ended before it converged: these are the best estimates so far; allow more with {} or {}",
            setting("max_seconds"), setting("epochs")));
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
    warn("idle-channel", fmt::format("no modelled response in {} {}: leave {} out with {}",
                                     idle.size() == 1 ? "channel" : "channels", join(idle),
                                     idle.size() == 1 ? "it" : "them", setting("channels")));
  if (facts.errors_skipped)
    warn(
        "errors-skipped",
        "standard errors of so large a model take minutes and were not computed: ask for them with " +
            setting("errors", "always"));
  if (facts.bootstrap_ratio > 1.5)
    warn(
        "errors-disagree",
        fmt::format(
            "standard errors by bootstrap and by Fisher information differ by a factor of {:.2g}: linearised covariance unreliable; use bootstrap intervals, which are shown",
            facts.bootstrap_ratio));
  return warnings;
}

}  // namespace lgn
