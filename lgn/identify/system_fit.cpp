#include "lgn/identify/system_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/identify/driven/driven_fit.h"
#include "lgn/identify/hidden/channel_compression.h"
#include "lgn/identify/hidden/observed_law.h"
#include "lgn/identify/hidden/order.h"
#include "lgn/identify/hidden/wandering_level.h"
#include "lgn/identify/residuals.h"

namespace lgn {
namespace {

bool by_likelihood(const FitOptions& options) {
  return options.method == Method::automatic || options.method == Method::likelihood;
}

/// About what the data are fitted.
Vector centre_of(const Dataset& data, const FitOptions& options) {
  if (options.offset == Offset::none) return Vector::Zero(data.dimension());
  if (options.offset == Offset::given) return given_offset(options, data.dimension());
  return channel_means(data);
}

/// Channels beyond which hidden states are fitted to what channels share, where that is little: each state has a parameter in every
/// channel.
constexpr Index most_channels = 40;

/// Work of looking for these, beyond which it is given up, in nanoseconds, roughly (stop.h): a second or two, or as much as a few dozen looks
/// at all data by a state for each channel.
double most_work_of_components(const Dataset& data) {
  constexpr double some = 2e9, looks = 50;
  const auto l = static_cast<double>(data.dimension());
  return some + looks * l * l * static_cast<double>(data.samples());
}

/// Whether what is left of the data is too little to look for more states in: no channel is unexplained by more than real
/// systems are, which are a little nonlinear.
bool leaves_little(const FitResiduals& left) {
  constexpr double little = 0.03, of_a_channel = 0.2;
  for (Index c = 0; c < left.power.size(); ++c)
    if (left.power[c] > 0 && left.nrmse(c) > of_a_channel && left.coherence(c) != 0) return false;
  return left.nrmse() < little;
}

/// Whether a fit explains the data, as far as real systems are linear.
bool explains(const Fit& fit, const Dataset& data) {
  const FitResiduals left = find_residuals(fit, data);
  return leaves_noise_only(left) || leaves_little(left);
}

/// A fit of all channels by their components.
struct ComponentFit {
  StructureFit found;
  Vector noise;           ///< of the channels, about what they share
  bool explains = false;  ///< the components
};

/// Fits to the components that many channels share; nothing where they share more than a quarter of their number.
std::optional<ComponentFit> fit_components(const Dataset& centred, const FitOptions& options) {
  constexpr Index part = 4;
  const Index l = centred.dimension();
  if (l <= most_channels || options.driven || !by_likelihood(options) ||
      !options.estimate_initial_states || hides_states_of_a_law(options, l))
    return {};
  const auto compression = compress_channels(centred, l / part);
  if (!compression) return {};
  const Dataset& components = compression->components;
  ComponentFit result;
  StructureFit& found = result.found;
  result.noise = compression->noise;
  found.selection = options.states == States::given
                        ? fit_order(components, options.state_count, options)
                        : select_order(components, options);
  Selection& selection = found.selection;
  const bool stopped = selection.fit.stopped;
  to_the_end([&] {
    result.explains = explains(selection.fit, components);
    selection.fit = in_all_channels(selection.fit, *compression, centred,
                                    options.errors != Errors::never && !stopped);
  });
  if (selection.stabilisation)
    selection.stabilisation = mapped(*selection.stabilisation, compression->map());
  const Index count = components.dimension();
  for (auto& candidate : selection.candidates)
    if (candidate.chosen)
      candidate.verdict += fmt::format(", in {} combinations of {} channels", count, l);
  found.notes.push_back(
      fmt::format("what {} channels share is in {} of their combinations", l, count));
  return result;
}

/// Fits whose start is a realisation.
OffsetFit fit_hidden(const Dataset& data, const FitOptions& options) {
  const Vector centre = centre_of(data, options);
  Dataset centred = data.less(centre);
  if (centred.runs().empty() ||
      std::all_of(centred.runs().begin(), centred.runs().end(), [](const auto& run) {
        return run.states().array().isNaN().select(0.0, run.states()).isZero(0);
      }))
    throw NotIdentified("nothing moves: every channel keeps its value",
                        "a system at rest shows nothing of its dynamics");
  if (auto found = fit_components(centred, options))
    return {std::move(found->found), std::make_shared<const Dataset>(std::move(centred)), centre};
  Selection found =
      options.driven                                     ? fit_driven(centred, options)
      : hides_states_of_a_law(options, data.dimension()) ? fit_observed_law(centred, options)
      : options.states == States::given ? fit_order(centred, options.state_count, options)
                                        : select_order(centred, options);
  return {{std::move(found), {}}, std::make_shared<const Dataset>(std::move(centred)), centre};
}

/// Whether the options leave room for hidden states.
bool may_be_hidden(const FitOptions& options) {
  return by_likelihood(options) && options.custom_structure == nullptr &&
         options.estimate_initial_states && options.structure == "auto" &&
         !options.network.rules.any() && options.states == States::automatic;
}

/// Whether they ask for them.
bool asks_for_hidden(const FitOptions& options, Index channels) {
  if (options.structure == "modal" || hides_states_of_a_law(options, channels)) return true;
  const bool lossless = options.structure == "skew";
  // One state that is skew does not move.
  if (lossless && channels == 1 && options.states == States::automatic && by_likelihood(options))
    return true;
  if (options.states != States::given) return false;
  if (lossless) return options.state_count != channels;
  return options.structure == "auto" && options.state_count != channels;
}

/// The validation error of what was chosen; NaN where it is not known.
double held_out(const Selection& selection) {
  for (const auto& candidate : selection.candidates)
    if (candidate.chosen) return candidate.held_out;
  return StructureCandidate::none;
}

/// Whether data are explained badly and none of what was tried predicts how they go on; or not well, and what was chosen predicts it no better than
/// nothing would.
bool foresees_nothing(const OffsetFit& fit) {
  constexpr double badly = 0.7, not_well = 0.1, nothing = 0.95;
  const Selection& selection = fit.found.selection;
  if (selection.fit.stopped) return false;
  double best = std::numeric_limits<double>::infinity();
  for (const auto& candidate : selection.candidates)
    if (candidate.held_out < best) best = candidate.held_out;
  const bool none_predicts = best >= nothing && std::isfinite(best);
  if (!none_predicts && !(held_out(selection) >= nothing)) return false;
  const FitResiduals left = find_residuals(selection.fit, *fit.data);
  return (none_predicts && left.nrmse() > badly) ||
         (held_out(selection) >= nothing && left.nrmse() > not_well && !leaves_noise_only(left));
}

double criterion(const OffsetFit& fit) {
  const Fit& found = fit.found.selection.fit;
  return order_criterion(found, find_residuals(found, *fit.data));
}

/// One state per channel, or hidden ones where the criterion wants them and they predict as well; with the candidates of both.
OffsetFit better_of(OffsetFit measured, OffsetFit hidden) {
  constexpr double as_well = 1.05;
  auto& candidates = measured.found.selection.candidates;
  auto& orders = hidden.found.selection.candidates;
  const double before = held_out(measured.found.selection),
               after = held_out(hidden.found.selection);
  const bool better =
      criterion(hidden) < criterion(measured) - strong_evidence && !(after > as_well * before);
  for (auto& candidate : better ? candidates : orders) {
    if (!candidate.chosen) continue;
    candidate.chosen = false;
    candidate.verdict = better ? "leaves more than noise: there are hidden states"
                               : "no better than one state per channel";
  }
  candidates.insert(candidates.end(), orders.begin(), orders.end());
  if (!better) return measured;
  orders = std::move(candidates);
  return hidden;
}

/// Whether hidden states of what channels share are as good as any that one state for each could be: all of them, coupled
/// both ways alike, and leaving no more than the noise of the channels.
bool beats_one_for_each(const OffsetFit& shared, const Vector& noise) {
  const Index l = noise.size();
  FitResiduals left = find_residuals(shared.found.selection.fit, *shared.data);
  const double found = order_criterion(shared.found.selection.fit, left);
  left.squares = left.count.cwiseProduct(noise.cwiseAbs2());
  return found < information_criterion(left, l * (l + 1) / 2);
}

/// One state for each channel of no more samples than channels, which say nothing about how each state moves the others unless few do:
/// that shows soon, or not at all.
OffsetFit fit_few_samples(const Dataset& data, const FitOptions& options) {
  constexpr double badly = 0.7, most_work = 3e9;
  std::optional<OffsetFit> found;
  bool given_up = false;
  const auto search = [&] {
    const WorkLimit limit(options.thorough ? std::numeric_limits<double>::infinity() : most_work);
    const bool done = unless_stopped([&] { found = fit_with_offset(data, options); });
    given_up = limit.reached();
    return done;
  };
  const bool done = search();
  if (!given_up && !done) return fit_with_offset(data, options);
  if (found && !given_up && found->found.selection.fit.stopped) return *std::move(found);
  if (!found || find_residuals(found->found.selection.fit, *found->data).nrmse() > badly)
    throw NotIdentified(
        fmt::format("no mode: {} samples of {} channels tell neither a state for each nor fewer "
                    "that they share",
                    data.samples(), data.dimension()),
        "record for longer, or use fewer with " + setting("channels"));
  return *std::move(found);
}

/// Hidden states of what many channels share, where that explains them; else one state per channel, or what is better.
OffsetFit fit_many_channels(const Dataset& data, const FitOptions& options) {
  const Vector centre = centre_of(data, options);
  Dataset centred = data.less(centre);
  std::optional<ComponentFit> shared;
  std::optional<OffsetFit> hidden;
  unless_stopped([&] {
    const WorkLimit limit(most_work_of_components(data));
    try {
      shared = fit_components(centred, options.in_stage("components"));
    } catch (const NotIdentified&) {
      // Motions that grow have no hidden states, which are stable, and may have one per channel.
    }
    // What was given up half-way says nothing.
    if (shared && shared->found.selection.fit.stopped && limit.reached()) shared.reset();
  });
  if (shared)
    hidden = OffsetFit{std::move(shared->found),
                       std::make_shared<const Dataset>(std::move(centred)), centre};
  if (hidden && (hidden->found.selection.fit.stopped || shared->explains ||
                 beats_one_for_each(*hidden, shared->noise)))
    return *std::move(hidden);
  if (data.samples() <= data.dimension()) {
    if (!hidden) return fit_few_samples(data, options);
    if (foresees_nothing(*hidden)) throw no_free_motion();
    return *std::move(hidden);
  }
  OffsetFit measured = fit_with_offset(data, options);
  if (!hidden || measured.found.selection.fit.stopped) return measured;
  const Fit& fit = measured.found.selection.fit;
  if (leaves_noise_only(find_residuals(fit, *measured.data))) return measured;
  return better_of(std::move(measured), *std::move(hidden));
}

/// One state per channel, or hidden ones.
OffsetFit fit_free_motion(const Dataset& data, const FitOptions& options) {
  std::optional<OffsetFit> measured, hidden;
  std::optional<NotIdentified> failure;
  bool done = true;
  const auto look_for_hidden = [&] {
    done = unless_stopped([&] {
      try {
        hidden = fit_hidden(data, options.in_stage("hidden"));
      } catch (const NotIdentified& error) {
        if (!failure) failure = error;
      }
    });
  };
  // One channel that swings has two states at least.
  const bool single = data.dimension() == 1;
  if (single) look_for_hidden();
  if (hidden) {
    const Fit& fit = hidden->found.selection.fit;
    if (fit.stopped || (explains(fit, *hidden->data) && fit.structure->dimension() > 1))
      return *hidden;
  }
  try {
    measured = fit_with_offset(data, options);
  } catch (const NotIdentified& error) {
    failure = error;
  }
  if (measured) {
    const Fit& fit = measured->found.selection.fit;
    const FitResiduals left = find_residuals(fit, *measured->data);
    const bool moves = options.offset != Offset::none && options.offset != Offset::given;
    if (!fit.stopped && leaves_noise_only(left) &&
        !(order_criterion(fit, left) <
          criterion_of_nothing(*measured->data, moves) - strong_evidence))
      throw no_mode();
    if (fit.stopped || leaves_noise_only(left) || leaves_little(left)) return *measured;
  }
  if (!single) look_for_hidden();
  if (!hidden) {
    if (!measured) throw failure ? *failure : NotIdentified("nothing was found in time");
    if (!done) measured->found.selection.fit.stopped = true;
  }
  OffsetFit result = !hidden    ? std::move(*measured)
                     : measured ? better_of(std::move(*measured), std::move(*hidden))
                                : std::move(*hidden);
  if (foresees_nothing(result)) throw no_free_motion();
  return result;
}

/// Whether what the fit leaves is more than noise, and levels that wander explain the data better.
bool wanders(const OffsetFit& fit) {
  const Fit& found = fit.found.selection.fit;
  if (found.stopped) return false;
  const FitResiduals left = find_residuals(found, *fit.data);
  if (leaves_noise_only(left)) return false;
  const WanderingLevel level = wandering_level(*fit.data);
  return level.explains && level.criterion < order_criterion(found, left);
}

}  // namespace

OffsetFit fit_system(const Dataset& data, const FitOptions& options) {
  if (options.driven || asks_for_hidden(options, data.dimension()))
    return fit_hidden(data, options);
  if (options.states == States::given && options.state_count != data.dimension())
    throw Error(fmt::format("the structure \"{}\" has a state for each of {} channels",
                            options.structure, data.dimension()),
                "leave out " + setting("states") + ", or use " + setting("structure", "modal"));
  if (!may_be_hidden(options)) return fit_with_offset(data, options);
  if (data.dimension() > most_channels) return fit_many_channels(data, options);

  OffsetFit result = fit_free_motion(data, options);
  if (wanders(result))
    throw NotIdentified(
        "no mode: levels that wander at random explain the data better than free motion does",
        "is something measured that swings? For random vibration use " +
            setting("record", "ambient"));
  return result;
}

NotIdentified no_free_motion() {
  return NotIdentified("no mode: nothing that fits the data tells how they go on",
                       "is this free motion of a linear system? For random vibration use " +
                           setting("record", "ambient"));
}

}  // namespace lgn
