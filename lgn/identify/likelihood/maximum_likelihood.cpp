#include "lgn/identify/likelihood/maximum_likelihood.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/identify/likelihood/horizons.h"
#include "lgn/identify/likelihood/likelihood_search_internal.h"

namespace lgn {
namespace {

/// A fit whose error is larger than this part of the signal may have a better start, or has lost its
/// phase.
constexpr double far = 0.02, lost = 0.5;
/// Error of a step of the flow, as a part of the residuals, that does not show; and the smallest that steps can
/// have.
constexpr double integration_share = 1e-4, finest_tolerance = 1e-14;

/// Most rounds of a robust fit, and most passes in which its first weights settle.
constexpr int robust_rounds = 50, robust_passes = 30;

/// θ fitted to windows of growing length, all but the last.
Vector through_horizons(const Dataset& data, Vector theta, const Vector& noise,
                        const FitOptions& options, Fit& result) {
  FitOptions free = options;
  free.estimate_initial_states = true;
  const auto lengths = horizons(data);
  for (std::size_t h = 0; h + 1 < lengths.size(); ++h) {
    // A part of a long record tells where the next horizon begins.
    constexpr Index enough = 200'000, windows_of_long = 4;
    const Index most = std::max(enough, windows_of_long * lengths[h]);
    const Dataset windows = data.samples() > most ? spread_windows(data, lengths[h], most)
                                                  : cut_windows(data, lengths[h]);
    LikelihoodSearch search(windows, *result.structure, noise, free);
    const auto task = fmt::format("horizon {} of {}", h + 1, lengths.size());
    const GaussNewtonResult found = search.minimize(theta, 0.1, 20, task);
    theta = found.state.x;
    result.iterations += found.state.iterations;
    if (found.ending == GaussNewtonResult::Ending::stopped) throw Stopped();
  }
  return theta;
}

/// A place to start from, its misfit, and what enters linearly there.
struct Candidate {
  Vector theta;
  double cost = std::numeric_limits<double>::infinity();
  LinearUnknowns linear = {};

  /// Takes the best of these, if that is better.
  void improve(LikelihoodSearch& search, const Vector& lower, std::span<const Vector> others) {
    for (const Vector& other : others) {
      const Vector bounded = other.cwiseMax(lower);
      const double found = search.cost(bounded);
      if (!(found < cost)) continue;
      cost = found;
      theta = bounded;
      linear = search.linear_unknowns(search.profile());
    }
  }
};

/// Weights that take the hand of outliers from the initial states before the model is fitted.
NoiseEstimate settled_weights(LikelihoodSearch& search, const Vector& theta, const Vector& sizes) {
  NoiseEstimate weights{sizes, {}};
  for (int pass = 0; pass < robust_passes; ++pass) {
    search.cost(theta);
    NoiseEstimate noise = estimate_noise(search.problem(), search.profile(), sizes, true);
    const bool same = weights.resembles(noise);
    weights = std::move(noise);
    search.weigh(weights);
    if (same) break;
  }
  return weights;
}

/// From a start to the maximum: growing horizons where the phase is lost, then rounds of steps and
/// noise estimates. `result` is the best so far at every moment.
void improve(const Dataset& data, const Candidate& start, const Vector& sizes,
             const FitOptions& options, Fit& result) {
  const auto& structure = result.structure;
  LikelihoodSearch search(data, *structure, sizes, options);
  Vector theta = start.theta;
  const bool robust = options.robust(), constant = structure->autonomous() != nullptr;
  // Squares of outliers would only lead away from a robust start.
  const bool windows = constant && structure->modal() == nullptr && structure->ports() == nullptr;
  if (search.nrmse(start.cost) > lost && !search.large() && !robust && windows) {
    const Vector grown = through_horizons(data, theta, sizes, options, result);
    if (search.cost(grown) < start.cost) {
      theta = result.theta = grown;
      search.take_linear(theta, result);
    }
  }
  search.plan(theta, result.magnus);
  // Each round fits under the noise estimated in the last one. The first only needs residuals.
  NoiseEstimate weights = robust ? settled_weights(search, theta, sizes) : NoiseEstimate{sizes, {}};
  result.noise = weights.sigma;
  const int rounds = robust ? robust_rounds : options.rounds;
  bool settled = false;
  for (int round = 0; round < rounds && !settled; ++round) {
    const bool same_steps = !search.plan(theta, result.magnus) && (constant || round > 0);
    const double tolerance = round == 0 ? 0.1 : 1e-4;
    const GaussNewtonResult found = search.minimize(theta, tolerance, options.max_iterations,
                                                    fmt::format("round {}", round + 1));
    theta = result.theta = found.state.x;
    result.iterations += found.state.iterations;
    if (found.ending == GaussNewtonResult::Ending::stopped) {
      search.take_linear(theta, result);
      throw Stopped();
    }
    const NoiseEstimate noise = estimate_noise(search.problem(), search.profile(), sizes, robust);
    result.noise = noise.sigma;
    result.factors = noise.factors;
    // What the steps of the flow do wrong must not show beside the residuals.
    result.magnus.tolerance =
        std::min(options.magnus.tolerance,
                 std::max(integration_share * search.nrmse(found.cost), finest_tolerance));
    const bool at_rounding = !(search.nrmse(found.cost) > search.goal());
    const bool same_weights = weights.resembles(noise);
    const bool same_problem = same_weights || search.large();
    settled = (at_rounding && (constant || round > 0)) || (round > 0 && same_problem);
    settled = settled && (same_steps || round > 1);
    result.converged = found.converged() && (settled || round + 1 == rounds);
    if (settled || same_weights) continue;
    search.weigh(noise);
    weights = noise;
  }
  search.cost(theta);
  search.take_linear(theta, result);
}

/// The same, which ends with the best so far where it is stopped.
Fit refine(const Dataset& data, const std::shared_ptr<const Structure>& structure,
           const Candidate& start, const Vector& sizes, const FitOptions& options) {
  Fit result{structure, "mle", start.theta};
  LinearUnknowns(start.linear).give_to(result);
  result.magnus = options.magnus;
  if (!unless_stopped([&] { improve(data, start, sizes, options, result); })) {
    result.stopped = true;
    result.converged = false;
  }
  return result;
}

}  // namespace

std::vector<Vector> projected(const ConstantStructure& structure,
                              const std::vector<Matrix>& generators) {
  std::vector<Vector> result;
  for (const Matrix& generator : generators) result.push_back(structure.project(generator));
  return result;
}

Fit maximum_likelihood(const Dataset& data, std::shared_ptr<const Structure> structure,
                       const LikelihoodStart& start, const FitOptions& options) {
  if (structure->channels() != data.dimension())
    throw Error("the structure and the data have different numbers of channels");
  const Vector sizes = start.sizes.size() > 0 ? start.sizes
                       : structure->common_unit()
                           ? Vector::Constant(data.dimension(), amplitude(data)).eval()
                           : channel_amplitudes(data);
  const Vector lower = structure->lower_bounds();
  LikelihoodSearch search(data, *structure, sizes, options);
  const std::span<const Vector> starts(start.theta);
  Candidate best;
  best.improve(search, lower, starts.first(std::min<std::size_t>(1, starts.size())));
  std::vector<Vector> more;
  std::span<const Vector> others;
  const auto look_further = [&] {
    best.improve(search, lower, starts.subspan(std::min<std::size_t>(1, starts.size())));
    if (start.fallback && !(search.nrmse(best.cost) < (search.large() ? large_exact : far)))
      more = start.fallback();
    others = more;
    best.improve(search, lower, others.first(std::min<std::size_t>(1, others.size())));
  };
  if (std::isfinite(best.cost))
    unless_stopped(look_further);
  else
    look_further();
  if (!std::isfinite(best.cost))
    throw NotIdentified("no generator that the data suggest has a finite trajectory",
                        "is the system linear, and is the time column right?");
  search.forget_profile();
  Fit result = refine(data, structure, best, sizes, options);
  if (others.size() < 2 || result.stopped || search.large()) return result;

  // Perhaps the frequencies that seem natural are aliases; then others fit much better.
  const bool to_the_end = unless_stopped([&] {
    const double reached = search.cost(result.theta);
    Candidate alias{result.theta, reached};
    alias.improve(search, lower, others.subspan(1));
    if (!(alias.cost < reached)) return;
    Fit second = refine(data, structure, alias, sizes, options.in_stage("alias"));
    second.iterations += result.iterations;
    if (search.cost(second.theta) < 0.5 * reached) result = std::move(second);
  });
  result.stopped = result.stopped || !to_the_end;
  result.converged = result.converged && !result.stopped;
  return result;
}

ProblemOptions problem_options(const Fit& fit, bool estimate_initial_states) {
  ProblemOptions result;
  if (!estimate_initial_states) result.initial_states = fit.initial_states;
  result.estimate_offset = fit.offset.size() > 0;
  if (fit.drive.active()) result.inputs = fit.drive.timing;
  // Entries that are not estimated are exactly zero.
  if (fit.drive.active() && (fit.drive.b.array() == 0).any())
    result.drive_pattern = (fit.drive.b.array() != 0).cast<double>();
  result.feedthrough = fit.drive.d.size() > 0;
  result.magnus = fit.magnus;
  return result;
}

Matrix information_matrix(const Dataset& data, const Structure& structure, const Vector& theta,
                          const Vector& noise, const ProblemOptions& options) {
  const Problem problem(data, structure, noise, options);
  return problem.linearise(*problem.profile(theta)).information;
}

}  // namespace lgn
