#include "experiments/identification/page.h"

#include <fmt/format.h>

#include "experiments/identification/coloured.h"
#include "experiments/identification/conditions.h"
#include "experiments/identification/data.h"
#include "experiments/identification/driven.h"
#include "experiments/identification/hidden.h"
#include "experiments/identification/honesty.h"
#include "experiments/identification/noise.h"
#include "experiments/identification/outliers.h"
#include "experiments/identification/recovery.h"
#include "experiments/identification/vibration.h"

namespace lgn::studies {
namespace {

std::string recovery_row(const std::string& name, const System& system,
                         const RecoveryOptions& options) {
  std::string rows;
  for (const char* structure : {"sd", "full"}) {
    RecoveryOptions chosen = options;
    chosen.structure = structure;
    const Recovery found = study_recovery(system, chosen);
    rows += fmt::format(
        "| {}, n = {} | {} | {} | {} | {:.1e} | {:.1e} | {:.1e} | {:.1e} | {} | {:.1e} |\n", name,
        system.a.rows(), options.runs, options.seed, structure, found.data_error,
        found.generator_error, found.pole_error, found.decay_error, found.unstable,
        found.test_nrmse);
  }
  return rows;
}

std::string noise_row(const std::string& name, const NoiseOptions& options, double factor) {
  const NoiseStudy study = study_noise(options);
  return fmt::format("| {:g}% | {} | {:.2e} | {:.2e} | {:.2f} | {:.2f} |\n", 100 * options.noise,
                     name, study.bound, study.error, factor, study.error / study.bound);
}

}  // namespace

std::string introduction() {
  return R"(<!-- made by `make identification`; edit experiments/identification/, not this page -->
This page was made by `make identification`.

# What identification reaches

All data are **simulated**, by systems that are known, so that every answer can be compared with the truth. Eigenvalues are
paired with the true ones at the least total |Δλ|, and errors are those of the complex eigenvalue. The same studies
run as tests (`tests/identify/limits_test.cpp`, `tests/identify/hard_data_test.cpp`), which fail where a limit is not
kept. Random numbers have fixed seeds, so that the page repeats on the same machine.
)";
}

std::string recovery_section() {
  std::string text = R"(
## A known structure on data with an error of 1e-8

The data are integrated as the paper's were: Dormand–Prince 5(4), rtol 1e-8, atol 1e-10, 3 runs, t < 30, Δt = 0.1.
The test is the prediction up to t = 100 from e₁ + ½e₂. `full` stands beside `sd` to show what the structure
contributes; limits apply to `sd`. The ladder with 200 states was not recovered from three runs and was from six; its limits apply to six.
"Re alone" is the mean difference of sorted real parts, the paper's measure.

| system | runs | seed | structure | error of the data | ‖A−A*‖/‖A*‖ | mean \|Δλ\| | Re alone | poles with Re > 0 | test NRMSE |
|---|---|---|---|---|---|---|---|---|---|
| limit | | | sd | | 1e-06 | 1e-07 | | 0 | 1e-05 |
)";
  for (const Index sections : {10, 20})
    text += recovery_row("ladder", uniform_ladder(sections), {});
  for (const std::uint64_t seed : {1u, 2u, 3u})
    text += recovery_row("ladder", uniform_ladder(50), {.seed = seed});
  for (const Index runs : {3, 6})
    text += recovery_row("ladder", uniform_ladder(100), {.runs = runs});
  for (const Index states : {20, 40}) {
    Random random(53);
    text += recovery_row("random S − D", random_dissipative(states, random), {});
  }
  return text;
}

std::string stiff_section() {
  std::string text = R"(
## Ladders with unequal resistances

Five exact runs of three sections, t < 50, Δt = 0.1. Each row is a pole and the relative error of the one found.

| R | true pole | limit | \|Δλ\|/\|λ\| |
|---|---|---|---|
)";
  for (const Vector& r : {Vector{{0.5, 0.5, 0.5}}, Vector{{0.01, 0.1, 1.0}}}) {
    const StiffPoles found = study_stiff({.resistances = r});
    for (Index k = 0; k < found.truth.size(); ++k)
      text +=
          fmt::format("| {:g}, {:g}, {:g} | {:.5f}{:+.5f}i | 1e-09 | {:.1e} |\n", r[0], r[1], r[2],
                      found.truth[k].real(), found.truth[k].imag(), found.relative_error[k]);
  }
  return text;
}

std::string noise_section() {
  return R"(
## Noise, and the least error that any unbiased estimator has

Three sections, five runs of 300 samples up to t = 30, structure `sd`, unknown initial states; means over 50 data sets of the
mean |Δλ|/|λ| over modes. The bound is what the Cramér–Rao bound of the same data predicts for that mean,
s₁ √(2/π) E(√(1 − s₂²/s₁²)) for a pole whose covariance has the eigenvalues s₁² ≥ s₂². An estimator that uses d ≥ 0 may
stay below it.

| noise | samples | bound | measured | limit of measured / bound | measured / bound |
|---|---|---|---|---|---|
)" + noise_row("every 0.1", {.noise = 0.01}, 1.1) +
         noise_row("every 0.1", {.noise = 0.05}, 1.1) +
         noise_row("every 0.1", {.noise = 0.1}, 1.1) +
         noise_row("at random times", {.uneven = true}, 1.15) +
         noise_row("every 0.1, 30% of the values missing", {.missing = 0.3}, 1.15);
}

std::string coverage_section() {
  const CoverageOptions options;
  std::string text = fmt::format(R"(
## Coverage of confidence intervals

The same ladder at {:g}% noise, {} repeats with fresh noise. An interval at 95% is right when it holds the true value in
93 to 97% of them.

| true pole | limits | frequency | damping ratio |
|---|---|---|---|
)",
                                 100 * options.noise, options.repeats);
  for (const ModeCoverage& mode : study_coverage(options))
    text += fmt::format("| {:.5f}{:+.5f}i | 93–97% | {:.1f}% | {:.1f}% |\n", mode.pole.real(),
                        mode.pole.imag(), 100 * mode.frequency, 100 * mode.damping);
  return text;
}

std::string conditions_section() {
  constexpr int repeats = 200;
  std::string text = fmt::format(R"(
## Coverage where data are not as the textbook wants them

Intervals at 95%, {} data sets each with starts and noise of their own, all modes together: 90 to 98% of them must hold
the truth. Of the nonlinear system that is the linear one nearest to 400 runs; of losses that were dropped the limit of
the damping ratio counts.

| data | limits | frequency | damping ratio |
|---|---|---|---|
)",
                                 repeats);
  for (const ConditionCoverage& found : study_conditions(repeats))
    text += fmt::format("| {} | 90–98% | {:.1f}% | {:.1f}% |\n", found.condition,
                        100 * found.frequency, 100 * found.damping);
  return text;
}

std::string hidden_section() {
  constexpr int seeds = 10, fits = 200, repeats = 1000;
  std::string text = fmt::format(R"(
## Fewer channels than states

The six-state ladder from one or two of its channels, t < 30, 300 samples, from e₁ (a second run from a random start), 1% noise: the
number of states chosen by `auto` in {} data sets each, and the mean |Δλ|/|λ| beside the Cramér–Rao bound with six states asked for, in {} of them, whose
mean scatters by 2 to 3%. At most 1.1 times the bound is asked for.

| data | six states found | mean relative pole error | bound | ratio |
|---|---|---|---|---|
)",
                                 seeds, fits);
  for (const HiddenRecovery& found : study_hidden_recovery(seeds, fits))
    text += fmt::format("| {} | {} of {} | {:.2e} | {:.2e} | {:.2f} |\n", found.data, found.right,
                        found.tried, found.error, found.bound, found.error / found.bound);
  text += fmt::format(R"(
Coverage of intervals at 95%, {} data sets each, all modes together: 93 to 97% must contain the true value.

| data | frequency | damping ratio | mode shape |
|---|---|---|---|
)",
                      repeats);
  for (const HiddenCoverage& found : study_hidden_coverage(repeats))
    text += fmt::format(
        "| {} | {:.1f}% | {:.1f}% | {} |\n", found.data, 100 * found.frequency, 100 * found.damping,
        std::isnan(found.shapes) ? "–" : fmt::format("{:.1f}%", 100 * found.shapes));
  return text;
}

std::string hard_records_section() {
  std::string text = R"(
## Hard records of one channel

Two close modes, a small one beside a large one, damping of every size, real poles, and records without any mode, all left to `auto`; ± one standard error.

| record | truth | found |
|---|---|---|
)";
  for (const HardRecord& record : study_hard_records())
    text += fmt::format("| {} | {} | {} |\n", record.record, record.truth, record.found);
  return text;
}

std::string driven_section() {
  constexpr int many = 1000, some = 200, orders = 5;
  std::string text = fmt::format(R"(
## Inputs

Four masses in a chain with a force on the first, of which two positions are measured: 1,000 samples, a force that changes its sign at
random, unknown initial state and offset, 2% noise in each channel. With eight states asked for: the mean |Δλ|/|λ| beside the Cramér–Rao bound, of which 1.1 times is
asked for, and the coverage of intervals at 95%, of which 93 to 97% must contain the true value. By `auto`, hold and feedthrough chosen too: in how many of {} data sets eight
states were found.

| data | eight states found | data sets | mean relative pole error | bound | ratio | frequency | damping ratio |
|---|---|---|---|---|---|---|---|
)",
                                 orders);
  for (const DrivenRecovery& found : study_driven(many, some, orders))
    text += fmt::format("| {} | {} of {} | {} | {:.2e} | {:.2e} | {:.2f} | {:.1f}% | {:.1f}% |\n",
                        found.data, found.right, found.tried, found.sets, found.error, found.bound,
                        found.error / found.bound, 100 * found.frequency, 100 * found.damping);
  return text;
}

std::string coloured_section() {
  constexpr int repeats = 200, choices = 20;
  std::string text = fmt::format(R"(
## Inputs beside noise that is not white

Two modes under a force that changes its sign at random, seen in one channel: 1,000 samples, unknown initial state and offset, {} data sets each. As if noise were white (`--noise-model output`), with standard errors widened for autocorrelated
residuals, and by an innovations form (`--noise-model innovation`), whose state of its own describes a slow process. Intervals at 95% must contain the true value in 93 to 97%.

| noise | model of the noise | mean relative pole error | frequency | damping ratio | left | time |
|---|---|---|---|---|---|---|
)",
                                 repeats);
  for (const ColouredRecovery& found : study_coloured(repeats))
    text += fmt::format("| {} | {} | {:.2e} | {:.1f}% | {:.1f}% | {:.3f} | {:.2f} s |\n",
                        found.noise, found.innovation ? "innovation" : "output", found.error,
                        100 * found.frequency, 100 * found.damping, found.next, found.seconds);
  const ColouredChoice choice = study_choice(choices);
  return text +
         fmt::format(
             "\nLeft to `auto`, with the number of states, an innovations form was taken in {0} of {2} records with forces on the states, and in {1} of {2} with white "
             "noise.\n",
             choice.coloured, choice.white, choice.tried);
}

std::string vibration_section() {
  constexpr int repeats = 200;
  std::string text = fmt::format(R"(
## Random vibration

A tower of five floors that wind shakes, a sensor on each (simulated: `lgn generate tower`): the lowest mode at 1 Hz, damping ratios of 1%, 5% noise, 10,000 samples
at 20 Hz, {} records for each kind of wind, by `--record ambient`. All modes must be found and none invented; intervals at 95% must contain the true value in 93 to 97%. Modes with
a damping ratio above 0.1, which describe the spectrum of the wind, are not counted.

| wind | all modes found | modes invented | frequency covered | damping ratio covered | bias of the damping ratio | its error | processor time |
|---|---|---|---|---|---|---|---|
)",
                                 repeats);
  for (const VibrationStudy& found : study_vibration(repeats))
    text += fmt::format(
        "| {} | {} of {} | {} | {:.1f}% | {:.1f}% | {:+.1f}% | {:.0f}% | {:.1f} s |\n", found.wind,
        found.complete, found.tried, found.invented, 100 * found.frequency, 100 * found.damping,
        100 * found.damping_bias, 100 * found.damping_error, found.seconds);
  return text;
}

std::string coarse_section() {
  std::string text = R"(
## Few samples per oscillation

The same ladder, 1% noise, five runs of 100 samples, 100 data sets (ten with the longer step). Its fastest pole is at the Nyquist frequency of a step of
1.74. Below that the poles must be right; above it the model must say that a frequency has aliases and mark the pair.

| step | structure | limit of the error | mean \|Δλ\|/\|λ\| | Cramér–Rao bound | models that must warn | that warn | that mark the fastest pair |
|---|---|---|---|---|---|---|---|
)";
  for (const double step : {1.5, 2.0})
    for (const char* structure : {"sd", "auto"}) {
      const bool slow = step > 1.74;
      const NoiseStudy study = study_noise({.noise = 0.01,
                                            .samples = 100,
                                            .step = step,
                                            .seeds = slow ? 10 : 100,
                                            .structure = structure});
      text += fmt::format("| {:g} | {} | {} | {:.2e} | {:.2e} | {} | {} | {} |\n", step, structure,
                          slow ? "" : "5e-05", study.error, study.bound, slow ? 10 : 0,
                          study.aliasing, study.fastest_open);
    }
  return text;
}

std::string outlier_section() {
  std::string text = R"(
## Faults in the measurement

Two runs of the same ladder, 1% noise; means over ten data sets. Spikes replace 2% of the values by 10 to 50 standard
deviations of the signal; a stuck sensor repeats one value for 2% of a run. With `--loss huber` the error must stay
within twice that of least squares on the data without faults.

| fault | without faults, squares | limit | huber | squares |
|---|---|---|---|---|
)";
  using Fault = OutlierOptions::Fault;
  for (const auto& [name, fault] : {std::pair{"spikes", Fault::spikes}, {"stuck", Fault::stuck}}) {
    const OutlierStudy study = study_outliers({.fault = fault});
    text += fmt::format("| {} | {:.2e} | {:.2e} | {:.2e} | {:.2e} |\n", name, study.clean_squares,
                        2 * study.clean_squares, study.huber, study.squares);
  }
  return text;
}

std::string hard_section() {
  std::string text = R"(
## Systems that data show in part

Three runs from random initial states, structure `auto` with `--thorough`, exact or with noise of 1e-6. A mode that is marked as identifiable must
lie within five of its standard errors, or 1e-6 of its size, of a true pole; the largest distance is in
units of that allowance. Every other mode must carry a reason. The NRMSE of a fit that explains the data is that of the
noise.

| system | noise | structure | modes | identifiable | at least | wrong (limit 0) | without a reason (limit 0) | largest distance (limit 1) | NRMSE of the fit |
|---|---|---|---|---|---|---|---|---|---|
)";
  for (const HardSystem& hard : {heated_rod(), shear_building(), advection_diffusion()})
    for (const double noise : {0.0, 1e-6}) {
      const Honesty found = study_honesty(hard, {.noise = noise});
      text += fmt::format("| {} | {:g} | {} | {} | {} | {} | {} | {} | {:.2g} | {:.1e} |\n",
                          hard.name, noise, found.structure, found.modes, found.identifiable,
                          hard.name == "heated rod" ? "10" : "", found.wrong,
                          found.unexplained + found.unexamined, found.worst, found.nrmse);
    }
  return text;
}

std::string jitter_section() {
  const JitterOptions options;
  const Jitter found = study_jitter(options);
  return fmt::format(R"(
## An oscillator at the times of a camera

Position and velocity, ω = {}, ζ = {}, {:g}% noise, {} steps of 33 or 34 ms at random, structure `auto`, {} data sets.

| | must hold | found |
|---|---|---|
| models with structure metric | {} | {} |
| models that converged | {} | {} |
| largest error of Re λ or Im λ, in standard errors | 3.5 | {:.2f} |
)",
                     options.omega, options.damping_ratio, 100 * options.noise, options.samples - 1,
                     options.seeds, options.seeds, found.metric, options.seeds, found.converged,
                     found.worst);
}

}  // namespace lgn::studies
