#include "lgn/identify/hidden/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/windows.h"
#include "lgn/identify/hidden/combination_tones.h"
#include "lgn/identify/likelihood/problem.h"
#include "lgn/identify/residuals.h"

namespace lgn {
namespace {

constexpr double held_out_part = 0.25;
constexpr Index fewest_samples = 16;  ///< of a run, for a part to be held out

/// Work of all orders together, beyond which no more are tried: nanoseconds, roughly (stop.h).
constexpr double most_work = 6e9;

/// An order that was tried.
struct Trial {
  Index states = 0;
  Fit fit;
  FitResiduals fitted;
  double criterion = 0;
  double held_out = StructureCandidate::none;
  double predicted = 0;  ///< values of the part that was held out
};

bool too_short(const Dataset& data) {
  return std::any_of(data.runs().begin(), data.runs().end(),
                     [](const Trajectory& run) { return run.samples() < fewest_samples; });
}

Trial tried(Fit fit, const Dataset& train, const std::optional<Split>& split) {
  Trial trial{fit.structure->dimension(), std::move(fit), {}, 0};
  trial.fitted = find_residuals(trial.fit, train);
  trial.criterion = order_criterion(trial.fit, trial.fitted);
  if (!split) return trial;
  const FitResiduals rest =
      holdout_residuals(trial.fit.propagator(), trial.fit.initial_states, *split);
  trial.held_out = validation_error(rest, trial.fitted);
  trial.predicted = rest.count.sum();
  return trial;
}

/// Oscillations of a fit that are tones of others, frequencies per unit of time.
std::vector<std::string> tones_of(const Fit& fit) {
  const ModalStructure& structure = *fit.structure->modal();
  std::vector<SpectralLine> lines;
  const ModalPoles found = modal_poles(structure, fit.theta);
  for (const auto& block : structure.blocks()) {
    const Complex pole = found.poles[block.state];
    if (!block.pair || pole.imag() == 0) continue;
    const double shown = found.shapes.col(block.state).norm();
    lines.push_back({std::abs(pole.imag()) / (2 * std::numbers::pi),
                     shown * fit.initial_states.middleRows(block.state, 2).norm()});
  }
  std::vector<std::string> result;
  for (auto& tone : combination_tones(lines)) result.push_back(std::move(tone.formula));
  return result;
}

/// Orders are tried one by one where few are enough; from what the singular values suggest outwards where they are many.
class OrderSearch {
 public:
  OrderSearch(const Dataset& data, const FitOptions& options, SharedRealisations* shared)
      : data_(data), options_(options) {
    if (!too_short(data)) split_ = split_in_time(data, held_out_part);
    fits_.emplace(split_ ? split_->train : data_,
                  options.driven ? enough_to_compare(options) : options, shared);
    if (split_ && fits_->stride() > 1)
      few_ = Split{fits_->few(), every_so_many(split_->holdout, fits_->stride())};
  }

  void run() {
    const Index most = fits_->most_states(), suggested = fits_->suggested_states();
    if (most < 1) return;
    const WorkLimit limit(options_.thorough ? std::numeric_limits<double>::infinity() : most_work);
    limit_ = &limit;
    constexpr Index few = 12, more = 3;
    // Under inputs coloured noise raises all singular values, and those of many states say little.
    if (options_.driven && suggested > few / 2)
      ascend(2, 0, most);
    else if (options_.driven || suggested + more <= few)
      ascend(1, suggested + more, std::min(most, few + more));
    else
      climb(std::min(most, suggested + suggested % 2), most);
  }

  const std::map<Index, Trial>& trials() const { return trials_; }
  /// What orders are judged by; long records by every so many of their samples.
  const std::optional<Split>& split() const { return few_ ? few_ : split_; }
  const Dataset& train() const { return fits_->few(); }
  const HiddenFits& fits() const { return *fits_; }
  bool stopped() const { return stopped_; }

 private:
  /// Orders one by one, or by pairs, up to `least` and on until some in a row are in vain.
  void ascend(Index step, Index least, Index most) {
    constexpr Index in_vain = 4;
    Index last_gain = 0;
    for (Index n = step; n <= most && go_on(); n += step) {
      if (n > std::max(least, last_gain + in_vain)) break;
      const Trial* trial = try_order(n);
      if (trial == nullptr) continue;
      if (last_gain != 0 && !(trial->criterion < trials_.at(last_gain).criterion - strong_evidence))
        continue;
      last_gain = n;
    }
    if (step == 1 || last_gain == 0) return;
    for (const Index beside : {last_gain - 1, last_gain + 1})
      if (beside <= most && go_on()) try_order(beside);
  }

  bool go_on() const { return !stopped_ && !limit_->reached(); }

  const Trial* try_order(Index n) {
    if (const auto known = trials_.find(n); known != trials_.end()) return &known->second;
    if (fits_->lossless() && n % 2 != 0) return nullptr;
    std::optional<Fit> found;
    const bool done = unless_stopped([&] { found = fits_->quick_fit(n); });
    const bool cut = !done || (found && found->stopped);
    if (cut && !limit_->reached()) stopped_ = true;
    // What was cut short says nothing about its order, if another does.
    if (!found || (cut && !trials_.empty())) return nullptr;
    Trial& trial = trials_.emplace(n, tried(std::move(*found), train(), split())).first->second;
    if (options_.driven) count_independent(trial);
    return &trial;
  }

  /// Noise that is not white, as the best trial shows it, says less than its samples would: all criteria count as many
  /// values as are independent, for neighbours correlated like these.
  void count_independent(const Trial& last) {
    const double factor = correlation_factor(last.fitted.correlation(), last.fitted.neighbours());
    dependence_ = std::min(dependence_, factor * factor);
    for (auto& [n, trial] : trials_) {
      FitResiduals independent = trial.fitted;
      independent.squares /= dependence_;
      independent.count /= dependence_;
      trial.criterion = order_criterion(trial.fit, independent);
    }
  }

  /// By pairs from `begin` to the least criterion on either side, then by one.
  void climb(Index begin, Index most) {
    const auto value = [&](Index n) {
      if (n < 1 || n > most || !go_on()) return std::numeric_limits<double>::infinity();
      const Trial* trial = try_order(n);
      return trial == nullptr ? std::numeric_limits<double>::infinity() : trial->criterion;
    };
    Index best = begin;
    double least = value(begin);
    for (const Index direction : {2, -2}) {
      Index vain = 0;
      for (Index n = begin + direction; vain < 2 && n >= 1 && n <= most && go_on();
           n += direction) {
        const double next = value(n);
        vain = next < least - strong_evidence ? 0 : vain + 1;
        if (next < least) {
          least = next;
          best = n;
        }
      }
    }
    value(best - 1);
    value(best + 1);
  }

  const Dataset& data_;
  const FitOptions& options_;
  std::optional<Split> split_, few_;
  std::optional<HiddenFits> fits_;
  std::map<Index, Trial> trials_;
  bool stopped_ = false;
  double dependence_ = std::numeric_limits<double>::infinity();  ///< samples for an independent one
  const WorkLimit* limit_ = nullptr;
};

/// Part of the signal that one fit explains and a smaller one does not.
double explained_more(const Trial& smaller, const Trial& larger) {
  const double a = smaller.fitted.nrmse(), b = larger.fitted.nrmse();
  return std::sqrt(std::max(0.0, a * a - b * b));
}

StructureCandidate candidate_of(const Trial& trial) {
  StructureCandidate candidate;
  candidate.structure = trial.fit.structure->name();
  candidate.states = trial.states;
  candidate.parameters = trial.fit.structure->parameters();
  candidate.nrmse = trial.fitted.nrmse();
  candidate.criterion = trial.criterion;
  candidate.held_out = trial.held_out;
  return candidate;
}

NotIdentified no_response() {
  return NotIdentified("the inputs explain no more of the data than a constant does",
                       "are the columns of " + setting("inputs") + " the right ones?");
}

/// The order, and why others are not it.
Index choose(const std::map<Index, Trial>& trials, std::vector<StructureCandidate>& candidates) {
  const auto by_criterion = std::min_element(
      trials.begin(), trials.end(),
      [](const auto& a, const auto& b) { return a.second.criterion < b.second.criterion; });
  const Trial& richest = by_criterion->second;
  double best = std::numeric_limits<double>::infinity();
  for (const auto& [n, trial] : trials)
    if (n <= richest.states && trial.held_out < best) best = trial.held_out;
  Index chosen = richest.states;
  // States that only describe tones of a few strong ones must earn more.
  const auto of_richest = static_cast<Index>(tones_of(richest.fit).size());
  constexpr double small_part = 0.03, of_tones = 1.25;
  for (const auto& [n, trial] : trials) {
    // Two standard errors of the ratio of two such numbers, mostly of the same noise.
    const double chance = 2 / std::sqrt(2 * std::max(1.0, trial.predicted));
    if (n >= chosen || std::isnan(trial.held_out)) break;
    const bool only_tones = richest.states - n <= 2 * of_richest;
    // A small mode that has died away by then predicts nothing of the end; but only with it noise alone is left.
    if (!only_tones && leaves_noise_only(richest.fitted) && !leaves_noise_only(trial.fitted))
      continue;
    const double margin = only_tones ? of_tones : 1 + std::max(0.05, chance);
    if (trial.held_out <= margin * std::max(best, explained) &&
        explained_more(trial, richest) < small_part)
      chosen = n;
  }
  for (const auto& [n, trial] : trials) {
    StructureCandidate candidate = candidate_of(trial);
    const auto tones = tones_of(trial.fit);
    if (n == chosen) {
      candidate.chosen = true;
      candidate.verdict = "chosen";
    } else if (n < chosen) {
      candidate.verdict = "more states justified (BIC)";
    } else if (n <= richest.states) {
      candidate.verdict = "predicts no better";
    } else {
      candidate.verdict = "extra states not justified (BIC)";
    }
    if (n > chosen && !tones.empty())
      candidate.verdict +=
          fmt::format("; harmonic or combination tone: {}", fmt::join(tones, ", "));
    candidates.push_back(std::move(candidate));
  }
  return chosen;
}

}  // namespace

double criterion_of_nothing(const Dataset& data, bool offset) {
  FitResiduals left;
  const Index l = data.dimension();
  left.squares = left.power = left.count = Vector::Zero(l);
  for (Index c = 0; c < l; ++c) {
    double sum = 0;
    for (const auto& run : data.runs())
      for (const double value : run.states().row(c)) {
        if (Trajectory::missing(value)) continue;
        left.count[c] += 1;
        left.power[c] += value * value;
        sum += value;
      }
    left.squares[c] = left.power[c] - (offset ? sum * sum / std::max(1.0, left.count[c]) : 0.0);
  }
  return information_criterion(left, offset ? l : 0);
}

NotIdentified no_mode() {
  return NotIdentified(
      "no mode: a constant explains the data as well as free motion does",
      "is this a free decay? For random vibration use " + setting("record", "ambient"));
}

double order_criterion(const Fit& fit, const FitResiduals& residuals) {
  return information_criterion(residuals, fit.structure->free_parameters() +
                                              fit.initial_states.size() + fit.shared_unknowns());
}

Selection select_order(const Dataset& data, const FitOptions& options, SharedRealisations* shared) {
  OrderSearch search(data, options, shared);
  search.run();
  const auto& trials = search.trials();
  if (trials.empty())
    throw NotIdentified("too few samples for a hidden state", "record for longer");
  const bool offset = trials.begin()->second.fit.offset.size() > 0;
  Selection selection;
  const Index chosen = choose(trials, selection.candidates);
  const Trial& winner = trials.at(chosen);
  if (!(order_criterion(winner.fit, winner.fitted) <
        criterion_of_nothing(search.train(), offset) - strong_evidence))
    throw options.driven ? no_response() : no_mode();
  if (search.split()) relate_to_predicted_part(selection.candidates, data, held_out_part);
  selection.fit = winner.fit;
  selection.fit.stopped = search.stopped();
  if (search.stopped()) return selection;
  const bool done = unless_stopped([&] {
    const ModalStructure& modal = *winner.fit.structure->modal();
    const ModalSystem known{{winner.fit.structure, &modal}, winner.fit.theta};
    const HiddenFits fits(data, options, shared);
    if (auto all = fits.fit(chosen, {known})) selection.fit = std::move(*all);
    selection.stabilisation = find_stabilisation(fits.realisation(), chosen);
  });
  if (!done) selection.fit.stopped = true;
  if (selection.fit.stopped) selection.fit.converged = false;
  return selection;
}

Selection fit_order(const Dataset& data, Index states, const FitOptions& options,
                    SharedRealisations* shared) {
  if (states < 1) throw Error("there must be a state at least", "use " + setting("states", "auto"));
  const HiddenFits fits(data, options, shared);
  if (states > fits.most_states())
    throw NotIdentified(
        fmt::format("{} values are too few for {} states, their shapes and the "
                    "initial states of {} run{}",
                    data.present(), states, data.runs().size(), data.runs().size() == 1 ? "" : "s"),
        fits.most_states() > 0 ? "use " + setting("states", std::to_string(fits.most_states())) +
                                     " at most, or record for longer"
                               : "record for longer");
  auto found = fits.fit(states);
  if (!found)
    throw NotIdentified(fmt::format("no system of {} states was found in the data", states),
                        "use fewer with " + setting("states"));
  return {{}, std::move(*found), find_stabilisation(fits.realisation(), states)};
}

}  // namespace lgn
