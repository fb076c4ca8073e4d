#include "lgn/model/experiment_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/constants_internal.h"
#include "lgn/core/setting.h"
#include "lgn/identify/driven/experiment_checks.h"

namespace lgn {
namespace {

/// Samples that are not what was there.
std::vector<Warning> sensor_warnings(const FitFacts& facts) {
  std::vector<Warning> warnings;
  for (const ChannelInspection& channel : facts.damaged) {
    const char* what = channel.is_input ? "input" : "channel";
    if (channel.clipped > 0)
      warnings.push_back(
          {"clipped",
           fmt::format("the {} {} is clipped: {} samples stand at an end of its range; widen the "
                       "range, or leave these samples empty",
                       what, channel.name, channel.clipped)});
    if (channel.stuck > 0)
      warnings.push_back(
          {"stuck", fmt::format("the {} {} is stuck: {} samples repeat the one before while the "
                                "signal should move; leave them empty, or cut the record there",
                                what, channel.name, channel.stuck)});
  }
  std::vector<std::string> spiked;
  for (const ChannelInspection& channel : facts.damaged)
    if (channel.outliers > 0)
      spiked.push_back(fmt::format("{} of {}", channel.outliers, channel.name));
  if (facts.robust_by_itself && !spiked.empty())
    warnings.push_back(
        {"outliers",
         fmt::format(
             "samples stand out from their neighbours and the noise ({}): the robust loss huber "
             "was used, under which they count little; where they belong to the motion use {}",
             listed(spiked), setting("loss", "squares"))});
  return warnings;
}

std::string weak_excitation(const Model& model, const FitFacts& facts) {
  std::vector<std::string> parts, modes;
  if (facts.excitation)
    parts.push_back(fmt::format("the inputs tell at most {} of {} states apart", *facts.excitation,
                                model.dimension()));
  const double unit = seconds_in(model.time_unit).value_or(1.0);
  for (const Complex& pole : facts.unseen_poles)
    modes.push_back(
        pole.imag() != 0
            ? fmt::format("{:.4g} {}", std::abs(pole) / (2 * pi * unit), frequency_unit(model))
            : fmt::format("τ = {:.3g} {}", -1 / pole.real(), model.time_unit));
  if (!modes.empty())
    parts.push_back(
        fmt::format("the response of the {} at {} to the inputs cannot be told from zero",
                    modes.size() == 1 ? "mode" : "modes", listed(modes)));
  return fmt::format(
      "{}: what is known of them shows in the initial motion alone; excite with more "
      "frequencies, such as steps at random times, or at another place",
      fmt::join(parts, ", and "));
}

}  // namespace

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), most));
  return fmt::format("{}{}", fmt::join(names.begin(), end, ", "), names.size() > most ? ", …" : "");
}

Warning repeated_channels_warning(const std::string& repetitions, bool left_out) {
  return {"repeated-channels",
          fmt::format("{}, noise and all: the same samples say nothing more, {}", repetitions,
                      left_out ? "and the model is of the others"
                               : "and yet count twice in standard errors; leave them out with " +
                                     setting("channels"))};
}

std::vector<Warning> experiment_warnings(const Model& model, const FitFacts& facts) {
  std::vector<Warning> warnings = sensor_warnings(facts);
  const auto warn = [&](const char* code, std::string message) {
    warnings.push_back({code, std::move(message)});
  };
  if (facts.excitation || !facts.unseen_poles.empty())
    warn("weak-excitation", weak_excitation(model, facts));
  constexpr double plainly = 0.2;
  if (facts.late_inputs.residuals > plainly)
    warn("late-input",
         fmt::format(
             "inputs seem to come after their effects: some samples earlier they explain {:.0f}% "
             "of the residuals; check the time axis of inputs and channels",
             100 * facts.late_inputs.residuals));
  else if (facts.late_inputs.evidence > 0)
    warn("late-input",
         fmt::format("inputs seem to come one sample after their effects: one sample earlier they "
                     "explain the data without feedthrough (BIC lower by {:.0f}){}; check the time "
                     "axis of inputs and channels",
                     facts.late_inputs.evidence,
                     model.drive.d.size() > 0 ? ", and D may be none of the system" : ""));
  else if (facts.feedback)
    warn("feedback",
         fmt::format(
             "residuals of {} correlate with {} {} {} later (ρ = {:.2f}): feedback from output to "
             "input is suspected, which biases the estimates; excite from outside the loop, "
             "or give what was added there as the input",
             facts.feedback->channel, facts.feedback->input, facts.feedback->lag,
             facts.feedback->lag == 1 ? "sample" : "samples", facts.feedback->correlation));
  if (!facts.distortion.empty())
    warn("nonlinear",
         distortion_text(facts.distortion.front()) + "; excite less for a linear model");
  else if (facts.nonlinearity)
    warn("nonlinear",
         fmt::format("{} of {} explains {:.2g}% of the signal that a linear system does not: {}; "
                     "excite less for a linear model",
                     facts.nonlinearity->even ? "the square" : "the signed square",
                     facts.nonlinearity->signal, 100 * facts.nonlinearity->share,
                     facts.nonlinearity->even ? "an even nonlinearity"
                                              : "the gain depends on the amplitude"));
  return warnings;
}

}  // namespace lgn
