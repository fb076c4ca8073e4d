#include "experiments/identification/dense.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "experiments/identification/page.h"
#include "experiments/identification/poles.h"
#include "lgn/core/decompositions.h"
#include "lgn/core/median.h"
#include "lgn/dynamics/structural_systems.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify.h"
#include "lgn/physics/assignment.h"

namespace lgn::studies {
namespace {

double median_of(const Vector& values) {
  return median(std::vector<double>(values.begin(), values.end()));
}

double rms_of(const Vector& values) {
  return values.norm() / std::sqrt(static_cast<double>(values.size()));
}

/// Poles log(μ)/h of the map of least ‖Φ X_k − X_(k+1)‖.
ComplexVector step_map_poles(const Dataset& data, double step) {
  Matrix now(data.dimension(), 0), next = now;
  for (const auto& run : data.runs()) {
    const Index pairs = run.samples() - 1, before = now.cols();
    now.conservativeResize(Eigen::NoChange, before + pairs);
    next.conservativeResize(Eigen::NoChange, before + pairs);
    now.rightCols(pairs) = run.states().leftCols(pairs);
    next.rightCols(pairs) = run.states().rightCols(pairs);
  }
  const Matrix map = solve_minimum_norm(now.transpose(), next.transpose()).transpose();
  return eigenvalues(map).array().log() / step;
}

/// Of every true pole, and of the found one that is its own, the distance: pairs of the least Σ √|Δλ|. One pole that was not found is
/// then one large error, where the least sum of |Δλ| may as well move every pole between it and a spurious one to its neighbour.
EigenvalueMatch matched(const ComplexVector& truth, const ComplexVector& found) {
  const Matrix distance =
      (truth.replicate(1, found.size()) - found.transpose().replicate(truth.size(), 1)).cwiseAbs();
  EigenvalueMatch match{assign(distance.cwiseSqrt()), Vector(truth.size())};
  for (Index k = 0; k < truth.size(); ++k)
    match.distance[k] = distance(k, match.partner[static_cast<std::size_t>(k)]);
  return match;
}

}  // namespace

DenseStudy study_dense(const DenseSystemsOptions& options) {
  const Dataset data = sample_runs(
      options.system, {.runs = options.runs,
                       .end = options.step * (static_cast<double>(options.samples) - 0.5),
                       .step = options.step,
                       .noise = options.noise,
                       .seed = options.seed});
  const ComplexVector truth = eigenvalues(options.system.a);
  DenseStudy study;
  const Vector by_map = matched(truth, step_map_poles(data, options.step)).distance;
  study.step_map_median = median_of(by_map);
  study.step_map_rms = rms_of(by_map);
  const std::clock_t begin = std::clock();
  const Model model = identify(data);
  study.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  study.structure = model.structure;
  study.converged = model.fit.converged;
  const EigenvalueMatch match = matched(truth, poles_of(model));
  study.median = median_of(match.distance);
  study.rms = rms_of(match.distance);
  double within = 0;
  for (Index k = 0; k < truth.size(); ++k) {
    const Mode& mode =
        model.modes[static_cast<std::size_t>(match.partner[static_cast<std::size_t>(k)])];
    if (!mode.se || !mode.identifiable.value_or(false)) continue;
    study.with_errors += 1;
    const double width = model.fit.interval;
    within += std::abs(mode.pole.real() - truth[k].real()) <= width * mode.se->re ? 0.5 : 0;
    within += std::abs(mode.pole.imag() - truth[k].imag()) <= width * mode.se->im ? 0.5 : 0;
  }
  study.covered = within / std::max(1.0, static_cast<double>(study.with_errors));
  return study;
}

std::string dense_systems_section() {
  std::string text = R"(
## Structures of hundreds of states

Masts (`lgn generate truss`) and cantilevers (`lgn generate beam`), all positions and velocities measured, four runs of 300 samples from random
initial states, structure `auto`; every mode is damped by 1% of critical, and the fastest has 3.3 samples in a cycle. Beside them the logarithm of the step map of least squares (dynamic
mode decomposition). Errors are |Δλ| in rad per unit of time, over all poles, true and found ones paired so that Σ √|Δλ| is least: one pole that is not found is then one large error; coverage is that of the 95% intervals of Re λ and Im λ of poles whose standard errors are
below half their size. A beam's frequencies span five decades: poles slower than a record, or weaker than its noise, are not resolved by anyone, and show in the root mean square.
Seconds are of one core.

| system | noise | step map: median \|Δλ\| | rms | lgn: median \|Δλ\| | rms | poles with errors | covered | chosen | converged | seconds |
|---|---|---|---|---|---|---|---|---|---|---|
)";
  const auto row = [&](const std::string& name, const System& system, double noise) {
    const DenseStudy found = study_dense({.name = name, .system = system, .noise = noise});
    text += fmt::format(
        "| {}, n = {} | {:g}% | {:.1e} | {:.1e} | {:.1e} | {:.1e} | {} | {:.0f}% | {} | {} | {:.1f} |\n",
        name, system.a.rows(), 100 * noise, found.step_map_median, found.step_map_rms, found.median,
        found.rms, found.with_errors, 100 * found.covered, found.structure,
        found.converged ? "yes" : "no", found.seconds);
  };
  for (const Index states : {48, 120, 270, 348})
    for (const double noise : {0.0, 0.01}) {
      Random random(1);
      row("truss", truss(states, 3, 0.01, random), noise);
    }
  for (const Index states : {48, 120, 348})
    for (const double noise : {0.0, 0.01}) row("beam", beam(states, 3, 0.01), noise);
  return text;
}

}  // namespace lgn::studies
