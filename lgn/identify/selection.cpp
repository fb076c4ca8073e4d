#include "lgn/identify/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/amplitude_frequency.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/identify/contradiction.h"
#include "lgn/identify/estimate.h"
#include "lgn/identify/residuals.h"

namespace lgn {
namespace {

/// Part of the unseen signal below which a prediction is good.
constexpr double foreseen = 1e-3;
constexpr double held_out_part = 0.25;
constexpr Index fewest_samples = 16;  ///< of a run, for a part to be held out

bool too_short(const Dataset& data) {
  return std::any_of(data.runs().begin(), data.runs().end(),
                     [](const Trajectory& run) { return run.samples() < fewest_samples; });
}

bool is_network(const std::string& name) { return name == "network" || name == "mechanical"; }

/// The kind of network that channels of these kinds make.
std::string network_name(const std::vector<ChannelKind>& kinds) {
  const bool mechanical =
      std::find(kinds.begin(), kinds.end(), ChannelKind::position) != kinds.end();
  return mechanical ? "mechanical" : "network";
}

std::vector<std::string> names_for(Index n, const std::optional<NetworkOptions>& network) {
  constexpr Index fewest = 8;  // with fewer channels every wiring is dense
  if (network && n >= fewest)
    return {network_name(network->kinds), "skew", "sd", "scaled-sd", "metric", "full"};
  if (n == 1) return {"sd", "full"};
  // With two channels scaled-sd varies by as much as metric.
  if (n == 2) return {"skew", "sd", "metric", "full"};
  return {"skew", "sd", "scaled-sd", "metric", "full"};
}

/// The fit of a structure, or why there is none.
struct Attempt {
  std::optional<Fit> fit = {};
  std::string verdict = {};
};

/// `last`: whether nothing will be fitted after it.
Attempt try_network(const Dataset& data, const std::string& name, const NetworkOptions& network,
                    FitOptions options, bool last) {
  options.stage = "choice, " + name;
  NetworkFit found =
      (last ? fit_network : find_network)(data, name == "mechanical", network, options);
  if (!found.sparse)
    return {{}, fmt::format("not sparse: {:.0f}% of all pairs couple", 100 * found.density)};
  return {std::move(found.fit)};
}

/// Not fitted where it has many parameters and regression shows that it is far off.
Attempt try_structure(const Dataset& data,
                      const std::shared_ptr<const ConstantStructure>& structure,
                      const std::vector<std::optional<Fit>>& simpler, const FitOptions& options) {
  constexpr double far = 0.3;
  FitOptions settings = options;
  EstimateStart start;
  for (const auto& fit : simpler)
    if (fit) start.generators.push_back(fit->generator());
  settings.stage = "choice, " + structure->name();
  const bool large = structure->free_parameters() > settings.dense_parameters;
  const bool bound = structure->name() != "metric" && structure->name() != "full";
  if (large && bound && options.method != Method::closed_form) {
    settings.method = Method::closed_form;
    Fit regressed = estimate(data, structure, settings);
    if (stop_requested()) return {std::move(regressed)};  // there will be no better one
    if (find_residuals(regressed, data).nrmse() > far) return {{}, "does not fit"};
    settings.method = options.method;
  }
  return {estimate(data, structure, settings, start)};
}

/// The constant structure of a fit, kept alive by it.
std::shared_ptr<const ConstantStructure> shared(const ConstantStructure& structure,
                                                const Fit& fit) {
  return {fit.structure, &structure};
}

/// What a fit leaves of the part that was held out.
FitResiduals validation_residuals(const Fit& fit, const Split& split) {
  return holdout_residuals(fit.propagator(), fit.initial_states, split);
}

/// Whether a network leaves only noise, and as little of what it has not seen.
bool explains_all(const FitResiduals& fitted, const std::optional<FitResiduals>& held_out) {
  constexpr double alike = 1.5;
  const auto mean = [](const FitResiduals& r) { return r.sum_of_squares() / r.count.sum(); };
  return leaves_noise_only(fitted) && (!held_out || mean(*held_out) < alike * mean(fitted));
}

/// Whether a generator that varies in time is worth a try after these.
bool may_vary(const Dataset& data, const Fit& constant, const FitOptions& options) {
  constexpr Index most_channels = 6;
  // What one channel shows beyond a decay is hidden states before it is variation.
  const bool hidden = data.dimension() == 1 && options.states == States::automatic;
  return data.dimension() <= most_channels && !hidden && !constant.stopped &&
         (options.method == Method::automatic || options.method == Method::likelihood);
}

/// Whether frequency follows amplitude, as in no linear system, varying or not; says so among the candidates.
bool swings_change(const Dataset& data, const Fit& constant, Selection& selection) {
  if (leaves_noise_only(find_residuals(constant, data))) return false;
  const auto found = find_amplitude_frequency(data);
  if (!found || !found->rather_than_time) return false;
  StructureCandidate candidate;
  candidate.structure = "ltv";
  candidate.verdict = "not tried: the frequency depends on the amplitude";
  selection.candidates.push_back(candidate);
  return true;
}

/// A search that is a guess takes at most ten times the work of the fit before it, and no more than that fit and some
/// seconds; half a second it may take in any case. Work is counted in nanoseconds, roughly (stop.h).
constexpr double most_guessing = 10, least_guessing = 5e8, some_seconds = 3e9;

/// The work that a guess may take.
double guessing_limit(double work_before, const FitOptions& options) {
  if (options.thorough) return std::numeric_limits<double>::infinity();
  return std::max(least_guessing,
                  std::min(most_guessing * work_before, work_before + some_seconds));
}

/// The work of all fits of a choice, and of the last one, beyond which what is left is cut short: far more than fits to data
/// that have an answer take.
double choosing_limit(const Dataset& data, const FitOptions& options) {
  constexpr double seconds = 6e9, many = 100;
  const double more = std::max(1.0, static_cast<double>(data.dimension()) / many);
  return options.thorough ? std::numeric_limits<double>::infinity() : seconds * more;
}

/// What is said of a search that was ended by such a limit.
std::string cut_short() { return "cut short: it takes long; " + setting("thorough") + " goes on"; }

/// The work that the look for a network may take, which comes first: as beside a dense fit of some twenty steps.
double network_limit(const Dataset& data, const FitOptions& options) {
  constexpr double steps = 20, products = 3;
  const double n = static_cast<double>(data.dimension());
  return guessing_limit(steps * products * static_cast<double>(data.samples()) * n * n, options);
}

/// The options, with an observer that is told which structure is being fitted, and which was the best before.
FitOptions telling(const FitOptions& options, const std::string& name,
                   const std::vector<StructureCandidate>& before) {
  const auto better = [](const auto& a, const auto& b) {
    return std::isnan(b.nrmse) ? !std::isnan(a.nrmse) : a.nrmse < b.nrmse;
  };
  const auto best = std::min_element(before.begin(), before.end(), better);
  const std::string found = best == before.end() || std::isnan(best->nrmse)
                                ? std::string()
                                : fmt::format("{} {:.3g}", best->structure, best->nrmse);
  FitOptions result = options;
  result.observe = [inner = options.observe, name, found](FitProgress progress) {
    progress.task = name + ", " + progress.task;
    progress.found = found;
    return !inner || inner(progress);
  };
  return result;
}

/// The choice between the constant generator that was found and one that varies: a candidate more, if
/// that was tried, and its fit to all data, if it was chosen. `work`: operations of the fits before.
void consider_variation(Selection& selection, StructureCandidate& winner, const Fit& constant,
                        const Dataset& data, const Split& split, const FitOptions& options,
                        double work) {
  const Dataset& train = split.train;
  // Where S − D is far worse than the best, ‖x‖² is no energy, and its entries have nothing to vary
  // around.
  constexpr double comparable = 3;
  std::vector<std::shared_ptr<const ConstantStructure>> bases;
  for (const auto& c : selection.candidates)
    if (c.structure == "sd" && c.nrmse < comparable * winner.nrmse)
      bases.push_back(find_structure("sd", data.dimension()));
  if (winner.structure != "skew" && winner.structure != "sd")
    bases.push_back(find_structure("full", data.dimension()));
  FitOptions settings = telling(options, "variation in time", selection.candidates);
  settings.stage = "choice, variation";
  // Variation that explains the data does so soon.
  settings.most_harmonics = 3;
  settings.most_splines = 20;
  std::optional<Fit> found;
  bool cut = false, stopped = false;
  {
    const WorkLimit limit(guessing_limit(work, options));
    stopped = !unless_stopped([&] { found = needed_variation(train, constant, bases, settings); });
    stopped = (stopped || (found && found->stopped)) && !limit.reached();
    cut = limit.reached();
  }
  StructureCandidate candidate;
  if (!found) {
    if (!cut && !stopped) return;
    candidate.structure = "ltv-" + bases.front()->name();
    candidate.verdict = cut ? cut_short() : "not tried to the end: the fit was stopped";
    selection.candidates.push_back(candidate);
    selection.fit.stopped = selection.fit.stopped || stopped;
    return;
  }
  // What the limit cut short is a search for more; what it had found is fitted to the end.
  if (cut) found->stopped = false;
  candidate.structure = found->structure->name();
  candidate.parameters = found->structure->parameters();
  const FitResiduals fitted = find_residuals(*found, train);
  candidate.nrmse = fitted.nrmse();
  candidate.criterion = information_criterion(fitted, candidate.parameters);
  candidate.held_out = validation_error(validation_residuals(*found, split), fitted);
  if (candidate.held_out >= winner.held_out) {
    candidate.verdict = "larger validation error than another";
  } else {
    winner.chosen = false;
    winner.verdict = "the generator varies in time";
    candidate.chosen = true;
    candidate.verdict = "chosen: the generator varies in time";
    settings.stage = "final, variation";
    if (!unless_stopped([&] { selection.fit = refit_variation(data, *found, settings); })) {
      selection.fit = *found;
      selection.fit.stopped = true;
      selection.fit.converged = false;
    }
  }
  selection.candidates.push_back(candidate);
}

/// Mean of x² over the samples that are present.
double mean_square(const Dataset& data) {
  double sum = 0;
  for (const auto& run : data.runs())
    sum += run.states().array().isNaN().select(0.0, run.states()).squaredNorm();
  return sum / std::max(1.0, static_cast<double>(data.present()));
}

/// The choice, with validation errors relative to all samples.
Selection choose_structure(const Dataset& data, const FitOptions& options,
                           const std::optional<NetworkOptions>& network) {
  std::optional<Split> split;
  if (!too_short(data)) split = split_in_time(data, held_out_part);
  const Dataset& train = split ? split->train : data;

  Selection selection;
  std::vector<std::optional<Fit>> fits;
  std::vector<double> work;  ///< of each
  bool done = false, stopped = false, any = false, tried = false;
  std::optional<NotIdentified> failure;
  std::optional<WorkLimit> choosing(
      std::in_place,
      choosing_limit(data, options) + (network ? network_limit(train, options) : 0.0));
  for (const auto& name : names_for(data.dimension(), network)) {
    StructureCandidate candidate;
    candidate.structure = name;
    std::shared_ptr<const ConstantStructure> structure;
    if (!is_network(name)) {
      structure = find_structure(name, data.dimension());
      candidate.parameters = structure->free_parameters();
    }
    std::optional<Fit> fit;
    candidate.verdict = stopped && any ? "not tried: the fit was stopped"
                        : done         ? "not tried: a simpler one explains the data"
                        : any && choosing->reached()
                            ? "skipped: those before took long; " + setting("thorough") + " goes on"
                        : name == "full" && !tried ? ""
                                                   : contradiction(name, data);
    const FitOptions told = telling(options, name, selection.candidates);
    const auto attempt_it = [&] {
      Attempt attempt = structure ? try_structure(train, structure, fits, told)
                                  : try_network(train, name, *network, told, !split);
      fit = std::move(attempt.fit);
      candidate.verdict = std::move(attempt.verdict);
    };
    const double before = work_done();
    if (candidate.verdict.empty()) {
      try {
        tried = true;
        const WorkLimit limit(structure ? std::numeric_limits<double>::infinity()
                                        : network_limit(train, options));
        // Without an answer there is nothing to end with.
        bool to_its_end = true;
        if (structure && !any)
          attempt_it();
        else
          to_its_end = unless_stopped(attempt_it);
        if (!to_its_end || (fit && fit->stopped)) {
          stopped = stop_requested() || !(limit.reached() || choosing->reached());
          candidate.verdict = stopped ? "cut short: the fit was stopped" : cut_short();
          if (!structure && !stopped) fit.reset();
        }
      } catch (const NotIdentified& error) {
        candidate.verdict = error.problem();
        if (!failure) failure = error;
      }
    }
    if (fit)
      to_the_end([&] {
        any = true;
        const FitResiduals fitted = find_residuals(*fit, train);
        candidate.parameters = fit->structure->free_parameters();
        if (structure) candidate.structure = fit->structure->name();
        candidate.nrmse = fitted.nrmse();
        candidate.criterion = information_criterion(fitted, candidate.parameters);
        const Matrix a = fit->generator();
        candidate.stable = eigenvalues(a).real().maxCoeff() <= 1e-12 * norm1(a);
        std::optional<FitResiduals> held_out;
        if (split) {
          held_out = validation_residuals(*fit, *split);
          candidate.held_out = validation_error(*held_out, fitted);
        }
        done = (candidate.nrmse < explained && !(candidate.held_out > foreseen)) ||
               (is_network(name) && explains_all(fitted, held_out));
      });
    selection.candidates.push_back(candidate);
    work.push_back(work_done() - before);
    fits.push_back(std::move(fit));
  }

  choosing.reset();
  double best_held_out = std::numeric_limits<double>::infinity();
  for (const auto& c : selection.candidates)
    if (c.held_out < best_held_out) best_held_out = c.held_out;
  std::size_t chosen = fits.size();
  for (std::size_t k = 0; k < fits.size(); ++k) {
    auto& c = selection.candidates[k];
    if (!fits[k]) continue;
    if (c.held_out > 2 * std::max(best_held_out, explained)) {
      c.verdict = "larger validation error than another";
    } else if (chosen == fits.size()) {
      chosen = k;
    } else if (c.criterion < selection.candidates[chosen].criterion - strong_evidence) {
      selection.candidates[chosen].verdict = "extra parameters of a richer one justified (BIC)";
      chosen = k;
    } else {
      c.verdict = "extra parameters not justified (BIC)";
    }
  }
  if (chosen == fits.size() && failure) throw *failure;
  if (chosen == fits.size())
    throw NotIdentified("no structure fits the data", "look at the data: is the system linear?");
  auto& winner = selection.candidates[chosen];
  winner.chosen = true;
  winner.verdict = winner.stable ? "chosen" : "chosen: the data grow";

  FitOptions settings = telling(options, winner.structure + " on all data", selection.candidates);
  const Fit& found = *fits[chosen];
  selection.fit = found;
  selection.fit.stopped = stopped;
  selection.fit.converged = found.converged && !stopped;
  if (!split || stopped) return selection;
  const ConstantStructure& structure = *found.structure->autonomous();
  settings.stage = "final, " + winner.structure;
  const auto fit_all = [&] {
    if (const NetworkStructure* wiring = found.structure->network()) {
      selection.fit = refit_network(data, *wiring, found.generator(), *network, settings).fit;
      winner.parameters = selection.fit.structure->free_parameters();
    } else {
      selection.fit =
          estimate(data, shared(structure, found), settings, {.generators = {found.generator()}});
      winner.structure = selection.fit.structure->name();
    }
    selection.fit.iterations += found.iterations;
  };
  const double before = work_done();
  {
    const WorkLimit limit(std::max(choosing_limit(data, options), 3 * work[chosen]));
    if (!unless_stopped(fit_all) || selection.fit.stopped) {
      selection.fit.stopped = stop_requested() || !limit.reached();
      selection.fit.converged = false;
      if (!selection.fit.stopped) winner.verdict += ", " + cut_short();
    }
  }
  if (!is_network(winner.structure) && !selection.fit.stopped && may_vary(data, found, options)) {
    if (swings_change(data, found, selection)) return selection;
    StructureCandidate best = winner;  // the list grows
    consider_variation(selection, best, found, data, *split, options, work_done() - before);
    selection.candidates[chosen] = best;
  }
  return selection;
}

}  // namespace

Selection select_structure(const Dataset& data, const FitOptions& options,
                           const std::optional<NetworkOptions>& network) {
  Selection selection = choose_structure(data, options, network);
  if (!too_short(data)) relate_to_predicted_part(selection.candidates, data, held_out_part);
  return selection;
}

void relate_to_predicted_part(std::vector<StructureCandidate>& candidates, const Dataset& data,
                              double fraction) {
  const double part = mean_square(split_in_time(data, fraction).holdout);
  for (auto& candidate : candidates)
    candidate.held_out *= part > 0 ? std::sqrt(mean_square(data) / part) : 1;
}

}  // namespace lgn
