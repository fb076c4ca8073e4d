#include "lgn/identify/likelihood/maximum_likelihood.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "lgn/core/error.h"
#include "lgn/core/gauss_newton.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/identify/likelihood/horizons.h"
#include "lgn/identify/likelihood/likelihood.h"
#include "lgn/identify/likelihood/noise.h"
#include "lgn/identify/likelihood/regression_preconditioner.h"
#include "lgn/identify/likelihood/starts.h"

namespace lgn {
namespace {

/// A fit whose error is larger than this part of the signal may have a better start, or has lost its
/// phase; one below the last has reached the rounding of the samples.
constexpr double far = 0.02, lost = 0.5, exact = 1e-12;
/// With many parameters most directions are hardly determined, and following each to its end would
/// fit noise: the search ends when a step promises to lower the misfit by less than this part, or
/// the error is below this part of the signal, where regression has told all that can be told.
constexpr double large_gain = 1e-2, large_exact = 1e-7;

/// The state of the search as numbers, for a checkpoint: where it stands, and where its Hessian is
/// from (NaN: from nowhere).
struct Kept {
  GaussNewtonState state;
  Vector hessian_at;
  int hessian_used = 0;

  Vector pack() const {
    Vector packed(2 * state.x.size() + 3);
    packed << state.x, hessian_at, state.damping, static_cast<double>(state.iterations),
        static_cast<double>(hessian_used);
    return packed;
  }
  static Kept unpack(const Vector& packed) {
    const Index p = (packed.size() - 3) / 2;
    const Vector rest = packed.tail(3);
    return {{packed.head(p), rest[0], static_cast<int>(rest[1])},
            packed.segment(p, p),
            static_cast<int>(rest[2])};
  }
};

/// The search for θ on one set of runs.
class Search {
 public:
  Search(const Dataset& data, const Structure& structure, const Vector& noise,
         const LikelihoodOptions& options)
      : structure_(structure),
        options_(options),
        likelihood_(data, noise,
                    options.estimate_starts ? std::nullopt : std::optional(measured_starts(data))) {
    forget_hessian();
  }

  const Likelihood& likelihood() const { return likelihood_; }
  const Likelihood::Profile& profile() const { return profile_; }
  double freedom() const {
    return static_cast<double>(likelihood_.values() - structure_.parameters() -
                               likelihood_.start_unknowns());
  }
  double cost(const Vector& theta) {
    const Matrix a = structure_.generator(theta);
    if (!a.allFinite()) return std::numeric_limits<double>::infinity();
    profile_ = likelihood_.profile(a);
    return profile_.cost;
  }
  /// Error relative to the signal, in units of the noise.
  double nrmse(double cost) const { return std::sqrt(cost / likelihood_.power()); }
  void weigh(const NoiseEstimate& noise) {
    likelihood_.weigh(noise.sigma, noise.factors);
    forget_hessian();
  }

  /// Levenberg–Marquardt from θ.
  GaussNewtonResult minimize(const Vector& theta, double tolerance, int max_iterations,
                             const std::string& task) {
    // Many parameters that do not settle are hardly determined: it is not worth minutes to follow
    // them.
    constexpr Index many = 200;
    if (structure_.parameters() > many) max_iterations = std::min(max_iterations, 40);
    SumOfSquares problem;
    problem.cost = [&](const Vector& x) { return cost(x); };
    problem.model = [&](const Vector& x) { return model(x); };
    problem.lower = structure_.lower_bounds();
    problem.freedom = freedom();
    if (large()) tolerance = std::sqrt(large_gain * std::max(1.0, freedom()));
    GaussNewtonOptions settings{.max_iterations = max_iterations,
                                .tolerance = tolerance,
                                .cost_tolerance = goal() * goal() * likelihood_.power()};
    const std::string stage = options_.stage + ", " + task;
    settings.observe = [&](const GaussNewtonState& state, double cost) {
      if (options_.checkpoint)
        options_.checkpoint->keep(stage, Kept{state, hessian_at_, hessian_used_}.pack());
      return !options_.observe ||
             options_.observe({task, state.iterations, max_iterations, nrmse(cost)});
    };
    Vector packed;
    const bool resumed = options_.checkpoint && options_.checkpoint->restore(stage, packed);
    GaussNewtonState start{theta};
    if (large()) start.damping = 0;  // conjugate gradients that end early damp by themselves
    if (resumed) {
      const Kept kept = Kept::unpack(packed);
      start = kept.state;
      forget_hessian();
      if (kept.hessian_at.allFinite()) model(kept.hessian_at);
      hessian_used_ = kept.hessian_used;
    }
    GaussNewtonResult result = minimize_gauss_newton(problem, start, settings);
    profile_ = likelihood_.profile(structure_.generator(result.state.x));
    return result;
  }

  /// Error relative to the signal at which nothing is left to do.
  double goal() const { return large() ? large_exact : exact; }
  bool large() const { return structure_.parameters() > options_.dense_parameters; }

 private:
  void forget_hessian() {
    hessian_.reset();
    hessian_at_.setConstant(structure_.parameters(), std::numeric_limits<double>::quiet_NaN());
  }

  std::unique_ptr<QuadraticModel> model(const Vector& theta) {
    const Matrix a = structure_.generator(theta);
    profile_ = likelihood_.profile(a);  // the last trial may have been another point
    if (large()) return matrix_free_model(theta, a);
    // The Hessian costs a hundred times what the gradient does, and hardly changes near the end.
    constexpr int most_uses = 4;
    if (hessian_ && hessian_cost_ < 1.1 * profile_.cost && hessian_used_ < most_uses) {
      ++hessian_used_;
      const Likelihood::Curvature curvature(likelihood_, a, profile_);
      return std::make_unique<DenseModel>(hessian_,
                                          structure_.pullback(theta, curvature.gradient()));
    }
    auto [information, gradient] =
        likelihood_.normal(a, parameter_directions(structure_, theta), profile_);
    hessian_ = std::make_shared<const Matrix>(std::move(information));
    hessian_cost_ = profile_.cost;
    hessian_at_ = theta;
    hessian_used_ = 1;
    return std::make_unique<DenseModel>(hessian_, std::move(gradient));
  }

  std::unique_ptr<QuadraticModel> matrix_free_model(const Vector& theta, const Matrix& a) {
    constexpr int most_products = 40;
    const auto curvature = std::make_shared<Likelihood::Curvature>(likelihood_, a, profile_);
    const auto preconditioner =
        std::make_shared<RegressionPreconditioner>(structure_, theta, curvature->second_moment());
    return std::make_unique<MatrixFreeModel>(
        MatrixFreeModel::Operator{
            [this, theta, curvature](const Vector& v) {
              return structure_.pullback(theta,
                                         curvature->product(structure_.pushforward(theta, v)));
            },
            [preconditioner](const Vector& v) { return preconditioner->apply(v); }},
        structure_.pullback(theta, curvature->gradient()), most_products);
  }

  const Structure& structure_;
  const LikelihoodOptions& options_;
  Likelihood likelihood_;
  Likelihood::Profile profile_;
  std::shared_ptr<const Matrix> hessian_;  ///< of an earlier θ
  Vector hessian_at_;                      ///< that θ, its cost, and how often it was used
  double hessian_cost_ = 0;
  int hessian_used_ = 0;
};

/// θ fitted to windows of growing length, all but the last.
Vector through_horizons(const Dataset& data, const Structure& structure, Vector theta,
                        const Vector& noise, const LikelihoodOptions& options,
                        MaximumLikelihood& result) {
  LikelihoodOptions free = options;
  free.estimate_starts = true;
  const auto lengths = horizons(data);
  for (std::size_t h = 0; h + 1 < lengths.size(); ++h) {
    Search search(cut_windows(data, lengths[h]), structure, noise, free);
    const auto task = fmt::format("horizon {} of {}", h + 1, lengths.size());
    const GaussNewtonResult found = search.minimize(theta, 0.1, 20, task);
    theta = found.state.x;
    result.iterations += found.state.iterations;
    result.stopped = found.ending == GaussNewtonResult::Ending::stopped;
    if (result.stopped) break;
  }
  return theta;
}

/// A place to start from, and its misfit.
struct Start {
  Vector theta;
  double cost = std::numeric_limits<double>::infinity();

  /// Takes the best of these generators, if that is better.
  void improve(Search& search, const Structure& structure, std::span<const Matrix> generators) {
    for (const Matrix& generator : generators) {
      const Vector projected = structure.project(generator);
      const double found = search.cost(projected);
      if (!(found < cost)) continue;
      cost = found;
      theta = projected;
    }
  }
};

/// From a start to the maximum: growing horizons where the phase is lost, then rounds of steps and
/// noise estimates.
MaximumLikelihood refine(const Dataset& data, const Structure& structure, const Start& start,
                         const Vector& sizes, const LikelihoodOptions& options) {
  Search search(data, structure, sizes, options);
  MaximumLikelihood result;
  Vector theta = start.theta;
  const bool robust = options.loss == Loss::huber;
  // Squares of outliers would only lead away from a robust start.
  if (search.nrmse(start.cost) > lost && !search.large() && !robust) {
    const Vector grown = through_horizons(data, structure, theta, sizes, options, result);
    if (search.cost(grown) < start.cost) theta = grown;
  }
  // Each round fits under the noise estimated in the last one. The first only needs residuals.
  NoiseEstimate weights{sizes, {}};
  // Outliers have a hand in the starts, too, until their weights have settled.
  for (int pass = 0; pass < 30 && robust; ++pass) {
    search.cost(theta);
    const NoiseEstimate noise =
        estimate_noise(search.likelihood(), search.profile(), sizes, search.freedom(), robust);
    const bool same = weights.resembles(noise);
    weights = noise;
    search.weigh(weights);
    if (same) break;
  }
  result.noise = weights.sigma;
  const int rounds = robust ? 50 : options.rounds;
  bool settled = false;
  for (int round = 0; round < rounds && !settled && !result.stopped; ++round) {
    const double tolerance = round == 0 ? 0.1 : 1e-4;
    const GaussNewtonResult found = search.minimize(theta, tolerance, options.max_iterations,
                                                    fmt::format("round {}", round + 1));
    theta = found.state.x;
    result.iterations += found.state.iterations;
    result.stopped = found.ending == GaussNewtonResult::Ending::stopped;
    const NoiseEstimate noise =
        estimate_noise(search.likelihood(), search.profile(), sizes, search.freedom(), robust);
    result.noise = noise.sigma;
    const bool at_rounding = !(search.nrmse(found.cost) > search.goal());
    const bool same_weights = weights.resembles(noise);
    settled = at_rounding || (round > 0 && (same_weights || search.large()));
    result.converged = found.converged() && (settled || round + 1 == rounds);
    if (settled || same_weights) continue;
    search.weigh(noise);
    weights = noise;
  }
  search.cost(theta);
  result.theta = theta;
  result.generator = structure.generator(theta);
  result.starts = search.profile().starts;
  result.freedom = search.freedom();
  return result;
}

}  // namespace

Matrix parameter_directions(const Structure& structure, const Vector& theta) {
  const Index n = structure.dimension(), p = structure.parameters();
  Matrix directions(p * n, n);
  for (Index q = 0; q < p; ++q)
    directions.middleRows(q * n, n) = structure.pushforward(theta, Vector::Unit(p, q));
  return directions;
}

MaximumLikelihood maximum_likelihood(const Dataset& data, const Structure& structure,
                                     const std::vector<Matrix>& candidates,
                                     const LikelihoodOptions& options) {
  const Vector sizes = options.sizes.size() > 0 ? options.sizes
                       : structure.common_unit()
                           ? Vector::Constant(data.dimension(), amplitude(data)).eval()
                           : channel_amplitudes(data);
  Search search(data, structure, sizes, options);
  Start start;
  start.improve(search, structure, candidates);
  std::vector<Matrix> more;
  if (options.fallback && !(search.nrmse(start.cost) < (search.large() ? large_exact : far)))
    more = options.fallback();
  const std::span<const Matrix> others(more);
  start.improve(search, structure, others.first(std::min<std::size_t>(1, others.size())));
  if (!std::isfinite(start.cost))
    throw NotIdentified("no generator that the data suggest has a finite trajectory",
                        "is the system linear, and is the time column right?");
  MaximumLikelihood result = refine(data, structure, start, sizes, options);
  const double reached = search.cost(result.theta);
  if (others.size() < 2 || result.stopped || search.large()) return result;

  // Perhaps the frequencies that seem natural are aliases; then others fit much better.
  Start alias{result.theta, reached};
  alias.improve(search, structure, others.subspan(1));
  if (!(alias.cost < reached)) return result;
  LikelihoodOptions again = options;
  again.stage += ", alias";
  MaximumLikelihood second = refine(data, structure, alias, sizes, again);
  second.iterations += result.iterations;
  return search.cost(second.theta) < 0.5 * reached ? second : result;
}

}  // namespace lgn
