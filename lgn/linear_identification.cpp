#include "lgn/linear_identification_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/amplitude_frequency.h"
#include "lgn/data/inspection.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/identify/driven/experiment_checks.h"
#include "lgn/identify/driven/innovation_fit.h"
#include "lgn/identify/driven/residual_checks.h"
#include "lgn/identify/residuals.h"
#include "lgn/identify/system_fit.h"
#include "lgn/model/describe.h"
#include "lgn/model/warnings.h"
#include "lgn/nonlinear_identification_internal.h"
#include "lgn/physics/decay_limits.h"
#include "lgn/physics/uncertainty.h"
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
  // With a predictor it is the next sample that must leave only noise.
  if (fit.innovation.active()) facts.residuals = prediction_residuals(fit, data);
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

/// The fit as a model, and where it comes from.
Model described(OffsetFit& found, const Dataset& data, const FitOptions& options) {
  Selection& selection = found.found.selection;
  Model model = describe(selection.fit, *found.data, options.network.kinds, options.time_unit);
  model.candidates = std::move(selection.candidates);
  model.stabilisation = std::move(selection.stabilisation);
  model.data.assumptions = std::move(found.found.notes);
  model.data.runs = static_cast<Index>(data.runs().size());
  model.data.samples = data.samples();
  model.data.step = median_step(data);
  return model;
}

/// What the inputs can and cannot tell.
void check_experiment(const Fit& fit, const Dataset& data, const FitOptions& options,
                      FitFacts& facts) {
  const Index states = fit.structure->dimension(), excited = excitation_order(data, states);
  if (excited < states) facts.excitation = excited;
  unless_stopped([&] {
    facts.late_inputs = find_late_inputs(fit, data, options);
    check_fit_of_experiment(fit, data, facts);
  });
}

/// Standard errors, where residuals say something about the noise.
void add_uncertainty(Model& model, const Fit& fit, const Dataset& data, const FitOptions& options,
                     FitFacts& facts) {
  if (facts.values <= facts.unknowns) return;
  facts.stopped = !unless_stopped([&] {
    const ErrorFacts errors = add_errors(model, fit, data, facts.residuals, options);
    facts.errors_skipped = errors.skipped;
    facts.unrefined = errors.unrefined;
    facts.distance = errors.distance;
    facts.bootstrap_ratio = add_bootstrap(model, fit, data, facts.residuals, options);
  });
  limit_unresolved_decays(model.modes, options.confidence);
}

/// Throws NotIdentified where there are modes, and no one can tell where.
void refuse_undetermined(const Model& model, const FitFacts& facts, const FitOptions& options,
                         const EarlierAttempt& earlier) {
  if (facts.stopped || leaves_noise_only(facts.residuals) || !nothing_determined(model)) return;
  if (earlier.no_vibration) throw *earlier.no_vibration;
  if (model.hidden() && !options.driven && options.structure == "auto" &&
      options.states == States::automatic)
    throw no_free_motion();
}

/// What identify_linear says, but for the law that may stand in its place.
Model fit_linear(const Dataset& data, FitOptions options, const EarlierAttempt& earlier) {
  FitFacts facts;
  facts.damaged = damaged_channels(data);
  facts.robust_by_itself = asks_for_robust_loss(facts.damaged, options);
  if (facts.robust_by_itself) options.loss = Loss::huber;
  std::optional<Split> split;
  if (options.holdout != 0) split = split_in_time(data, options.holdout);

  OffsetFit found = fit_system(split ? split->train : data, options);
  // There is an answer: what it takes to tell it is short, and standard errors can be done without.
  const StopManner telling(stop_internal::Manner::not_at_all);
  const Fit& fit = found.found.selection.fit;
  const Dataset& training_data = *found.data;
  Model model = described(found, data, options);

  facts.density = found.found.density;
  facts.growing = ends_largest(training_data);
  facts.evenly_sampled = evenly_sampled(data, model.data.step);
  judge(model, fit, training_data, options, facts);
  if (!std::isfinite(model.fit.nrmse_train))
    throw NotIdentified(
        "no mode: the motion of what was found leaves every bound, and nothing better was found in this time",
        "ask for fewer states with " + setting("states") +
            ", or for a structure that is stable, as sd, with " + setting("structure"));
  constexpr double badly = 0.3;
  if (earlier.no_vibration && model.fit.nrmse_train > badly) throw *earlier.no_vibration;
  if (split)
    model.fit.nrmse_holdout = holdout_residuals(fit.propagator(), fit.initial_states,
                                                {training_data, split->holdout.less(found.centre)})
                                  .nrmse();
  if (options.driven) check_experiment(fit, training_data, options, facts);
  add_uncertainty(model, fit, training_data, options, facts);
  facts.stopped = facts.stopped || fit.stopped;
  refuse_undetermined(model, facts, options, earlier);

  add_offset(model, found.centre);
  // An input changes amplitudes as it pleases.
  if (!options.driven) facts.amplitude_frequency = find_amplitude_frequency(data, model.offset);
  model.warnings = find_warnings(model, facts);
  if (facts.amplitude_frequency && !facts.stopped &&
      (model.hidden() || !leaves_noise_only(facts.residuals)))
    if (auto law = nonlinear_alternative(
            data, options, {facts.residuals, facts.unknowns, work_done() - earlier.work_before}))
      return std::move(*law);
  return model;
}

/// Where no linear system predicts the data: the nonlinear law that explains them, if frequencies depend on amplitude. Throws the refusal,
/// with what it may be, where there is none.
Model law_instead(const Dataset& data, const FitOptions& options, const NotIdentified& refusal,
                  double work_before) {
  const Vector centre =
      options.offset == Offset::none ? Vector::Zero(data.dimension()).eval() : channel_means(data);
  const bool may_be = !options.driven && data.dimension() <= most_channels_of_a_law;
  const auto found = may_be ? find_amplitude_frequency(data, centre) : std::nullopt;
  if (!found) throw refusal;
  const Propagator rest = [&](const Vector&, const Vector& times, const Matrix&) -> Matrix {
    return centre.replicate(1, times.size());
  };
  const FitResiduals nothing =
      find_residuals(rest, centre.replicate(1, static_cast<Index>(data.runs().size())), data);
  constexpr double badly = 0.3;
  auto law =
      nonlinear_alternative(data, options, {nothing, data.dimension(), work_done() - work_before});
  if (law && law->fit.nrmse_train < badly) return *std::move(law);
  throw NotIdentified(
      fmt::format("{}, and the frequency of {} depends on its amplitude", refusal.problem(),
                  found->channel),
      "a nonlinear stiffness? Try " + setting("structure", "nonlinear") +
          " with every state measured, or cut the data to small amplitudes for a linear model");
}

}  // namespace

Model identify_linear(const Dataset& data, const FitOptions& options,
                      const EarlierAttempt& earlier) {
  try {
    return fit_linear(data, options, earlier);
  } catch (const NotIdentified& refusal) {
    return law_instead(data, options, refusal, earlier.work_before);
  }
}

}  // namespace lgn
