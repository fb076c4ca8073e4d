#include "lgn/identify/likelihood/varying_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lgn/core/error.h"
#include "lgn/core/gauss_newton.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/modulated.h"
#include "lgn/identify/likelihood/noise.h"
#include "lgn/identify/likelihood/starts.h"

namespace lgn {
namespace {

/// A fit whose error is below this part of the signal has reached the rounding of the samples.
constexpr double exact = 1e-12;
/// Error of a step, as a part of what is left over, that does not show; and the smallest that steps can
/// have.
constexpr double integration_share = 1e-4, finest_tolerance = 1e-14;

std::optional<Matrix> known_starts(const Dataset& data, bool estimated) {
  return estimated ? std::nullopt : std::optional(measured_starts(data));
}

/// A frequency moves by at most a quarter of a turn over the longest run in a step: beyond that the
/// linear model says nothing.
Vector largest_steps(const VaryingStructure& structure, const Dataset& data) {
  const auto* modulated = dynamic_cast<const ModulatedStructure*>(&structure);
  Vector limits = Vector::Constant(structure.parameters(), std::numeric_limits<double>::infinity());
  if (modulated != nullptr)
    limits.head(modulated->basis().parameters())
        .setConstant(std::numbers::pi / 2 / longest_duration(data));
  return limits;
}

class Search {
 public:
  Search(const Likelihood& likelihood, const VaryingStructure& structure,
         const std::vector<MagnusGrid>& grids)
      : likelihood_(likelihood), structure_(structure), model_(likelihood, structure, grids) {}

  const Likelihood::Profile& profile(const Vector& theta) {
    profile_ = model_.profile(theta);
    return profile_;
  }

  GaussNewtonResult minimize(const GaussNewtonState& start, GaussNewtonOptions settings,
                             double freedom) {
    SumOfSquares problem;
    problem.cost = [&](const Vector& x) { return profile(x).cost; };
    problem.model = [&](const Vector& x) -> std::unique_ptr<QuadraticModel> {
      profile(x);
      auto [information, gradient] = model_.normal(x, profile_);
      return std::make_unique<DenseModel>(std::make_shared<const Matrix>(std::move(information)),
                                          std::move(gradient));
    };
    problem.lower = structure_.lower_bounds();
    problem.freedom = freedom;
    settings.cost_tolerance = exact * exact * likelihood_.power();
    return minimize_gauss_newton(problem, start, settings);
  }

 private:
  const Likelihood& likelihood_;
  const VaryingStructure& structure_;
  VaryingLikelihood model_;
  Likelihood::Profile profile_;
};

/// Weights that take the hand of outliers from the starts of a model that is not fitted yet.
NoiseEstimate settled_weights(Likelihood& likelihood, const VaryingStructure& structure,
                              const VaryingFit& at, const Vector& sizes, double freedom) {
  constexpr int most_passes = 30;
  const VaryingLikelihood model(likelihood, structure,
                                plan_grids(likelihood, structure, at.theta, at.magnus));
  NoiseEstimate weights{sizes, {}};
  for (int pass = 0; pass < most_passes; ++pass) {
    NoiseEstimate noise = estimate_noise(likelihood, model.profile(at.theta), sizes, freedom, true);
    const bool same = weights.resembles(noise);
    weights = std::move(noise);
    likelihood.weigh(weights.sigma, weights.factors);
    if (same) break;
  }
  return weights;
}

Vector pack(const GaussNewtonState& state) {
  Vector packed(state.x.size() + 2);
  packed << state.x, state.damping, static_cast<double>(state.iterations);
  return packed;
}

GaussNewtonState unpack(const Vector& packed) {
  const Index p = packed.size() - 2;
  return {packed.head(p), packed[p], static_cast<int>(packed[p + 1])};
}

}  // namespace

Matrix VaryingFit::propagate(const Vector& x0, const Vector& times) const {
  return lgn::propagate(*structure, theta, x0, times, magnus);
}

VaryingFit fit_varying(const Dataset& data, std::shared_ptr<const VaryingStructure> structure,
                       const Vector& theta, const VaryingOptions& options) {
  if (structure->dimension() != data.dimension())
    throw Error("the structure and the data have different numbers of states");
  const LikelihoodOptions& how = options.likelihood;
  const bool robust = how.loss == Loss::huber;
  const Vector sizes = channel_amplitudes(data);
  Likelihood likelihood(data, sizes, known_starts(data, how.estimate_starts), Clock::absolute);
  const double freedom =
      std::max<double>(1.0, static_cast<double>(likelihood.values() - structure->parameters() -
                                                likelihood.start_unknowns()));
  VaryingFit result{structure, "mle", theta.cwiseMax(structure->lower_bounds())};
  result.magnus = options.magnus;
  result.noise = sizes;
  NoiseEstimate weights{sizes, {}};
  std::vector<MagnusGrid> grids;
  if (robust) weights = settled_weights(likelihood, *structure, result, sizes, freedom);
  const int rounds = robust ? 5 * how.rounds : how.rounds;
  bool settled = false;
  for (int round = 0; round < rounds && !settled && !result.stopped; ++round) {
    std::vector<MagnusGrid> planned =
        plan_grids(likelihood, *structure, result.theta, result.magnus);
    const bool same_steps = planned == grids;
    grids = std::move(planned);
    Search search(likelihood, *structure, grids);
    const std::string task = fmt::format("round {}", round + 1), stage = how.stage + ", " + task;
    GaussNewtonOptions settings{.max_iterations = how.max_iterations,
                                .tolerance = round == 0 ? 0.1 : 1e-4};
    settings.largest_step = largest_steps(*structure, data);
    settings.observe = [&](const GaussNewtonState& state, double cost) {
      if (how.checkpoint != nullptr) how.checkpoint->keep(stage, pack(state));
      return !how.observe || how.observe({task, state.iterations, how.max_iterations,
                                          std::sqrt(cost / likelihood.power())});
    };
    GaussNewtonState start{result.theta};
    if (Vector packed; how.checkpoint != nullptr && how.checkpoint->restore(stage, packed) &&
                       packed.size() == structure->parameters() + 2)
      start = unpack(packed);
    if (!std::isfinite(search.profile(start.x).cost))
      throw NotIdentified("the start of the search has no finite trajectory",
                          "use a structure that cannot grow, such as ltv-sd");
    const GaussNewtonResult found = search.minimize(start, settings, freedom);
    result.theta = found.state.x;
    result.iterations += found.state.iterations;
    result.stopped = found.ending == GaussNewtonResult::Ending::stopped;
    const Likelihood::Profile& profile = search.profile(result.theta);
    const NoiseEstimate noise = estimate_noise(likelihood, profile, sizes, freedom, robust);
    result.starts = profile.starts;
    result.noise = noise.sigma;
    result.factors = noise.factors;
    // What the steps do wrong must not show beside what is left over.
    const double unseen = integration_share * std::sqrt(found.cost / likelihood.power());
    result.magnus.tolerance =
        std::min(options.magnus.tolerance, std::max(unseen, finest_tolerance));
    const bool at_rounding = !(found.cost > exact * exact * likelihood.power());
    const bool same_weights = weights.resembles(noise);
    settled = round > 0 && (at_rounding || same_weights) && (same_steps || round > 1);
    result.converged = found.converged() && (settled || round + 1 == rounds);
    if (settled || same_weights) continue;
    likelihood.weigh(noise.sigma, noise.factors);
    weights = noise;
  }
  return result;
}

Matrix varying_information(const Dataset& data, const VaryingFit& fit, const Vector& noise,
                           const std::optional<Matrix>& starts) {
  Likelihood likelihood(data, noise, starts, Clock::absolute);
  likelihood.weigh(noise, fit.factors);
  const VaryingLikelihood model(likelihood, *fit.structure,
                                plan_grids(likelihood, *fit.structure, fit.theta, fit.magnus));
  return model.normal(fit.theta, model.profile(fit.theta)).information;
}

Matrix varying_starts(const Dataset& data, const VaryingStructure& structure, const Vector& theta,
                      const MagnusOptions& magnus) {
  const Likelihood likelihood(data, channel_amplitudes(data), {}, Clock::absolute);
  return VaryingLikelihood(likelihood, structure, plan_grids(likelihood, structure, theta, magnus))
      .profile(theta)
      .starts;
}

FitResiduals find_residuals(const VaryingFit& fit, const Dataset& data) {
  return find_flow_residuals(
      [&](const Vector& x0, const Vector& times) { return fit.propagate(x0, times); }, fit.starts,
      data, fit.factors.empty() ? Vector() : Vector(3 * fit.noise));
}

}  // namespace lgn
