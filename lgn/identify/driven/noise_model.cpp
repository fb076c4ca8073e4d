#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/flow/exponential.h"
#include "lgn/identify/driven/driven_fit.h"
#include "lgn/identify/driven/innovation_fit.h"
#include "lgn/identify/driven/predictor_realisation.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/residuals.h"

namespace lgn {
namespace {

constexpr double held_out_part = 0.25;
constexpr Index fewest_samples = 40;  ///< of a run, for a part to be held out
constexpr Index most_states = 20;
/// Tolerances of searches, in standard errors.
constexpr double to_compare = 0.2, chosen_form = 1e-2;
constexpr int most_vain = 2;  ///< orders in a row without a gain
/// Steps that tell orders apart; the one that is chosen is followed to its end.
constexpr int steps_to_compare = 15;
constexpr std::size_t realisations_to_compare = 2;

/// Errors of the channels relative to their sizes, from a sample of every run on.
struct Deviation {
  double size = 0;  ///< root mean square
  double chance =
      0;  ///< two standard errors of the ratio of two such sizes, autocorrelation counted
};
Deviation relative(const std::vector<Matrix>& errors, const std::vector<Index>& first,
                   const Vector& sizes) {
  double sum = 0, count = 0, products = 0, pairs = 0;
  for (std::size_t r = 0; r < errors.size(); ++r) {
    const Matrix part =
        sizes.cwiseInverse().asDiagonal() * errors[r].rightCols(errors[r].cols() - first[r]);
    for (Index k = 0; k < part.cols(); ++k)
      for (Index c = 0; c < part.rows(); ++c) {
        if (Trajectory::missing(part(c, k))) continue;
        sum += part(c, k) * part(c, k);
        count += 1;
        if (k == 0 || Trajectory::missing(part(c, k - 1))) continue;
        products += part(c, k) * part(c, k - 1);
        pairs += 1;
      }
  }
  if (!(sum > 0)) return {0, 1};
  const double correlation = std::clamp(products / std::max(1.0, pairs) / (sum / count), 0.0, 0.99);
  const double independent = count * (1 - correlation) / (1 + correlation);
  return {std::sqrt(sum / count), std::clamp(2 / std::sqrt(2 * independent), 0.05, 1.0)};
}

/// Root mean square, relative to the sizes of channels, that a simulation errs by from a sample of every run on, as an
/// innovations form says itself: that of C z + e for z moved by K e (theory, Eq. 71), z = 0 where a run begins.
double expected_of_simulation(const Fit& fit, const Dataset& data, const std::vector<Index>& first,
                              const Vector& sizes) {
  const Matrix phi = exponential(fit.innovation.step * fit.generator());
  const Matrix c =
      sizes.cwiseInverse().asDiagonal() * fit.structure->observation(fit.theta).matrix();
  const Matrix& s = fit.innovation.covariance;
  const Matrix pushed = fit.innovation.k * s * fit.innovation.k.transpose();
  const double next = sizes.cwiseAbs2().cwiseInverse().dot(s.diagonal());
  double sum = 0, count = 0;
  for (std::size_t r = 0; r < first.size(); ++r) {
    Matrix spread = Matrix::Zero(phi.rows(), phi.rows());
    const Index samples = data.runs()[r].samples();
    stop_point(4.0 * static_cast<double>(samples * spread.size() * phi.rows()));
    for (Index k = 0; k < samples; ++k) {
      if (k >= first[r]) {
        sum += (c * spread * c.transpose()).trace() + next;
        count += static_cast<double>(sizes.size());
      }
      spread = (phi * spread * phi.transpose() + pushed).eval();
    }
  }
  return std::sqrt(sum / std::max(1.0, count));
}

/// A form of the noise that was tried on the first part of every run.
struct Trial {
  Fit fit;
  double criterion = 0, fitted = 0;
  Deviation next = {}, simulated = {};  ///< in the part that was held out, relative to all samples
  double expected = 0;                  ///< of the simulation, by the noise of the form itself
};

class NoiseTrials {
 public:
  NoiseTrials(const Dataset& data, double step, const FitOptions& options)
      : data_(data),
        options_(options),
        step_(step),
        sizes_(channel_amplitudes(data).cwiseMax(1e-300)) {
    const bool long_enough =
        std::all_of(data.runs().begin(), data.runs().end(),
                    [](const Trajectory& run) { return run.samples() >= fewest_samples; });
    if (long_enough) split_ = split_in_time(data, held_out_part);
    for (const auto& run : data.runs())
      first_.push_back(split_ ? fitted_samples(run.samples(), held_out_part) : Index{0});
  }

  const Dataset& train() const { return split_ ? split_->train : data_; }

  Trial judge(Fit fit) const {
    Trial trial{std::move(fit)};
    trial.criterion = prediction_criterion(trial.fit, train(), step_);
    const std::vector<Index> all(first_.size(), 0);
    const PredictionErrors problem(train(), trial.fit, step_);
    trial.fitted = relative(problem.errors(problem.unknowns_of(trial.fit)), all, sizes_).size;
    const PredictionErrors whole(data_, trial.fit, step_);
    const Vector psi = whole.unknowns_of(trial.fit);
    trial.next = relative(whole.errors(psi), first_, sizes_);
    Fit simulated = trial.fit;
    simulated.innovation = {};
    trial.simulated = relative(whole.errors(whole.unknowns_of(simulated)), first_, sizes_);
    if (trial.fit.innovation.active())
      trial.expected = expected_of_simulation(trial.fit, data_, first_, sizes_);
    return trial;
  }

  /// The fit of white noise again, to the first part alone: from starts that know nothing of the rest, where there are some.
  Fit output_fit(const Fit& fit, const HiddenFits* fits) const {
    if (fits != nullptr)
      if (auto found = fits->quick_fit(fit.structure->dimension())) return std::move(*found);
    return maximum_likelihood(train(), fit.structure, {.theta = {fit.theta}}, options_);
  }

  /// The number of states, at most so many, whose realisation foresees the next sample best: where a search for the order begins.
  Index likeliest_states(const PredictorRealisation& predictor, Index most, const Fit& like) const {
    constexpr Index in_vain = 8;
    Index best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (Index n = 1; n <= std::min(most, best + in_vain); ++n) {
      const auto start = predictor.realise(n);
      if (!start) continue;
      const double criterion =
          criterion_of_start(train(), begun(start->system, start->gain, like), step_);
      if (!(criterion < least)) continue;
      least = criterion;
      best = n;
    }
    return best;
  }

  /// Fits to begin with of so many states, as `like` but for their number.
  std::vector<Fit> starts(const HiddenFits& fits, const PredictorRealisation& predictor,
                          Index states, const Fit& like) const {
    std::vector<Fit> result;
    if (const auto start = predictor.realise(states))
      result.push_back(begun(start->system, start->gain, like));
    std::vector<ModalSystem> others = fits.starts(states);
    if (others.size() > realisations_to_compare)
      others.erase(others.begin() + realisations_to_compare, others.end());
    for (const ModalSystem& other : others) result.push_back(begun(other, {}, like));
    return result;
  }

  std::optional<Trial> try_innovation(const std::vector<Fit>& starts,
                                      int steps = steps_to_compare) const {
    FitOptions how = options_;
    how.max_iterations = std::min(how.max_iterations, steps);
    auto found = fit_innovation(train(), starts, step_, how, to_compare);
    if (!found) return {};
    return judge(std::move(*found));
  }

  /// The likelier of this form and those with other holds and feedthroughs: white noise judged them before, wrongly where noise
  /// is not white.
  Trial with_likeliest_timing(Trial best, const std::vector<FitOptions>& others) const {
    const Fit found = best.fit;
    constexpr int few_steps = 8;  // from there
    for (const FitOptions& other : others) {
      Fit start = found;
      start.drive.timing.hold = other.timing().hold;
      const bool fed = other.feedthrough == Feedthrough::yes;
      if (fed != (start.drive.d.size() > 0))
        start.drive.d =
            fed ? Matrix::Zero(data_.dimension(), start.drive.b.cols()).eval() : Matrix();
      if (auto trial = try_innovation({start}, few_steps);
          trial && trial->criterion < best.criterion)
        best = std::move(*trial);
    }
    return best;
  }

  /// The same on all data, to the end.
  std::optional<Fit> refit(const Fit& fit) const {
    return fit_innovation(data_, {fit}, step_, options_, chosen_form);
  }

 private:
  /// A fit of this system, as `like` but for what is not known yet.
  Fit begun(const ModalSystem& system, const Matrix& gain, const Fit& like) const {
    Fit fit = like;
    const Index states = system.structure->dimension();
    fit.structure = system.structure;
    fit.theta = system.theta;
    fit.innovation = {gain, {}, step_};
    fit.drive.b = Matrix::Zero(states, like.drive.b.cols());
    fit.initial_states = Matrix::Zero(states, like.initial_states.cols());
    return fit;
  }

  const Dataset& data_;
  const FitOptions& options_;
  double step_;
  Vector sizes_;
  std::optional<Split> split_;
  std::vector<Index> first_;  ///< sample of every run that was held out
};

/// The least criterion among trials whose forecasts are as good as the best but for chance. It is not asked for strong evidence: a
/// state too few costs a free run more than one too many.
std::size_t best_of(const std::vector<Trial>& trials) {
  const double infinity = std::numeric_limits<double>::infinity();
  double next = infinity, simulated = infinity, least = infinity;
  for (const Trial& trial : trials) {
    next = std::min(next, trial.next.size);
    simulated = std::min(simulated, trial.simulated.size);
  }
  const auto foresees = [&](const Trial& trial) {
    return trial.next.size <= (1 + trial.next.chance) * next &&
           trial.simulated.size <= (1 + trial.simulated.chance) * simulated;
  };
  const bool any = std::any_of(trials.begin(), trials.end(), foresees);
  for (const Trial& trial : trials)
    if (!any || foresees(trial)) least = std::min(least, trial.criterion);
  for (std::size_t k = 0; k < trials.size(); ++k)
    if ((!any || foresees(trials[k])) && trials[k].criterion <= least) return k;
  return trials.size();
}

/// Why an innovations form cannot be; empty where it can.
std::optional<Error> obstacle(const Fit& fit, const Dataset& data, const FitOptions& options) {
  const std::string remedy = "use " + setting("noise_model", "output");
  if (options.robust() || !options.estimate_initial_states)
    return Error("an innovations form has its own initial states and squares for its loss",
                 "leave out " + setting("loss") + " and " + setting("x0") + ", or " + remedy);
  if (options.bootstrap > 0)
    return Error("bootstrap fits have white noise, an innovations form has none",
                 "leave out " + setting("bootstrap") + ", or " + remedy);
  if (fit.structure->autonomous() == nullptr)
    return Error("an innovations form needs a generator that does not vary in time", remedy);
  if (!even_step(data))
    return Error(
        "an innovations form needs samples at even times, at most a tenth of them incomplete",
        remedy);
  return {};
}

StructureCandidate candidate_of(const Trial& trial, const std::string& verdict) {
  StructureCandidate candidate;
  candidate.structure = trial.fit.structure->name();
  if (trial.fit.innovation.active()) candidate.structure += " with K";
  if (!trial.fit.structure->measures_states()) candidate.states = trial.fit.structure->dimension();
  candidate.parameters = trial.fit.structure->free_parameters() + trial.fit.innovation.k.size();
  candidate.nrmse = trial.fitted;
  candidate.held_out = trial.next.size;
  candidate.criterion = trial.criterion;
  candidate.verdict = verdict;
  return candidate;
}

/// Why not the innovations form; empty where it is the better one.
std::string objection(const Trial& output, const Trial& innovation) {
  if (!(innovation.criterion < output.criterion - strong_evidence)) return "not justified (BIC)";
  if (!(innovation.next.size < output.next.size)) return "foresees the next sample no better";
  // A wrong pole or response simulates worse than white noise does, and than the form's own noise explains. What forces do to the
  // states no simulation knows: that error is none of the form, however well white noise follows it by chance.
  // What is lost as far as the signal is large is no simulation.
  const double allowed = std::max(output.simulated.size, std::min(innovation.expected, 1.0));
  if (!(innovation.simulated.size <= (1 + innovation.simulated.chance) * allowed))
    return fmt::format("simulates the rest worse: to {:.3g}%, and by its noise to {:.3g}%",
                       100 * innovation.simulated.size, 100 * innovation.expected);
  return {};
}

}  // namespace

Selection with_noise_model(Selection found, const Dataset& data, const FitOptions& options,
                           SharedRealisations& shared) {
  const bool asked = options.noise_model == NoiseModel::innovation;
  if (options.noise_model == NoiseModel::output || found.fit.stopped) return found;
  if (const auto why = obstacle(found.fit, data, options)) {
    if (asked) throw *why;
    return found;
  }
  const FitResiduals left = find_residuals(found.fit, data);
  bool coherent = !leaves_noise_only(left);
  for (Index c = 0; c < left.squares.size(); ++c)
    coherent = coherent || (left.nrmse(c) > explained && left.coherence(c) != 0);
  if (!asked && !coherent) return found;

  FitOptions how = options.in_stage("noise");
  how.offset = found.fit.offset.size() > 0 ? Offset::estimate : Offset::none;
  how.hold = found.fit.drive.timing.hold == Hold::zoh ? InputHold::zoh : InputHold::foh;
  how.delay_value = found.fit.drive.timing.delay;
  how.feedthrough = found.fit.drive.d.size() > 0 ? Feedthrough::yes : Feedthrough::no;
  how.checkpoint = nullptr;
  const double step = *even_step(data);
  std::optional<Fit> chosen;
  std::vector<StructureCandidate> candidates;
  const bool done = unless_stopped([&] {
    const NoiseTrials trials(data, step, how);
    const bool hidden = found.fit.structure->modal() != nullptr;
    const auto fits =
        hidden ? std::make_unique<const HiddenFits>(trials.train(), enough_to_compare(how), &shared)
               : nullptr;
    const Trial output = trials.judge(trials.output_fit(found.fit, fits.get()));
    std::vector<Trial> tried;
    const Index n = found.fit.structure->dimension();
    if (!hidden) {
      if (auto own = trials.try_innovation({output.fit})) tried.push_back(std::move(*own));
    } else {
      const PredictorRealisation predictor(trials.train(), step);
      const bool free = options.states == States::automatic;
      const Index largest = std::min(free ? most_states : n, fits->most_states());
      double least = std::numeric_limits<double>::infinity();
      // Whether so many states are better than all before.
      const auto gains = [&](Index states) {
        std::vector<Fit> starts = trials.starts(*fits, predictor, states, output.fit);
        if (states == n) starts.push_back(output.fit);
        const auto trial = trials.try_innovation(starts);
        if (!trial) return false;
        const bool gained = trial->criterion < least;
        least = std::min(least, trial->criterion);
        tried.push_back(*trial);
        return gained;
      };
      // White noise takes states to describe what forces do, so that there may be fewer.
      Index begin = std::min(n, largest);
      if (free)
        if (const Index found = trials.likeliest_states(predictor, largest, output.fit); found > 0)
          begin = found;
      for (Index states = begin, vain = 0; states <= largest && vain < most_vain; ++states)
        vain = gains(states) ? 0 : vain + 1;
      for (Index states = begin - 1, vain = 0; free && states > 0 && vain < most_vain; --states)
        vain = gains(states) ? 0 : vain + 1;
      std::sort(tried.begin(), tried.end(), [](const Trial& a, const Trial& b) {
        return a.fit.structure->dimension() < b.fit.structure->dimension();
      });
    }
    const std::size_t best = best_of(tried);
    if (best == tried.size()) return;
    if (hidden)
      tried[best] =
          trials.with_likeliest_timing(std::move(tried[best]), open_timings(options, how));
    const std::string why = objection(output, tried[best]);
    const bool better = asked || why.empty();
    if (better) chosen = trials.refit(tried[best].fit);
    if (chosen) chosen = without_idle_gains(data, *chosen, how, chosen_form);
    candidates.push_back(candidate_of(
        output,
        fmt::format("white noise; simulates the rest to {:.3g}%", 100 * output.simulated.size)));
    for (std::size_t k = 0; k < tried.size(); ++k) {
      const std::string how_well =
          fmt::format("next sample; simulates the rest to {:.3g}%", 100 * tried[k].simulated.size);
      candidates.push_back(candidate_of(tried[k], k != best ? how_well
                                                  : better  ? "chosen: " + how_well
                                                            : why));
      candidates.back().chosen = better && k == best;
    }
  });
  if (chosen) {
    for (auto& candidate : found.candidates) {
      if (candidate.chosen)
        candidate.verdict = coherent ? "residuals are autocorrelated" : "white noise";
      candidate.chosen = false;
    }
    found.fit = std::move(*chosen);
  } else if (asked) {
    throw NotIdentified("no innovations form with a stable predictor was found",
                        "use " + setting("noise_model", "output"));
  } else if (!candidates.empty()) {
    candidates.front().chosen = found.candidates.empty();
  }
  if (!done) {
    found.fit.stopped = true;
    found.fit.converged = false;
  }
  found.candidates.insert(found.candidates.end(), candidates.begin(), candidates.end());
  return found;
}

}  // namespace lgn
