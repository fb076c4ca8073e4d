#include "experiments/networks/page.h"

#include <fmt/format.h>

#include "experiments/networks/clean.h"
#include "experiments/networks/dense.h"
#include "experiments/networks/elements.h"
#include "experiments/networks/ladder.h"
#include "experiments/networks/topologies.h"

namespace lgn::studies {
namespace {

const char* names(bool named) { return named ? "v1, i1, …" : "x1, x2, …"; }

std::string ladder_row(const LadderOptions& options, const char* nrmse_limit) {
  const LadderStudy found = study_ladder(options);
  const WiringErrors& wiring = found.wiring;
  return fmt::format(
      "| {:g}% | {} | {} | {} | {} / {} | {} | {:.2e} | {:.2e} | {:.2f} | {:.2e} | {:.2f} | {} | {:.1e} | {:.1e} | {:.1f} |\n",
      100 * options.noise, names(options.named), wiring.missing, wiring.extra,
      wiring.missing_losses, wiring.extra_losses, found.lawful, found.error, found.bound,
      found.error / found.bound, found.deviation, found.error / found.deviation, nrmse_limit,
      found.nrmse, found.worst_nrmse, found.seconds);
}

std::string topology_row(const char* name, const NetworkRecipe& recipe) {
  const TopologyOptions options{.recipe = recipe};
  const TopologyStudy found = study_topology(options);
  const WiringErrors& wiring = found.wiring;
  return fmt::format("| {} | {} | {:g} | {} | {} | {} | {} | {} / {} | {:.4f} | {:.1f} |\n", name,
                     found.states, recipe.spread, found.pairs, wiring.missing, wiring.extra,
                     found.wrong, wiring.missing_losses, wiring.extra_losses, found.nrmse,
                     found.seconds);
}

}  // namespace

std::string networks_introduction() {
  return R"(<!-- made by `make networks`; edit experiments/networks/, not this page -->
This page was made by `make networks`.

# What the search for networks reaches

Nothing but the samples is given to the program, in some studies with names of channels that say what they measure.
It finds which states couple, which lose energy, and how much. All data are **simulated**; every network is known, so that each answer can be
compared with the truth: *missing* counts true couplings that were not found, *extra* those found that are not there.
Eigenvalues are paired with the true ones at the least total |Δλ|. The same studies run as tests with fewer seeds
(`tests/identify/network_limits_test.cpp`), which fail where a limit is not kept. Random numbers have fixed seeds, so
that all but the seconds repeats on the same machine; seconds are those of one thread and no limit applies to them.
)";
}

std::string ladder_section() {
  const LadderOptions options;
  std::string text = fmt::format(R"(
## A ladder of {} sections under noise

L = C = 1, R = 0.1, {} states, {} runs from random initial states, t < 30, Δt = {:g}, {} data sets for each row: sums of what is
missing and extra, else means over data sets. With channels v1, i1, … couplings are ±1 by Kirchhoff's laws and every
L, C and R is found; with x1, x2, … nothing is known of the channels and the network is S − D.

The bound is the Cramér–Rao bound of the *true* network in the same form, its topology and its losses known, its initial
states not: the mean over poles of E|Δλ| = s₁ √(2/π) E(√(1 − s₂²/s₁²)) for a pole whose covariance has the eigenvalues
s₁² ≥ s₂². A standard deviation is not a mean absolute error: √(s₁² + s₂²), the root of the trace, is 1.13 to 1.25 times
E|Δλ|. Its mean stands beside the bound, and the ratio to it is smaller by as much. The test is the prediction up to
t = {:g} from e₁ + ½e₂; its limit applies to every data set.

| noise | channels | missing (limit 0) | extra (limit 0) | losses missing / extra | models with couplings ±1 | mean \|Δλ\| | bound | ratio (limit 1.3) | mean √trace | ratio to that | limit of the NRMSE | test NRMSE | worst | seconds |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
)",
                                 options.sections, 2 * options.sections, options.runs, options.step,
                                 options.seeds, options.test_end);
  for (const bool named : {true, false})
    for (const auto& [noise, limit] :
         {std::pair{0.001, ""}, {0.01, "3e-03"}, {0.05, ""}, {0.1, "3e-02"}})
      text += ladder_row({.noise = noise, .named = named}, limit);
  return text;
}

std::string clean_section() {
  std::string text = R"(
## The same ladder without noise

Experiment 3: three runs, t < 30, Δt = 0.1. Integrated data come from Dormand–Prince 5(4), rtol 1e-8, atol 1e-10, as the
paper's did. An integrator damps by itself: δ is the rate by which its data decay faster than the exact solution x*, that
of the least Σ‖x − e^(δt) x*‖², and the column beside it is the mean |δ_k| of the same for every mode alone. A fit to whole
trajectories takes that for a loss; a derivative sees the error of each step once, so that where residuals are small
and not white, the values of a network are those of regression on its topology. The last column is the error
that remains when δ is subtracted. The goal is a mean |Δλ| of 1e-9.

| data | channels | seed | missing / extra | error of the data | mean \|Δλ\| | mean Re Δλ | δ of the data | mean \|δ_k\| of the data | mean \|Δλ − δ\| |
|---|---|---|---|---|---|---|---|---|---|
)";
  for (const bool integrated : {true, false})
    for (const bool named : {true, false})
      for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const Clean found = study_clean({.integrated = integrated, .named = named, .seed = seed});
        text += fmt::format(
            "| {} | {} | {} | {} / {} | {:.1e} | {:.2e} | {:.2e} | {:.2e} | {:.2e} | {:.2e} |\n",
            integrated ? "integrated" : "exact", names(named), seed, found.wiring.missing,
            found.wiring.extra, found.data_error, found.error, found.shift, found.carried,
            found.carried_by_modes, found.left);
      }
  return text;
}

std::string elements_section() {
  const ElementsOptions defaults;
  std::string text = fmt::format(R"(
## Every element of an unequal ladder

{} sections, each L, C and R log-uniform over a factor of {:g}, channels v1, i1, …, {:g}% noise in each channel, {} runs,
t < 30, Δt = 0.1. Every row is another ladder. Errors are in units of the standard errors that the model gives, or
relative to the true value.

| seed | missing (limit 0) | extra (limit 0) | losses missing / extra | values found (limit {}) | largest error in standard errors (limit 4) | median relative error (limit 1%) | largest relative error | fastest pole | seconds |
|---|---|---|---|---|---|---|---|---|---|
)",
                                 defaults.sections, defaults.spread, 100 * defaults.noise,
                                 defaults.runs, 3 * defaults.sections);
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
    const Elements found = study_elements({.seed = seed});
    text += fmt::format(
        "| {} | {} | {} | {} / {} | {} | {:.2f} | {:.2f}% | {:.1f}% | {:.1f} | {:.1f} |\n", seed,
        found.wiring.missing, found.wiring.extra, found.wiring.missing_losses,
        found.wiring.extra_losses, found.values, found.worst, 100 * found.median,
        100 * found.largest, found.fastest, found.seconds);
  }
  return text;
}

std::string topologies_section() {
  const TopologyOptions defaults{};
  std::string text = fmt::format(R"(
## Other networks

{:g}% noise, {} runs, t < 30, Δt = 0.1, {} networks for each row; numbers are sums over them, seconds means. Rings and
trees are S − D with losses on half of the states; chains and grids are masses and springs. With a spread of 10 every
value is log-uniform over a decade. A fit with white residuals has the NRMSE of the noise.

| network | states | spread | couplings | missing (limit 0) | extra (limit 0) | networks with an error | losses missing / extra | largest NRMSE of a fit | seconds |
|---|---|---|---|---|---|---|---|---|---|
)",
                                 100 * defaults.noise, defaults.runs, defaults.seeds);
  for (const double spread : {1.0, 10.0}) {
    text += topology_row("ring", {.topology = Topology::ring, .size = 40, .spread = spread});
    text += topology_row("tree", {.topology = Topology::tree, .size = 40, .spread = spread});
    text += topology_row("grid", {.topology = Topology::grid, .size = 6, .spread = spread});
    text += topology_row("chain", {.topology = Topology::chain, .size = 10, .spread = spread});
  }
  return text;
}

std::string dense_section() {
  const DenseOptions defaults;
  std::string text = fmt::format(R"(
## Where there is no network

Random S − D of {} states, every state coupled with every other, {:g}% noise. The program must say so, and take `sd`.

| seed | verdict on a network | `auto` takes | mean \|Δλ\| | ‖A−A*‖/‖A*‖ | in place of `network` stands | and it says so |
|---|---|---|---|---|---|---|
)",
                                 defaults.states, 100 * defaults.noise);
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Dense found = study_dense({.seed = seed});
    text += fmt::format("| {} | {} | {} | {:.1e} | {:.1e} | {} | {} |\n", seed, found.verdict,
                        found.structure, found.error, found.generator_error, found.instead,
                        found.warns ? "yes" : "no");
  }
  return text;
}

}  // namespace lgn::studies
