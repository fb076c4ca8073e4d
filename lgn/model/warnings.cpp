#include "lgn/model/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/constants_internal.h"
#include "lgn/core/number_text.h"
#include "lgn/core/setting.h"
#include "lgn/model/experiment_warnings.h"
#include "lgn/model/spurious_modes.h"

namespace lgn {
namespace {

/// How the reason begins why a mode of what was not explained counts for nothing.
constexpr const char* distrusted = "not to be trusted";

/// Part of a channel's root mean square that is left and is not noise.
double unexplained(const FitResiduals& residuals, Index channel) {
  return residuals.nrmse(channel) * std::sqrt(std::abs(residuals.coherence(channel)));
}

bool mostly_unexplained(const FitResiduals& residuals, Index channel) {
  return residuals.power[channel] > 0 &&
         residuals.squares[channel] > 0.5 * residuals.power[channel];
}

/// The channel that is explained worst, as far as that is not noise; −1 where all are explained.
Index worst_channel(const FitResiduals& residuals) {
  constexpr double few_per_cent = 0.03;
  Index worst = -1;
  double most = few_per_cent;
  for (Index c = 0; c < residuals.power.size(); ++c)
    if (residuals.power[c] > 0 && unexplained(residuals, c) > most) {
      most = unexplained(residuals, c);
      worst = c;
    }
  return worst;
}

/// Residuals of a right model are white noise: they do not correlate.
bool is_poor(const FitFacts& facts) {
  return worst_channel(facts.residuals) >= 0 || facts.residuals.nrmse() > std::sqrt(0.5) ||
         (facts.residuals.correlation() > 0.5 && facts.residuals.nrmse() > 1e-3);
}

std::string amplitude_text(const Model& model, const AmplitudeFrequency& found) {
  return fmt::format(
      "the frequency of {} goes from {:.3g} to {:.3g} {} as its amplitude grows: a nonlinear stiffness; use {}, or fit small amplitudes alone for a linear model",
      found.channel, found.small, found.large, frequency_unit(model),
      setting("structure", "nonlinear"));
}

/// What may be behind it, and what to try that was not.
std::string remedy(const Model& model, const FitFacts& facts) {
  if (facts.amplitude_frequency) return amplitude_text(model, *facts.amplitude_frequency);
  if (model.variation)
    return "A(t) varies in another way, or the system is not linear in these channels; see the report";
  if (model.hidden())
    return "no linear system of this many states explains them: try more with " +
           setting("states") + ", or an input acts, or the system is not linear; see the report";
  if (model.structure == "full" || model.structure == "metric" || !model.candidates.empty())
    return "no linear system whose states are these channels explains them: states may be missing, or an input acts; see the report";
  const std::string automatic = setting("structure", "auto");
  if (model.network)
    return "are all states measured, and is a topology that was given right? Try " + automatic;
  return "try " + automatic + " or " + setting("structure", "full") +
         "; a model has one state per channel, so each oscillation needs two";
}

std::string poor_fit(const Model& model, const FitFacts& facts) {
  const Index worst = worst_channel(facts.residuals);
  std::string text =
      fmt::format("residuals are {:.3g}% of the signal", 100 * facts.residuals.nrmse());
  if (worst >= 0 && model.channels.size() > 1)
    text += fmt::format(", {:.3g}% of {}", 100 * facts.residuals.nrmse(worst),
                        model.channels[static_cast<std::size_t>(worst)]);
  const double coherence =
      worst >= 0 ? facts.residuals.coherence(worst) : facts.residuals.correlation();
  if (coherence != 0)
    text += fmt::format(", and autocorrelated (ρ = {:.2f}): unmodelled dynamics", coherence);
  return text + "; " + remedy(model, facts);
}

/// Marks modes of what was not explained.
void distrust_modes(Model& model, const FitFacts& facts) {
  const bool all = facts.residuals.nrmse() > std::sqrt(0.5);
  for (auto& mode : model.modes) {
    double share = 0;
    for (Index c = 0; c < facts.residuals.power.size() && c < mode.participation.size(); ++c)
      if (mostly_unexplained(facts.residuals, c)) share += mode.participation[c];
    if (!all && share < 0.5) continue;
    mode.identifiable = false;
    mode.reason =
        fmt::format("{}: {}", distrusted,
                    all ? fmt::format("{:.0f}% of the signal is explained",
                                      100 * std::max(0.0, 1 - std::pow(facts.residuals.nrmse(), 2)))
                        : std::string("less than half of its channels is explained"));
  }
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
    if (phase_step(mode) < near || mode.reason.starts_with(distrusted)) continue;
    mode.identifiable = false;
    mode.reason = phase_step(mode) >= pi ? "above the Nyquist frequency"
                                         : "near the Nyquist frequency: may be aliased";
  }
  return true;
}

/// Whether hidden states may imitate what one nonlinear swing does: three modes at least stand about one frequency.
bool imitates_a_swing(const Model& model) {
  constexpr double about = 1.4;
  constexpr std::ptrdiff_t several = 3;
  if (!model.hidden()) return false;
  return std::any_of(model.modes.begin(), model.modes.end(), [&](const Mode& lowest) {
    return lowest.oscillates() &&
           std::count_if(model.modes.begin(), model.modes.end(), [&](const Mode& mode) {
             return mode.pole.imag() > 0 && mode.natural_frequency >= lowest.natural_frequency &&
                    mode.natural_frequency <= about * lowest.natural_frequency;
           }) >= several;
  });
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
  const bool at_bound = std::any_of(model.modes.begin(), model.modes.end(), [](const Mode& mode) {
    return mode.pole.real() > -1e-3 * mode.natural_frequency || mode.pole == Complex(0);
  });
  if (!grows && facts.growing && model.hidden() && at_bound && is_poor(facts))
    warn("growing",
         fmt::format("the data grow, and hidden states cannot: none of these modes is one of the "
                     "system; {} can, with a channel for each state",
                     setting("structure", "full")));
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
  mark_spurious_modes(model, facts.evenly_sampled);
  const auto doubtful = std::count_if(model.modes.begin(), model.modes.end(),
                                      [](const Mode& mode) { return !mode.spurious.empty(); });
  if (facts.amplitude_frequency && imitates_a_swing(model) && !is_poor(facts))
    warn("spurious-modes", amplitude_text(model, *facts.amplitude_frequency));
  else if (doubtful > 0)
    warn("spurious-modes",
         fmt::format("{} of {} modes may be none of the system, and are marked with the reason",
                     doubtful, model.modes.size()));
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

/// What the free fit beside a passive one leaves of the signal, where that is plainly less.
std::optional<double> cost_of_passivity(const Model& model) {
  constexpr double plainly = 1.1, small = 0.01;
  const auto& all = model.candidates;
  if (!model.guarantee.passive || all.size() < 2 || !all.back().chosen) return {};
  const double free = all[all.size() - 2].nrmse;
  if (!(model.fit.nrmse_train > plainly * free && model.fit.nrmse_train > small)) return {};
  return free;
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
  if (facts.unknowns >= facts.values)
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
  if (facts.stopped)
    warn("stopped",
         fmt::format("stopped before the end{}: this is the best answer so far; allow more with {}",
                     model.fit.converged ? ", with the fit complete" : "", setting("max_seconds")));
  // A search that has converged is at the optimum of its own weights.
  if (facts.unrefined || (facts.distance > 0.3 && model.method != "mle"))
    warn("not-at-optimum",
         fmt::format(
             "this estimate is not the most likely one{}: {}; improve it with {}",
             facts.unrefined ? std::string(", and standard errors are those that one would have")
                             : fmt::format(" ({:.2g} standard errors from it)", facts.distance),
             facts.unrefined ? "expect larger errors" : "standard errors contain that distance",
             setting("method", "mle")));
  if (is_poor(facts)) warn("poor-fit", poor_fit(model, facts));
  distrust_modes(model, facts);
  const auto more = model.variation ? variation_warnings(model) : mode_warnings(model, facts);
  warnings.insert(warnings.end(), more.begin(), more.end());
  std::vector<std::string> idle;
  for (Index c = 0; c < facts.residuals.power.size(); ++c) {
    const double power = facts.residuals.power[c];
    if (power == 0 ||
        (facts.residuals.squares[c] > 0.9 * power && facts.residuals.coherence(c) == 0))
      idle.push_back(model.channels[static_cast<std::size_t>(c)]);
  }
  if (!idle.empty())
    warn("idle-channel", fmt::format("no modelled response in {} {}: leave {} out with {}",
                                     idle.size() == 1 ? "channel" : "channels", listed(idle),
                                     idle.size() == 1 ? "it" : "them", setting("channels")));
  const auto experiment = experiment_warnings(model, facts);
  warnings.insert(warnings.end(), experiment.begin(), experiment.end());
  if (const auto cost = cost_of_passivity(model))
    warn("not-passive",
         fmt::format(
             "the passive fit leaves {:.0f}% of the signal, the free one {:.0f}%: the data are "
             "not those of a passive system; is each output beside its own input, and has "
             "each of them the sign with which their product is power that goes in?",
             100 * model.fit.nrmse_train, 100 * *cost));
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
