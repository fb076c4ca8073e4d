#include "lgn/identify/likelihood/modal_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/core/gauss_newton.h"
#include "lgn/core/median.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/structures.h"
#include "lgn/identify/likelihood/noise.h"

namespace lgn {
namespace {

/// Unknowns beyond which their matrix takes longer than what it saves.
constexpr Index most_unknowns = 4000;
/// An error below this part of the signal is the rounding of the guess.
constexpr double exact_modes = 1e-10;
/// What poles that do not grow decay by over the longest run at least.
constexpr double least_decay = 1e-6;
/// Most estimates of the noise, and most steps under each.
constexpr int rounds = 4, most_steps = 40;

/// Noise of each channel by its residuals, as estimate_noise() has it.
NoiseEstimate noise_of(const ModalProblem& problem, const ModalProblem::Profile& profile,
                       const Vector& weights, const Vector& sizes) {
  const auto count = static_cast<double>(problem.samples());
  const double values = count * static_cast<double>(sizes.size());
  const double share = std::max(0.05, problem.degrees_of_freedom() / values);
  NoiseEstimate result{weights.cwiseProduct(profile.residuals.colwise().norm().transpose()) /
                           std::sqrt(share * count),
                       {},
                       count};
  const Vector relative = result.sigma.cwiseQuotient(sizes);
  const double floor =
      std::max(1e-15, 1e-3 * median(std::vector<double>(relative.begin(), relative.end())));
  result.sigma = result.sigma.cwiseMax(floor * sizes);
  return result;
}

/// The search on one problem.
class ModalSearch {
 public:
  ModalSearch(ModalProblem problem, double least, const FitOptions& options)
      : problem_(std::move(problem)), lower_(problem_.lower(least)), options_(options) {}

  const ModalProblem& problem() const { return problem_; }
  const std::shared_ptr<const ModalProblem::Profile>& profile_at(const Vector& x) {
    if (!profile_ || profile_->unknowns != x) profile_ = problem_.profile(x);
    return profile_;
  }
  double nrmse(double cost) const { return std::sqrt(cost / problem_.power()); }
  void weigh(const Vector& noise) {
    problem_.weigh(noise);
    profile_.reset();
  }

  GaussNewtonResult minimize(const Vector& x, const std::string& task) {
    SumOfSquares squares;
    squares.cost = [&](const Vector& at) { return profile_at(at)->cost; };
    squares.model = [&](const Vector& at) {
      auto [gradient, information] = problem_.linearise(*profile_at(at));
      return std::make_unique<DenseModel>(std::make_shared<const Matrix>(std::move(information)),
                                          std::move(gradient));
    };
    squares.lower = lower_;
    squares.freedom = std::max(1.0, problem_.degrees_of_freedom());
    constexpr double of_unknowns = 1e-2;
    GaussNewtonOptions settings{
        .max_iterations = std::min(most_steps, options_.max_iterations),
        .tolerance = std::sqrt(of_unknowns * static_cast<double>(problem_.unknowns())),
        .cost_tolerance = exact_modes * exact_modes * problem_.power()};
    const std::string stage = options_.stage + ", modes, " + task;
    settings.observe = [&](const GaussNewtonState& state, double cost) {
      if (options_.checkpoint != nullptr) options_.checkpoint->keep(stage, pack(state));
      return !options_.observe ||
             options_.observe({task, state.iterations, settings.max_iterations, nrmse(cost)});
    };
    GaussNewtonState start{x};
    if (Vector packed;
        options_.checkpoint != nullptr && options_.checkpoint->restore(stage, packed))
      start = unpack(packed);
    GaussNewtonResult result = minimize_gauss_newton(squares, start, settings);
    if (result.ending != GaussNewtonResult::Ending::stopped) profile_at(result.state.x);
    return result;
  }

 private:
  static Vector pack(const GaussNewtonState& state) {
    Vector packed(state.x.size() + 3);
    packed << state.x, state.damping, static_cast<double>(state.iterations), work_done();
    return packed;
  }
  GaussNewtonState unpack(const Vector& packed) const {
    if (packed.size() != problem_.unknowns() + 3)
      throw Error("the checkpoint holds a search for other parameters",
                  "remove it, or continue with the structure and the data that it was made with");
    const Vector rest = packed.tail(3);
    resume_work(rest[2]);
    return {packed.head(problem_.unknowns()), rest[0], static_cast<int>(rest[1])};
  }

  ModalProblem problem_;
  Vector lower_;
  const FitOptions& options_;
  std::shared_ptr<const ModalProblem::Profile> profile_;
};

/// What the fit says after a profile of the search.
void take(const ModalProblem& problem, const ModalProblem::Profile& profile, Fit& fit) {
  ModalProblem::System system = problem.system(profile);
  if (!system.generator.allFinite() || !system.initial_states.allFinite()) return;
  fit.theta = system.generator.reshaped();
  fit.initial_states = std::move(system.initial_states);
  fit.offset = std::move(system.offset);
  if (fit.offset.size() > 0) fit.initial_states.colwise() += fit.offset;
}

/// Rounds of steps and estimates of the noise; `fit` is the best so far at every moment.
void improve(ModalSearch& search, const Vector& sizes, Fit& fit) {
  Vector x = search.problem().start(), weights = sizes;
  bool settled = false;
  for (int round = 0; round < rounds && !settled; ++round) {
    const GaussNewtonResult found = search.minimize(x, fmt::format("round {}", round + 1));
    x = found.state.x;
    fit.iterations += found.state.iterations;
    const auto profile = to_the_end([&] { return search.profile_at(x); });
    to_the_end([&] { take(search.problem(), *profile, fit); });
    if (found.ending == GaussNewtonResult::Ending::stopped) throw Stopped();
    const NoiseEstimate noise = noise_of(search.problem(), *profile, weights, sizes);
    fit.noise = noise.sigma;
    settled = search.nrmse(found.cost) <= exact_modes ||
              (round > 0 && NoiseEstimate{weights, {}, noise.samples}.resembles(noise));
    fit.converged = found.converged() && (settled || round + 1 == rounds);
    if (settled) break;
    search.weigh(noise.sigma);
    weights = noise.sigma;
  }
}

}  // namespace

bool suits_modal_search(const Dataset& data, const FitOptions& options) {
  const auto runs = static_cast<Index>(data.runs().size());
  return !options.robust() && options.estimate_initial_states && !options.driven &&
         data.dimension() * runs <= most_unknowns && data.samples() > data.dimension() + runs &&
         data.present() == data.samples() * data.dimension();
}

bool explained_by_modes(const Dataset& data, const ModeGuess& guess) {
  if (!guess.poles.allFinite() || !guess.shapes.allFinite()) return false;
  const ModalProblem problem(data, channel_amplitudes(data), false, guess,
                             -std::numeric_limits<double>::infinity());
  return problem.profile(problem.start())->cost <= exact_modes * exact_modes * problem.power();
}

std::optional<Fit> modal_search(const Dataset& data, const std::vector<ModeGuess>& guesses,
                                const Vector& sizes, bool stable, const FitOptions& options) {
  const double least =
      stable ? least_decay / longest_duration(data) : -std::numeric_limits<double>::infinity();
  std::optional<ModalSearch> best;
  double least_cost = std::numeric_limits<double>::infinity();
  for (const ModeGuess& guess : guesses) {
    if (!guess.poles.allFinite() || !guess.shapes.allFinite()) continue;
    ModalSearch search(ModalProblem(data, sizes, options.offset == Offset::estimate, guess, least),
                       least, options);
    const double cost = search.profile_at(search.problem().start())->cost;
    if (!(cost < least_cost)) continue;
    least_cost = cost;
    best.emplace(std::move(search));
  }
  if (!best) return {};
  Fit result{std::make_shared<const FullStructure>(data.dimension()), "mle"};
  take(best->problem(), *best->profile_at(best->problem().start()), result);
  if (result.theta.size() == 0) return {};
  if (!unless_stopped([&] { improve(*best, sizes, result); })) {
    result.stopped = true;
    result.converged = false;
  }
  return result;
}

}  // namespace lgn
