#include "lgn/identify/driven/driven_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/identify/driven/experiment_checks.h"
#include "lgn/identify/driven/innovation_fit.h"
#include "lgn/identify/driven/passive_fit.h"
#include "lgn/identify/driven/port_fit.h"
#include "lgn/identify/estimate.h"
#include "lgn/identify/fit_structure.h"
#include "lgn/identify/hidden/observed_law.h"
#include "lgn/identify/hidden/order.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"

namespace lgn {
namespace {

/// Structures whose states are the channels.
bool measures_states(const FitOptions& options) {
  return options.custom_structure != nullptr || options.states == States::measured ||
         (options.structure != "auto" && options.structure != "modal");
}

void check_possible(const FitOptions& options) {
  if (options.method == Method::adam || options.method == Method::closed_form)
    throw Error("inputs are identified by maximum likelihood", "use " + setting("method", "mle"));
}

double criterion(const Fit& fit, const Dataset& data) {
  return order_criterion(fit, find_residuals(fit, data));
}

/// A fit with as many states as channels, in the coordinates of these; nothing where modes cannot be told apart in them.
std::optional<Matrix> generator_of_channels(const Fit& modal) {
  const Matrix c = modal.structure->observation(modal.theta).matrix();
  const auto turned =
      solve_well_conditioned(c.transpose(), (c * modal.generator()).transpose(), 1e-12);
  if (!turned) return {};
  return turned->transpose();
}

/// The generator that structures with a state for each channel begin at: that of the modal fit of as many states.
Matrix measured_start(const Dataset& data, const FitOptions& options, SharedRealisations& shared) {
  const Index n = data.dimension();
  FitOptions modal = options.in_stage("modal");
  modal.structure = "modal";
  modal.custom_structure = nullptr;
  const auto found = HiddenFits(data, modal, &shared).fit(n);
  if (!found)
    throw NotIdentified(fmt::format("the data are too short for {} states and their inputs", n),
                        "record for longer");
  const auto generator = generator_of_channels(*found);
  if (!generator)
    throw NotIdentified("the channels do not show as many states as there are",
                        "let them be hidden: " + setting("states", "auto"));
  return *generator;
}

/// Whether the generator that is asked for varies in time.
bool varies(const FitOptions& options) {
  const Structure* custom = options.custom_structure.get();
  return custom != nullptr ? custom->autonomous() == nullptr : varies_in_time(options.structure);
}

Selection fit_measured(const Dataset& data, const FitOptions& options, SharedRealisations& shared) {
  const Index n = data.dimension();
  if (varies(options)) {
    // A law has a start of its own.
    const bool law = options.custom_structure != nullptr ||
                     options.structure.find("parametric") != std::string::npos;
    return {{},
            fit_varying(data, options,
                        law ? std::nullopt : std::optional(measured_start(data, options, shared)))};
  }
  const std::string name = options.structure == "auto" ? "metric" : options.structure;
  const auto structure = options.custom_structure
                             ? std::shared_ptr<const ConstantStructure>(
                                   options.custom_structure, options.custom_structure->autonomous())
                             : find_structure(name, n);
  EstimateStart start;
  start.theta = options.start.empty() ? structure->project(measured_start(data, options, shared))
                                      : guessed_parameters(*structure, options);
  return {{}, estimate(data, structure, options, start)};
}

/// Fits at the order that is asked for or suggested, to compare delays.
class QuickFits {
 public:
  QuickFits(const Dataset& data, const FitOptions& options, SharedRealisations& shared)
      : data_(data), options_(enough_to_compare(options)), shared_(shared) {
    options_.structure = "modal";
    const HiddenFits fits(data, options_, &shared);
    states_ = options.states == States::given      ? options.state_count
              : options.states == States::measured ? data.dimension()
                                                   : std::max<Index>(2, fits.suggested_states());
    states_ = std::min({states_, fits.most_states(), Index{12}});
  }

  /// −2 log likelihood with this delay, infinite where there is no fit.
  double misfit(double delay) {
    FitOptions how =
        options_.in_stage(fmt::format("{}, delay {}", hold_name(options_.timing().hold), delay));
    how.delay_value = delay;
    const auto found = HiddenFits(data_, how, &shared_).quick_fit(states_, known_);
    if (!found) return std::numeric_limits<double>::infinity();
    known_ = {{{found->structure, found->structure->modal()}, found->theta}};
    return information_criterion(find_residuals(*found, data_), 0);
  }

 private:
  const Dataset& data_;
  FitOptions options_;
  SharedRealisations& shared_;
  Index states_ = 0;
  std::vector<ModalSystem> known_;
};

/// The delay of least misfit: among whole samples, then between the neighbours of the best.
double find_delay(const Dataset& data, const FitOptions& options, SharedRealisations& shared) {
  QuickFits fits(data, options, shared);
  const double step = median_step(data);
  constexpr int most_samples = 8, in_vain = 3, refinements = 7;
  double best = 0, least = fits.misfit(0);
  for (int k = 1, vain = 0; k <= most_samples && vain < in_vain; ++k) {
    const double found = fits.misfit(k * step);
    vain = found < least ? 0 : vain + 1;
    if (!(found < least)) continue;
    least = found;
    best = k * step;
  }
  // The golden section of the interval about it.
  constexpr double ratio = 0.618033988749895;
  double low = std::max(0.0, best - step), high = best + step;
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double at_a = fits.misfit(a), at_b = fits.misfit(b);
  for (int k = 0; k < refinements; ++k) {
    if (at_a < at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - ratio * (high - low);
      at_a = fits.misfit(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + ratio * (high - low);
      at_b = fits.misfit(b);
    }
  }
  const double middle = at_a < at_b ? a : b;
  // No delay is the simpler answer.
  return std::min(at_a, at_b) < fits.misfit(0) - strong_evidence ? middle : 0.0;
}

/// At uneven times a wrong hold would ask for more states.
InputHold likelier_hold(const Dataset& data, FitOptions options, SharedRealisations& shared) {
  // The wrong one is worse by far, or not at all.
  constexpr int few_steps = 8;
  options.max_iterations = std::min(options.max_iterations, few_steps);
  options.rounds = std::min(options.rounds, 1);
  options.hold = InputHold::zoh;
  const double held = QuickFits(data, options, shared).misfit(options.delay_value);
  options.hold = InputHold::foh;
  const double linear = QuickFits(data, options, shared).misfit(options.delay_value);
  return linear < held - strong_evidence ? InputHold::foh : InputHold::zoh;
}

Selection fit_with(const Dataset& data, const FitOptions& options, SharedRealisations& shared) {
  if (const std::string network = network_asked(options); !network.empty())
    return {{}, fit_ports(data, network == "mechanical", options)};
  if (hides_states_of_a_law(options, data.dimension())) return fit_observed_law(data, options);
  if (measures_states(options)) return fit_measured(data, options, shared);
  return options.states == States::given ? fit_order(data, options.state_count, options, &shared)
                                         : select_order(data, options, &shared);
}

/// The fit under other assumptions: of hidden states from those that were found, else anew.
Fit fit_again(const Dataset& data, const Fit& found, const FitOptions& options,
              SharedRealisations& shared) {
  if (found.structure->modal() == nullptr || measures_states(options) ||
      options.states != States::given)
    return fit_with(data, options, shared).fit;
  return maximum_likelihood(data, found.structure,
                            {.theta = {found.theta}, .fallback = {}, .sizes = found.noise},
                            options);
}

/// To the end, from where a comparison left it.
void follow(Fit& fit, const Dataset& data, const FitOptions& options) {
  if (fit.stopped) return;
  const int before = fit.iterations;
  fit = maximum_likelihood(data, fit.structure,
                           {.theta = {fit.theta}, .fallback = {}, .sizes = fit.noise},
                           options.in_stage("chosen"));
  fit.iterations += before;
}

}  // namespace

std::vector<FitOptions> open_timings(const FitOptions& options, const FitOptions& tried) {
  std::vector<FitOptions> result;
  for (const InputHold hold : {InputHold::zoh, InputHold::foh})
    for (const Feedthrough feedthrough : {Feedthrough::yes, Feedthrough::no}) {
      const bool open =
          (hold == tried.hold || options.hold == InputHold::automatic) &&
          (feedthrough == tried.feedthrough || options.feedthrough == Feedthrough::automatic);
      if (!open || (hold == tried.hold && feedthrough == tried.feedthrough)) continue;
      FitOptions other =
          tried.in_stage(fmt::format("{}, {}", hold == InputHold::zoh ? "zoh" : "foh",
                                     feedthrough == Feedthrough::yes ? "D" : "no D"));
      other.hold = hold;
      other.feedthrough = feedthrough;
      result.push_back(std::move(other));
    }
  return result;
}

Selection fit_driven(const Dataset& data, const FitOptions& options) {
  check_possible(options);
  if (options.passive) check_passive(data, options);
  check_experiment(data);
  SharedRealisations shared;
  FitOptions how = options;
  const bool known = options.offset == Offset::none || options.offset == Offset::given;
  how.offset = known ? Offset::none : Offset::estimate;
  if (options.feedthrough == Feedthrough::automatic) how.feedthrough = Feedthrough::yes;
  if (options.hold == InputHold::automatic) how.hold = likelier_hold(data, how, shared);
  if (options.delay == Delay::automatic) how.delay_value = find_delay(data, how, shared);
  // Of hidden states the one that is chosen is followed to its end, others as far as tells them apart.
  const bool hidden = !measures_states(options) && network_asked(options).empty() &&
                      !hides_states_of_a_law(options, data.dimension());
  if (hidden) how = enough_to_compare(how);
  Selection found = fit_with(data, how, shared);
  FitOptions chosen = how;
  // The same number of states under other assumptions that are left to the data.
  double least = criterion(found.fit, data);
  if (!measures_states(options) && network_asked(options).empty()) {
    how.states = States::given;
    how.state_count = found.fit.structure->dimension();
  }
  for (const FitOptions& other : open_timings(options, how)) {
    const bool to_the_end = !found.fit.stopped && unless_stopped([&] {
      FitOptions timed = other;
      if (options.delay == Delay::automatic && other.hold != how.hold)
        timed.delay_value = find_delay(data, timed, shared);
      Fit fit = fit_again(data, found.fit, timed, shared);
      const double reached = criterion(fit, data);
      if (fit.stopped || !(reached < least)) return;
      least = reached;
      found.fit = std::move(fit);
      chosen = timed;
    });
    if (to_the_end) continue;
    found.fit.stopped = true;
    found.fit.converged = false;
    break;
  }
  chosen.max_iterations = options.max_iterations;
  chosen.rounds = options.rounds;
  if (options.passive) {
    if (hidden) follow(found.fit, data, chosen);
    Selection passive = fit_passive(data, found.fit, options);
    found.fit = std::move(passive.fit);
    for (auto& candidate : found.candidates) {
      if (candidate.chosen) candidate.verdict = "as many states as are justified";
      candidate.chosen = false;
    }
    found.candidates.insert(found.candidates.end(), passive.candidates.begin(),
                            passive.candidates.end());
    return found;
  }
  found = with_noise_model(std::move(found), data, options, shared);
  if (hidden && !found.fit.innovation.active()) follow(found.fit, data, chosen);
  return found;
}

}  // namespace lgn
