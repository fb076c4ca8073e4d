#include "lgn/identify.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/amplitude_frequency.h"
#include "lgn/data/inspection.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/identify/driven/experiment_checks.h"
#include "lgn/identify/driven/innovation_fit.h"
#include "lgn/identify/driven/passive_fit.h"
#include "lgn/identify/driven/residual_checks.h"
#include "lgn/identify/nonlinear/law_fit.h"
#include "lgn/identify/residuals.h"
#include "lgn/identify/sparse/engine.h"
#include "lgn/identify/system_fit.h"
#include "lgn/large_network_internal.h"
#include "lgn/model/describe.h"
#include "lgn/model/warnings.h"
#include "lgn/nonlinear_identification_internal.h"
#include "lgn/physics/decay_limits.h"
#include "lgn/physics/uncertainty.h"
#include "lgn/random_vibration_internal.h"
#include "lgn/standard_errors_internal.h"

namespace lgn {
namespace {

/// Whether nearly all steps are alike, so that frequencies have aliases.
bool evenly_sampled(const Dataset& data, double step) {
  double alike = 0, all = 0;
  for (const auto& run : data.runs())
    for (Index k = 1; k < run.samples(); ++k) {
      const double steps = (run.times()[k] - run.times()[k - 1]) / step;
      alike += std::abs(steps - std::round(steps)) < 0.1 ? 1 : 0;
      all += 1;
    }
  return alike > 0.9 * all;
}

/// σ of each channel from the residuals; unknowns take their share.
Vector channel_noise(const FitResiduals& residuals, double share) {
  // A channel at rest is as exact as the others are large.
  const double typical = residuals.power.mean();
  const Vector floor =
      1e-30 * residuals.power.unaryExpr([&](double p) { return p > 0 ? p : typical; });
  return (residuals.squares.cwiseMax(floor).array() / (share * residuals.count.array().max(1.0)))
      .sqrt();
}

/// What the fit leaves of the data, and how certain it is by that.
void judge(Model& model, const Fit& fit, const Dataset& data, const FitOptions& options,
           FitFacts& facts) {
  facts.residuals = find_residuals(fit, data);
  const Index parameters = fit.structure->free_parameters();
  facts.unknowns = parameters + fit.shared_unknowns() +
                   (options.estimate_initial_states ? fit.initial_states.size() : 0);
  facts.values = data.present();
  const double values = static_cast<double>(facts.values);
  const double freedom = std::max(1.0, values - static_cast<double>(facts.unknowns));
  const bool robust = options.robust() && fit.noise.size() > 0;
  model.fit.nrmse_train = facts.residuals.nrmse();
  model.fit.numbers_in_a = parameters;
  model.fit.noise_sigma = std::sqrt(facts.residuals.sum_of_squares() / freedom);
  model.fit.channel_noise =
      robust ? fit.noise : channel_noise(facts.residuals, std::max(0.05, freedom / values));
  model.fit.confidence = options.confidence;
  model.fit.interval = interval_factor(options.confidence, freedom);
  model.fit.holdout = options.holdout;
}

/// Whether the last quarter of a run is plainly larger than all before, as no stable system is for long.
bool ends_largest(const Dataset& data) {
  return std::any_of(data.runs().begin(), data.runs().end(), [](const Trajectory& run) {
    constexpr double plainly = 2;
    const Matrix values = run.states().array().isNaN().select(0.0, run.states());
    const Index last = run.samples() / 4, before = run.samples() - last;
    const Vector late =
        values.rightCols(last).rowwise().norm() / std::sqrt(static_cast<double>(last));
    const Vector early =
        values.leftCols(before).rowwise().norm() / std::sqrt(static_cast<double>(before));
    return last > 0 && (late.array() > plainly * early.array()).any();
  });
}

/// Whether inputs act. Throws Error where the options contradict the data.
bool has_inputs(const Dataset& data, const FitOptions& options) {
  const std::string input = data.active_input();
  if (options.record == Record::driven && data.inputs().empty())
    throw Error("a driven record needs an input", "name its columns with " + setting("inputs"));
  if (options.record == Record::free && !input.empty())
    throw Error(fmt::format("\"{}\" is an input that is not zero, and free motion has none", input),
                "use " + setting("inputs", "none") +
                    " if it is a measured channel, or cut the data where the input ends");
  const bool acts =
      options.record != Record::ambient && (!input.empty() || options.record == Record::driven);
  if (!acts && options.noise_model == NoiseModel::innovation)
    throw Error("an innovations form is fitted to data with inputs",
                "leave out " + setting("noise_model") + "; random vibration has " +
                    setting("record", "ambient"));
  return acts;
}

/// Whether the robust loss is the one to take, where nobody chose: single samples stand out of free motion.
bool asks_for_robust_loss(const std::vector<ChannelInspection>& damaged,
                          const FitOptions& options) {
  const bool likely = options.method == Method::automatic || options.method == Method::likelihood;
  return options.loss == Loss::automatic && likely && !options.driven && !options.passive &&
         std::any_of(damaged.begin(), damaged.end(),
                     [](const auto& channel) { return channel.outliers > 0; });
}

/// What the fit says about the experiment.
void check_fit_of_experiment(const Fit& fit, const Dataset& data, FitFacts& facts) {
  facts.feedback = find_feedback(fit, data);
  facts.unseen_poles = unseen_poles(fit, data);
  std::vector<Matrix> residuals;
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const auto& run = data.runs()[r];
    residuals.push_back(run.states() - fit.propagate(fit.initial_states.col(static_cast<Index>(r)),
                                                     run.times(), run.inputs()));
  }
  facts.distortion = find_distortion(data, residuals);
  facts.nonlinearity = find_nonlinearity(fit, data);
}

/// What was described about `centre`, as channels show it.
void add_offset(Model& model, const Vector& centre) {
  if (model.offset.size() == 0 && (centre.array() == 0).all()) return;
  model.offset = model.rest() + centre;
  if (!model.hidden()) model.starts.colwise() += centre;
}

/// Whether there are modes, and no one can tell where.
bool nothing_determined(const Model& model) {
  return !model.modes.empty() &&
         std::all_of(model.modes.begin(), model.modes.end(),
                     [](const Mode& mode) { return !mode.identifiable.value_or(true); });
}

/// The result of a search, or why there is none.
template <class Search>
auto first_answer(Search&& search) {
  try {
    return search();
  } catch (const Stopped& stopped) {
    throw NotIdentified(stopped.what(), "allow more with " + setting("max_seconds"));
  }
}

}  // namespace

Model identify(const Dataset& data, const FitOptions& given) {
  const auto begin = std::chrono::steady_clock::now();
  const double work_before = work_done();
  check_options(given);
  check_data(data, given);
  FitOptions options = given;
  options.driven = has_inputs(data, given);
  if (options.passive) check_passive(data, options);
  // With hundreds of channels one regression takes seconds.
  const Index n = data.dimension();
  StopScope stop(given.max_seconds, {}, n > 4000 ? 5.0 : n > 200 ? 2.0 : stop_allowance);
  options.observe = [&](const FitProgress& progress) {
    if (given.observe && !given.observe(progress)) stop.request();
    return !stop.requested();
  };
  if (options.network.kinds.empty()) options.network.kinds = guess_kinds(data.channels());
  const auto timed = [&](Model found) {
    found.fit.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return found;
  };
  if (uses_sparse_engine(data, options))
    return timed(first_answer([&] { return identify_large_network(data, options); }));
  if (!options.custom_structure && is_nonlinear(options.structure))
    return timed(first_answer([&] { return identify_nonlinear(data, options); }));
  std::optional<NotIdentified> no_vibration;
  if (!options.driven && may_be_random_vibration(data, options)) {
    try {
      return timed(first_answer([&] { return identify_random_vibration(data, options); }));
    } catch (const NotIdentified& error) {
      if (options.record == Record::ambient) throw;
      no_vibration = error;
    }
  }
  FitFacts facts;
  facts.damaged = damaged_channels(data);
  facts.robust_by_itself = asks_for_robust_loss(facts.damaged, options);
  if (facts.robust_by_itself) options.loss = Loss::huber;
  std::optional<Split> split;
  if (options.holdout != 0) split = split_in_time(data, options.holdout);
  OffsetFit offset_fit =
      first_answer([&] { return fit_system(split ? split->train : data, options); });
  StructureFit& found = offset_fit.found;
  const Fit& fit = found.selection.fit;
  const Dataset& training_data = offset_fit.data;

  // There is an answer: what it takes to tell it is short, and standard errors can be done without.
  const StopManner telling(stop_internal::Manner::not_at_all);
  Model model = describe(fit, training_data, options.network.kinds, options.time_unit);
  model.candidates = std::move(found.selection.candidates);
  model.stabilisation = std::move(found.selection.stabilisation);
  model.data.runs = static_cast<Index>(data.runs().size());
  model.data.samples = data.samples();
  model.data.step = median_step(data);

  facts.density = found.density;
  facts.growing = ends_largest(training_data);
  facts.evenly_sampled = evenly_sampled(data, model.data.step);
  judge(model, fit, training_data, options, facts);
  // With a predictor it is the next sample that must leave only noise.
  if (fit.innovation.active()) facts.residuals = prediction_residuals(fit, training_data);
  constexpr double badly = 0.3;
  if (no_vibration && model.fit.nrmse_train > badly) throw *no_vibration;
  if (split)
    model.fit.nrmse_holdout =
        holdout_residuals(fit.propagator(), fit.initial_states,
                          {training_data, split->holdout.less(offset_fit.centre)})
            .nrmse();
  if (options.driven) {
    const Index excited = excitation_order(training_data, model.dimension());
    if (excited < model.dimension()) facts.excitation = excited;
    unless_stopped([&] {
      facts.late_inputs = find_late_inputs(fit, training_data, options);
      check_fit_of_experiment(fit, training_data, facts);
    });
  }
  // Without freedom the residuals say nothing about the noise.
  if (facts.values > facts.unknowns) {
    facts.stopped = !unless_stopped([&] {
      const ErrorFacts errors = add_errors(model, fit, training_data, facts.residuals, options);
      facts.errors_skipped = errors.skipped;
      facts.unrefined = errors.unrefined;
      facts.distance = errors.distance;
      facts.bootstrap_ratio = add_bootstrap(model, fit, training_data, facts.residuals, options);
    });
    limit_unresolved_decays(model.modes, options.confidence);
  }
  facts.stopped = facts.stopped || fit.stopped;
  if (!facts.stopped && !leaves_noise_only(facts.residuals) && nothing_determined(model)) {
    if (no_vibration) throw *no_vibration;
    if (model.hidden() && !options.driven && options.structure == "auto" &&
        options.states == States::automatic)
      throw no_free_motion();
  }
  add_offset(model, offset_fit.centre);
  // An input changes amplitudes as it pleases.
  if (!options.driven) facts.amplitude_frequency = find_amplitude_frequency(data, model.offset);
  model.warnings = find_warnings(model, facts);
  if (facts.amplitude_frequency && !facts.stopped &&
      (model.hidden() || !leaves_noise_only(facts.residuals)))
    if (auto law = nonlinear_alternative(
            data, options, {facts.residuals, facts.unknowns, work_done() - work_before}))
      return timed(std::move(*law));
  return timed(std::move(model));
}

Matrix fitted_initial_states(const Model& model, const Dataset& data) {
  // A model that was not fitted knows no noise.
  const Vector& known = model.fit.channel_noise;
  const Vector noise =
      known.size() == model.outputs() && (known.array() > 0).all() ? known : Vector();
  return model.initial_states(data, noise);
}

Model model_on(const Model& model, const Dataset& data) {
  Model other = model;
  if (!model.ambient) other.starts = fitted_initial_states(model, data);
  other.fit.holdout = 0;
  return other;
}

Matrix simulate(const Model& model, const Vector& x0, const Vector& times, const Matrix& inputs) {
  if (x0.size() != model.dimension())
    throw Error(
        fmt::format("x0 has {} values, the model has {} states", x0.size(), model.dimension()));
  const auto known = static_cast<Index>(model.inputs.size());
  if (inputs.size() > 0 && (inputs.rows() != known || inputs.cols() != times.size()))
    throw Error(fmt::format("the inputs are {} × {}, the model has {} and there are {} times",
                            inputs.rows(), inputs.cols(), known, times.size()));
  return model.propagate(x0, times, inputs);
}

}  // namespace lgn
