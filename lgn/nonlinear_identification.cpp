#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/inspection.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/identify/nonlinear/law_fit.h"
#include "lgn/identify/nonlinear/smoothing.h"
#include "lgn/identify/offset.h"
#include "lgn/identify/residuals.h"
#include "lgn/model/warnings.h"
#include "lgn/nonlinear_identification_internal.h"
#include "lgn/physics/bootstrap.h"
#include "lgn/physics/uncertainty.h"
#include "lgn/version.h"

namespace lgn {
namespace {

/// Throws Error for what a nonlinear law cannot be asked for.
void check(const FitOptions& options) {
  const auto refuse = [](const char* name, const char* what) {
    throw Error(fmt::format("a nonlinear law has no {}", what), "leave out " + setting(name));
  };
  if (options.record == Record::ambient) refuse("record", "random forces");
  if (options.driven) {
    if (options.method == Method::successive)
      throw Error("successive linearisation is of free motion",
                  "use " + setting("method", "mle") + ", or leave the inputs out with " +
                      setting("inputs", "none"));
    if (options.passive) refuse("passive", "proof that it is passive at its ports");
    if (options.feedthrough == Feedthrough::yes) refuse("feedthrough", "feedthrough");
    if (options.delay == Delay::automatic) refuse("delay", "delay that is estimated: give one");
    if (options.noise_model == NoiseModel::innovation) refuse("noise_model", "innovations form");
  }
  const bool constant = options.structure == "lossless" || options.structure == "polynomial";
  if (constant && options.offset == Offset::estimate)
    refuse("offset", "offset beside constant terms of its own");
  if (options.method == Method::successive && options.offset == Offset::estimate)
    refuse("offset", "offset that is estimated by successive linearisation");
  if (options.method == Method::successive && options.robust())
    refuse("loss", "robust loss in successive linearisation");
  if (options.method == Method::successive && options.checkpoint != nullptr)
    refuse("checkpoint", "checkpoint of successive linearisation");
  if (options.network.rules.any()) refuse("edges", "pairs to allow or forbid");
  if (options.method == Method::closed_form || options.method == Method::adam)
    refuse("method", "method but maximum likelihood and successive linearisation");
  if (!options.estimate_initial_states) refuse("x0", "initial states that are not estimated");
}

/// Residuals as if they were those of one window after the other, where trajectories part before the end of a run.
FitResiduals residuals_of_windows(const LawFit& fit, const Dataset& data) {
  FitResiduals result;
  result.power = channel_amplitudes(data).cwiseAbs2();
  result.count = Vector::Zero(data.dimension());
  for (const auto& run : data.runs())
    result.count += (!run.states().array().isNaN()).cast<double>().matrix().rowwise().sum();
  result.power = result.power.cwiseProduct(result.count);
  result.squares = fit.noise.cwiseAbs2().cwiseProduct(result.count);
  return result;
}

/// A law of data less `centre`, which holds all of ȳ.
struct CentredSelection {
  LawSelection selection;
  Vector centre;
};
CentredSelection select_about_rest(const Dataset& data, const FitOptions& options) {
  CentredSelection result{{}, Vector::Zero(data.dimension())};
  if (options.offset == Offset::given) result.centre = given_offset(options, data.dimension());
  const bool estimated = options.offset == Offset::estimate;
  // Of positions alone the rate is no function of the position: their mean is as good a guess.
  if (estimated)
    result.centre = of_positions_alone(data, options) ? channel_means(data) : guess_offset(data);
  // Regression counts states from rest, so that it begins again where the likelihood has found that elsewhere.
  constexpr int most_rounds = 3;
  for (int round = 1; round <= most_rounds; ++round) {
    result.selection =
        select_law(data.less(result.centre),
                   round == 1 ? options : options.in_stage(fmt::format("{}", round)));
    const LawFit& fit = result.selection.fit;
    if (!estimated) break;
    result.centre += fit.offset;
    if (fit.stopped || (fit.offset.cwiseAbs().array() <= 0.1 * fit.noise.array()).all()) break;
  }
  return result;
}

/// The likelier of both holds, where nobody told which it is, as `options` have it then.
CentredSelection select_with_inputs(const Dataset& data, FitOptions& options) {
  if (!options.driven || options.hold != InputHold::automatic)
    return select_about_rest(data, options);
  std::optional<CentredSelection> best;
  std::optional<NotIdentified> failure;
  for (const InputHold hold : {InputHold::zoh, InputHold::foh}) {
    FitOptions other = options.in_stage(hold == InputHold::zoh ? "zoh" : "foh");
    other.hold = hold;
    try {
      CentredSelection found = select_about_rest(data, other);
      const bool better = !best || found.selection.fit.criterion < best->selection.fit.criterion;
      if (better) options.hold = hold;
      if (better) best = std::move(found);
    } catch (const NotIdentified& error) {
      if (!failure) failure = error;
    }
    if (best && best->selection.fit.stopped) break;
  }
  if (!best) throw *failure;
  return *std::move(best);
}

/// Standard errors of a law by repeated fits, where there were enough of these: how many, and the largest ratio, either way, between
/// them and those by the information matrix.
struct LawBootstrap {
  Index samples = 0;
  double ratio = 1;
};
LawBootstrap add_bootstrap(LawFit& fit, const Dataset& data, const FitOptions& options) {
  if (options.bootstrap == 0 || fit.stopped) return {};
  Matrix samples;
  unless_stopped([&] {
    samples = bootstrap(fit, data, options.timing(),
                        {.repeats = options.bootstrap,
                         .seed = options.seed,
                         .threads = options.threads,
                         .observe = options.observe});
  });
  constexpr Index fewest = 20;
  if (samples.cols() < fewest) return {};
  const Index p = fit.theta.size();
  const Matrix spread = fit.widening / std::sqrt(static_cast<double>(samples.cols() - 1)) *
                        (samples.colwise() - samples.rowwise().mean());
  const Vector before = fit.covariance.diagonal().cwiseSqrt();
  fit.covariance = spread.topRows(p) * spread.topRows(p).transpose();
  fit.offset_errors = spread.bottomRows(fit.offset.size()).rowwise().norm();
  LawBootstrap result{samples.cols(), 1};
  for (Index k = 0; k < p; ++k)
    if (const double after = std::sqrt(fit.covariance(k, k)); before[k] > 0 && after > 0)
      result.ratio = std::max({result.ratio, before[k] / after, after / before[k]});
  return result;
}

/// The parameters that are there, as people read them.
void name_parameters(Model& model, const LawFit& fit) {
  const Index count = fit.terms();
  model.theta.resize(count);
  model.covariance.resize(count, count);
  std::vector<Index> present;
  for (Index k = 0; k < fit.theta.size(); ++k)
    if (fit.active[static_cast<std::size_t>(k)]) present.push_back(k);
  const auto names = fit.structure->parameter_names();
  for (Index i = 0; i < count; ++i) {
    const Index k = present[static_cast<std::size_t>(i)];
    model.theta[i] = fit.theta[k];
    model.theta_names.push_back(names[static_cast<std::size_t>(k)]);
    model.parameters.push_back({names[static_cast<std::size_t>(k)],
                                Matrix::Constant(1, 1, fit.theta[k]), NamedValue::Shape::scalar});
    for (Index j = 0; j < count; ++j)
      model.covariance(i, j) = fit.covariance(k, present[static_cast<std::size_t>(j)]);
  }
}

Model describe(const LawSelection& selection, const Dataset& data, const FitOptions& options) {
  const LawFit& fit = selection.fit;
  Model model;
  model.version = version;
  model.structure = fit.recipe.name;
  model.method = options.method == Method::successive ? "successive" : "mle";
  model.channels = data.channels();
  model.time_unit = options.time_unit;
  model.starts = fit.initial_states;
  const Index states = fit.structure->dimension();
  const bool positions = states > data.dimension();
  if (positions) model.c = Matrix::Identity(data.dimension(), states);
  model.nonlinear = describe_law(fit.recipe, fit.theta,
                                 options.errors == Errors::never ? Matrix() : fit.covariance,
                                 all_states(positions ? smooth(data, true).data : data),
                                 options.time_unit, longest_duration(data));
  model.nonlinear->window = fit.window;
  if (options.driven) {
    model.record = "driven";
    model.inputs = data.inputs();
    model.drive = {options.timing(), model.nonlinear->gains(), {}};
    model.b_errors = model.nonlinear->gain_errors();
  }
  const ModelNonlinear::Equilibrium& rest = model.nonlinear->equilibria.front();
  model.a = rest.a;
  model.modes = rest.modes;
  if (model.hidden()) show_in_channels(model.modes, model.c);
  const bool promised = fit.structure->guarantee().dissipative;
  model.guarantee = {promised && rest.stable, promised, false};
  if (promised && fit.structure->state_energy()->quadratic())
    model.energy = fit.structure->energy(fit.theta);
  name_parameters(model, fit);
  if (selection.candidates.size() > 1) model.candidates = selection.candidates;
  model.data.runs = static_cast<Index>(data.runs().size());
  model.data.samples = data.samples();
  model.data.step = median_step(data);
  model.fit.numbers_in_a = fit.terms();
  model.fit.iterations = fit.iterations;
  model.fit.converged = fit.converged;
  model.fit.channel_noise = fit.noise;
  model.fit.error_widening = fit.widening;
  model.fit.confidence = options.confidence;
  return model;
}

}  // namespace

Model identify_nonlinear(const Dataset& given, const FitOptions& asked) {
  check(asked);
  FitOptions options = asked;
  FitFacts facts;
  facts.damaged = damaged_channels(given);
  facts.robust_by_itself = asked.loss == Loss::automatic && !asked.driven &&
                           asked.method != Method::successive &&
                           std::any_of(facts.damaged.begin(), facts.damaged.end(),
                                       [](const auto& channel) { return channel.outliers > 0; });
  if (facts.robust_by_itself) options.loss = Loss::huber;
  std::optional<Split> all;
  if (options.holdout != 0) all = split_in_time(given, options.holdout);
  CentredSelection found = select_with_inputs(all ? all->train : given, options);
  const Vector& offset = found.centre;
  LawSelection& selection = found.selection;
  const LawFit& fit = selection.fit;
  const Dataset data = given.less(offset);
  std::optional<Split> split;
  if (options.holdout != 0) split = split_in_time(data, options.holdout);
  const Dataset& training = split ? split->train : data;
  const LawBootstrap repeated = add_bootstrap(selection.fit, training, options);

  // There is an answer: what it takes to tell it is short.
  const StopManner telling(stop_internal::Manner::not_at_all);
  Model model = describe(selection, training, options);
  Index longest = 0;
  for (const auto& run : training.runs()) longest = std::max(longest, run.samples());
  facts.residuals = fit.window < longest
                        ? residuals_of_windows(fit, training)
                        : find_residuals(model.propagator(), fit.initial_states, training);
  facts.unknowns = fit.terms() + fit.initial_states.size() + fit.offset.size();
  facts.values = training.present();
  facts.stopped = fit.stopped;
  facts.bootstrap_ratio = repeated.ratio;
  model.fit.bootstrap = repeated.samples;
  const double freedom =
      std::max(1.0, static_cast<double>(facts.values) - static_cast<double>(facts.unknowns));
  model.fit.nrmse_train = facts.residuals.nrmse();
  model.fit.noise_sigma = std::sqrt(facts.residuals.sum_of_squares() / freedom);
  model.fit.interval = interval_factor(options.confidence, freedom);
  model.fit.holdout = options.holdout;
  if (split)
    model.fit.nrmse_holdout =
        holdout_residuals(model.propagator(), fit.initial_states, *split).nrmse();
  model.warnings = find_warnings(model, facts);
  if (options.offset == Offset::given || options.offset == Offset::estimate) {
    model.offset = offset;
    model.offset_errors = fit.offset_errors;
    if (!model.hidden()) model.starts.colwise() += offset;
  }
  return model;
}

std::optional<Model> nonlinear_alternative(const Dataset& data, const FitOptions& options,
                                           const LinearAlternative& linear) {
  // Laws are of measured states, and one alone cannot oscillate.
  constexpr Index fewest_channels = 2;
  const bool asked =
      options.structure == "auto" && !options.custom_structure && !options.driven &&
      options.record != Record::ambient && options.states != States::given &&
      (options.method == Method::automatic || options.method == Method::likelihood) &&
      !options.robust() && options.bootstrap == 0 && options.estimate_initial_states &&
      !options.network.rules.any() && options.offset != Offset::estimate && options.holdout == 0 &&
      data.dimension() >= fewest_channels && data.dimension() <= most_channels_of_a_law;
  if (!asked) return {};
  FitOptions other = options.in_stage("nonlinear");
  other.structure = "nonlinear";
  other.checkpoint = nullptr;
  std::optional<Model> found;
  const WorkLimit limit(options.thorough ? 1e300 : 10 * linear.work + 1e8);
  unless_stopped([&] {
    try {
      found = identify_nonlinear(data, other);
    } catch (const NotIdentified&) {
    }
  });
  if (!found || found->nonlinear->window == 0) return {};
  const FitResiduals left = find_residuals(found->propagator(), found->starts, data);
  const double criterion = information_criterion(left, found->theta.size() + found->starts.size());
  const double before = information_criterion(linear.residuals, linear.unknowns);
  if (!(criterion < before - strong_evidence)) return {};
  return found;
}

}  // namespace lgn
