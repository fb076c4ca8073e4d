#include "experiments/varying/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiments/varying/choice.h"
#include "experiments/varying/drift.h"
#include "experiments/varying/kept.h"
#include "experiments/varying/orders.h"

namespace lgn::studies {
namespace {

std::string order_table(const std::vector<SchemeOrder>& schemes) {
  std::string text = "| method |";
  for (const double step : order_steps()) text += fmt::format(" error, Δt = {:g} |", step);
  text +=
      " order | nominal (limit ± 0.2) | gain over 2 at Δt = 0.1 |\n|---|---|---|---|---|---|---|---|\n";
  for (const SchemeOrder& scheme : schemes) {
    text += fmt::format("| {} |", scheme.name);
    for (const double error : scheme.errors) text += fmt::format(" {:.2e} |", error);
    text += fmt::format(" {:.2f} | {} | {:.3g} |\n", scheme.order, scheme.nominal, scheme.gain);
  }
  return text;
}

const SchemeOrder& scheme_named(const std::vector<SchemeOrder>& schemes, const std::string& name) {
  for (const SchemeOrder& scheme : schemes)
    if (scheme.name == name) return scheme;
  return schemes.front();
}

}  // namespace

std::string varying_introduction() {
  return R"(<!-- made by `make varying`; edit experiments/varying/, not this page -->
This page was made by `make varying`.

# What is reached where the generator varies in time

ẋ = A(t) x. All data are **simulated**; every A(t) is known, so that each answer can be compared with the truth. True trajectories come from a
Runge–Kutta method in extended precision with errors below the rounding of a double, which shares nothing with the
flow that it judges. The same studies run as tests with fewer seeds (`tests/identify/varying_limits_test.cpp`), which fail
where a limit is not kept. Numbers of the paper are those that it published. Random numbers have fixed seeds, so that all
but the seconds repeats on the same machine; seconds are those of one thread and no limit applies to them.
)";
}

std::string orders_section() {
  const auto oscillator = study_orders_on_oscillator();
  const double midpoint = scheme_named(oscillator, "2").errors[2];
  const double printed = scheme_named(oscillator, "printed").errors[2];
  std::string text = R"(
## Orders

Errors ‖x − x*‖ at the end, in even steps; orders are slopes of log error by log Δt, by least squares over the four steps.
At Δt = 0.1 on the oscillator order 4 must gain 100 over order 2, and order 6 must gain 10,000.

The paper's oscillator, γ(t) = 0.3 (1 + 0.5 sin t), from (1, 0) to T = 10:

)" + order_table(oscillator);
  text += fmt::format(R"(
`printed` is the paper's Magnus-2 step to the letter, Δt A(t + Δt/2) + Δt²/12 [A(t), A(t + Δt)], kept for reproduction. It is
of order 2: for ẋ = A x the commutator takes a minus sign, and beside it the integral of A needs a quadrature of its order,
such as Simpson's rule, where the midpoint stands; `4-simpson` is the same three samples with both. At Δt = 0.1 the formula
as printed has an error of {:.1e} against {:.1e} of the midpoint rule, the paper's Magnus-1.

A random full A(t) of five states with two frequencies, to T = 4:

)",
                      printed, midpoint);
  return text + order_table(study_orders_on_random_system());
}

std::string kept_section() {
  const NormOptions norms;
  std::string text = fmt::format(R"(
## Structure that is kept

Random skew A(t) of {} states with two frequencies, ‖x‖ = 1, {} steps of {:g}: every exponent is skew, so that every method
keeps the norm to rounding.

| method | largest \|‖x‖ − 1\| (limit 1e-11) |
|---|---|
)",
                                 norms.states, norms.steps, norms.step);
  for (const KeptNorm& kept : study_norms(norms))
    text += fmt::format("| {} | {:.1e} |\n", kept.method, kept.largest);
  text += R"(
Random S(t) − D(t) of 2 to 5 states, every third d zero at all times, at most a quarter of a cycle and ∫‖A‖ ≤ 1 from sample
to sample. There a commutator puts something into the symmetric part, and the energy of some state grows: counted for one
step of the method from sample to sample, with the largest growth of ‖x‖, and for the steps that the tolerance asks for.
`plan_grid` changes those steps: to a step without commutators, to shorter ones, or to the midpoint rule where all else fails.
Increases are intervals in whose planned map some state, the worst of all, gains energy beyond rounding.

| method | tolerance | intervals | one step would grow | by at most | steps of the tolerance would grow | intervals with a step without commutators | with one of the midpoint rule | steps per interval | increases (limit 0) |
|---|---|---|---|---|---|---|---|---|---|
)";
  for (const double tolerance : {1e-2, 1e-5, 1e-11})
    for (const char* method : {"4", "6"}) {
      const Contraction found = study_contraction({.method = method, .tolerance = tolerance});
      text += fmt::format("| {} | {:.0e} | {} | {} | {:.1e} | {} | {} | {} | {:.1f} | {} |\n",
                          method, tolerance, found.intervals, found.single, found.worst,
                          found.changed, found.free, found.midpoint, found.steps, found.increases);
    }
  return text;
}

std::string drift_section() {
  const DriftOptions defaults;
  std::string text =
      fmt::format(R"(
## A spring that drifts

A chain of {} masses, k = {:g}, c = {:g}, whose middle spring goes as k (1 + {:g} tanh(t/{:g})); {} runs, t < {:g}, Δt = 0.1,
{:g}% noise in each channel. Nothing is told of masses and springs: A(t) is full, {} entries, of which four vary. The band
is a course ± 1.96 standard errors, its share of time with the truth inside a mean over the four entries that do vary. An
error of a course's level is one number that counts at all times, so that the share scatters much from seed to seed: the limit
is for its mean. A band tells the noise, not what so few splines cannot follow. Where the search goes wrong, entries are missing
and extra, and the residuals exceed the noise, whose NRMSE is {:g}.

| seed | found to vary | missing (limit 0) | extra (limit 0) | share of the band with the truth | mean \|pull\| | largest \|pull\| | largest error | parameters | NRMSE of the fit | seconds |
|---|---|---|---|---|---|---|---|---|---|---|
)",
                  defaults.masses, defaults.stiffness, defaults.damping, defaults.drift,
                  defaults.tau, defaults.runs, defaults.end, 100 * defaults.noise,
                  4 * defaults.masses * defaults.masses, defaults.noise);
  double coverage = 0;
  constexpr int seeds = 10;
  for (int seed = 1; seed <= seeds; ++seed) {
    const DriftStudy found = study_drift({.seed = static_cast<std::uint64_t>(seed)});
    coverage += found.coverage / seeds;
    text += fmt::format(
        "| {} | {} | {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.3f} | {} | {:.4f} | {:.1f} |\n", seed,
        fmt::join(found.varying, " "), found.missing, found.extra, found.coverage, found.mean_pull,
        found.largest_pull, found.largest_error, found.parameters, found.nrmse, found.seconds);
  }
  return text + fmt::format("\nThe mean share over the {} seeds is {:.2f} (limit 0.8).\n", seeds,
                            coverage);
}

std::string choice_section() {
  const FalseAlarmOptions alarms;
  std::string text = fmt::format(R"(
## Constant or varying

`identify` with structure auto. Constant systems, one run from a random initial state, t < 30, Δt = 0.1, {} data sets for each row: a
generator that varies must not be chosen.

| system | noise | data sets | found to vary (limit 0) | structures chosen |
|---|---|---|---|---|
)",
                                 alarms.seeds);
  for (const FalseAlarms& found : study_false_alarms(alarms))
    text += fmt::format("| {} | {:g}% | {} | {} | {} |\n", found.system, 100 * found.noise,
                        found.data_sets, found.alarms, fmt::join(found.chosen, ", "));
  const DetectionOptions defaults;
  text += fmt::format(R"(
The paper's oscillator, γ(t) = 0.3 (1 + a sin t), t < 20, {:g}% noise, {} data sets for each a:

| a | found to vary | and exactly d2 with one frequency |
|---|---|---|
)",
                      100 * defaults.noise, defaults.seeds);
  for (const double modulation : {0.5, 0.2, 0.1, 0.05, 0.02}) {
    const Detection found = study_detection({.modulation = modulation});
    text += fmt::format("| {:g} | {} | {} |\n", modulation, found.found, found.as_it_is);
  }
  return text;
}

}  // namespace lgn::studies
