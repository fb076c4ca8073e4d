#include "lgn/identify.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/parametric.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify/residuals.h"
#include "lgn/identify/selection.h"
#include "lgn/physics/bootstrap.h"
#include "lgn/physics/network.h"
#include "lgn/physics/uncertainty.h"
#include "lgn/report/warnings.h"
#include "lgn/version.h"

namespace lgn {
namespace {

/// A dense fit keeps some tens of n × n matrices; beyond this many states that does not fit into
/// memory.
constexpr Index most_states = 4000;

}  // namespace

void check_data(const Dataset& data) {
  if (data.dimension() > most_states)
    throw Error(
        fmt::format("{} channels need {:.2g} GB for every copy of a dense generator",
                    data.dimension(), 8e-9 * std::pow(static_cast<double>(data.dimension()), 2)),
        fmt::format("choose at most {} of them with --channels", most_states));
  // Beyond these, squares and exponents leave the range of a double.
  constexpr double tiny = 1e-100, huge = 1e100;
  double largest = 0;
  for (const auto& run : data.runs()) {
    const auto present = run.states().array().isNaN().select(0.0, run.states());
    largest = std::max(largest, present.cwiseAbs().maxCoeff());
    const double duration = run.times()[run.samples() - 1] - run.times()[0];
    if (!(duration > tiny && duration < huge))
      throw Error(fmt::format("run \"{}\" takes a time of {:.1g}", run.label(), duration),
                  "write the times in another unit");
  }
  if (largest > 0 && !(largest > tiny && largest < huge))
    throw Error(fmt::format("the values are as large as {:.1g}", largest),
                "write them in another unit");
  if (const std::string input = data.active_input(); !input.empty())
    throw Error(
        fmt::format(
            "\"{}\" is an input that is not zero, and this version identifies free motion only",
            input),
        "use --inputs none if it is a measured channel, or cut the data where the input ends");
}

namespace {

Vector starting_point(const Structure& structure, const IdentifyOptions& options) {
  const auto* law = dynamic_cast<const ParametricStructure*>(&structure);
  if (law == nullptr)
    throw Error("only a law has constants to start from", "use --structure parametric:LAW");
  Vector constants = law->starting_constants();
  const auto names = law->parameter_names();
  for (const auto& [name, value] : options.start) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw Error(fmt::format("the law \"{}\" has no constant \"{}\"", law->law().name(), name),
                  fmt::format("it has {}", fmt::join(names, ", ")));
    const Index k = found - names.begin();
    const auto range = law->law().constants()[static_cast<std::size_t>(k)].range;
    if ((range == Constant::Range::positive && !(value > 0)) ||
        (range == Constant::Range::non_negative && !(value >= 0)) || !std::isfinite(value))
      throw Error(fmt::format("{} cannot start from {}", name, value));
    constants[k] = value;
  }
  return law->parameters_of(constants);
}

/// Ends the fit after `seconds`.
FitObserver with_limit(const FitObserver& inner, double seconds) {
  if (seconds <= 0) return inner;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  return [end, inner](const FitProgress& progress) {
    return std::chrono::steady_clock::now() < end && (!inner || inner(progress));
  };
}

EstimateOptions estimate_options(const IdentifyOptions& options) {
  EstimateOptions result;
  result.method = options.method;
  result.likelihood.estimate_starts = options.estimate_starts;
  result.likelihood.loss = options.loss;
  result.likelihood.observe = options.observe;
  result.likelihood.checkpoint = options.checkpoint;
  result.training.seed = options.seed;
  result.training.estimate_starts = options.estimate_starts;
  result.training.adam = options.adam;
  result.training.observe = options.observe;
  result.training.checkpoint = options.checkpoint;
  return result;
}

/// The kind of network to look for, by what was asked and by what channels measure; empty: none.
std::string network_asked(const IdentifyOptions& options) {
  const bool ruled = options.network.rules.any();
  if (options.custom_structure) return {};
  if (options.structure == "mechanical") return options.structure;
  if (options.structure == "network" || (options.structure == "auto" && ruled)) {
    const auto& kinds = options.network.kinds;
    const bool masses = std::find(kinds.begin(), kinds.end(), ChannelKind::position) != kinds.end();
    return masses ? "mechanical" : "network";
  }
  if (ruled)
    throw Error(
        fmt::format("the structure \"{}\" has no pairs to allow or forbid", options.structure),
        "use --structure network or mechanical");
  return {};
}

/// The chosen or given structure, fitted; `density` of a wiring that is not sparse.
Selection fit(const Dataset& data, const IdentifyOptions& options, std::optional<double>& density) {
  EstimateOptions settings = estimate_options(options);
  const std::string network = network_asked(options);
  if (!options.start.empty() && (!network.empty() || options.structure == "auto"))
    throw Error("only a law has constants to start from", "use --structure parametric:LAW");
  if (!network.empty()) {
    NetworkFit found = fit_network(data, network == "mechanical", options.network, settings);
    if (found.sparse) return {{}, std::move(found.estimate)};
    density = found.density;
    return select_structure(data, settings, {});
  }
  if (!options.custom_structure && options.structure == "auto")
    return select_structure(data, settings, options.network);
  const auto structure = options.custom_structure
                             ? options.custom_structure
                             : find_structure(options.structure, data.dimension());
  if (!options.start.empty()) settings.theta = starting_point(*structure, options);
  return {{}, estimate(data, structure, settings)};
}

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

double longest_duration(const Dataset& data) {
  double longest = 0;
  for (const auto& run : data.runs())
    longest = std::max(longest, run.times()[run.samples() - 1] - run.times()[0]);
  return longest;
}

/// σ of each channel from what the fit leaves over; unknowns take their share.
Vector channel_noise(const FitResiduals& residuals, double share) {
  // A channel at rest is as exact as the others are large.
  const double typical = residuals.power.mean();
  const Vector floor =
      1e-30 * residuals.power.unaryExpr([&](double p) { return p > 0 ? p : typical; });
  return (residuals.squares.cwiseMax(floor).array() / (share * residuals.count.array().max(1.0)))
      .sqrt();
}

/// How much wider errors are than under independent Gaussian noise with the best weights.
double error_factor(const FitResiduals& residuals, const IdentifyOptions& options) {
  constexpr double huber_efficiency = 0.95;
  return correlation_factor(residuals.correlation(), residuals.pairs) /
         (options.loss == Loss::huber ? std::sqrt(huber_efficiency) : 1.0);
}

/// The structure along which A may move, and where it stands: its own, but for metric, whose
/// generator moves as freely as a full one while its parameters have a gauge.
struct Tangent {
  std::shared_ptr<const Structure> structure;
  Vector theta;
};

/// The network that an estimate is, if it is one.
const NetworkStructure* network_of(const Estimate& found) {
  return dynamic_cast<const NetworkStructure*>(found.structure.get());
}

Tangent tangent_of(const Estimate& found) {
  if (found.structure->name() != "metric") return {found.structure, found.theta};
  const auto full = std::make_shared<FullStructure>(found.structure->dimension());
  return {full, full->project(found.generator)};
}

/// Standard errors by the information matrix, or mode by mode where that is too large; false where
/// neither is at hand.
bool add_errors(Model& model, const Estimate& found, const Dataset& data,
                const FitResiduals& residuals, const IdentifyOptions& options) {
  using Errors = IdentifyOptions::Errors;
  constexpr Index most_parameters = 800;
  if (options.errors == Errors::never || found.structure->parameters() == 0) return true;
  const double factor = error_factor(residuals, options);
  const double duration = longest_duration(data);
  const std::optional<Matrix> known =
      options.estimate_starts ? std::nullopt : std::optional(model.starts);
  if (const NetworkStructure* network = network_of(found)) {
    const Index p = network->parameters();
    const NetworkEvidence evidence =
        find_evidence(data, {*network, found.theta, model.a, model.fit.channel_noise, known}, {});
    set_errors(model.modes,
               pole_covariances(model.a, {evidence.information.topLeftCorner(p, p),
                                          evidence.directions.topRows(p * model.dimension())}),
               duration, factor);
    model.network = describe_network(*network, found.theta, model.channels, options.network.kinds,
                                     evidence, factor);
    return true;
  }
  const Tangent tangent = tangent_of(found);
  if (tangent.theta.size() <= most_parameters || options.errors == Errors::always) {
    const Information information =
        find_information(model.a, parameter_directions(*tangent.structure, tangent.theta), data,
                         model.fit.channel_noise, known);
    set_errors(model.modes, pole_covariances(model.a, information), duration, factor);
    return true;
  }
  if (tangent.structure->name() != "full") return false;
  set_errors(model.modes,
             pole_covariances_of_modes(model.a, model.starts, data, model.fit.channel_noise),
             duration, factor);
  return true;
}

/// The largest ratio, either way, between two estimates of the errors of modes that are determined.
double disagreement(const std::vector<Mode>& a, const std::vector<Mode>& b) {
  double largest = 1;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (!a[k].se || !b[k].se || !a[k].identifiable.value_or(true)) continue;
    for (const double ratio : {a[k].se->re / b[k].se->re, a[k].se->im / b[k].se->im})
      if (ratio > 0 && std::isfinite(ratio)) largest = std::max({largest, ratio, 1 / ratio});
  }
  return largest;
}

/// Standard errors by repeated fits to artificial data, and how much they differ from those before.
double add_bootstrap(Model& model, const Estimate& found, const Dataset& data,
                     const FitResiduals& residuals, const IdentifyOptions& options) {
  const std::vector<Mode> before = model.modes;
  const Tangent tangent = tangent_of(found);
  const ComplexMatrix poles = bootstrap_poles(
      *tangent.structure, tangent.theta, model.starts, data, model.fit.channel_noise,
      {options.bootstrap, options.seed, options.threads, options.estimate_starts, options.observe});
  constexpr Index fewest = 20;
  if (poles.cols() < fewest) return 1;
  set_errors(model.modes, covariances_of(poles), longest_duration(data),
             error_factor(residuals, options));
  model.fit.bootstrap = poles.cols();
  return disagreement(before, model.modes);
}

}  // namespace

Model identify(const Dataset& data, const IdentifyOptions& given) {
  const auto begin = std::chrono::steady_clock::now();
  check_data(data);
  IdentifyOptions options = given;
  options.observe = with_limit(given.observe, given.max_seconds);
  if (options.bootstrap != 0 && options.bootstrap < 20)
    throw Error("a bootstrap of fewer than 20 samples says nothing", "use --bootstrap 1000");
  if (!(options.confidence > 0 && options.confidence < 1))
    throw Error("the confidence is not between 0 and 1", "give a number such as 0.95");
  std::optional<Split> split;
  if (options.holdout != 0) split = split_in_time(data, options.holdout);
  const Dataset& training_data = split ? split->train : data;
  if (options.network.kinds.empty()) options.network.kinds = guess_kinds(data.channels());

  FitFacts facts;
  Selection selection = fit(training_data, options, facts.density);
  const Estimate& found = selection.estimate;

  Model model;
  model.version = version;
  model.structure = found.structure->name();
  model.method = found.method;
  model.channels = data.channels();
  model.time_unit = options.time_unit;
  model.a = found.generator;
  model.starts = found.starts;
  model.parameters = found.structure->named_values(found.theta);
  model.energy = found.structure->energy(found.theta);
  model.guarantee = found.structure->guarantee();
  model.candidates = std::move(selection.candidates);
  model.modes = find_modes(model.a, model.guarantee, model.time_unit);

  if (const NetworkStructure* network = network_of(found))
    model.network =
        describe_network(*network, found.theta, model.channels, options.network.kinds, {}, 1);
  const bool robust = options.loss == Loss::huber && found.noise.size() > 0;
  facts.residuals = find_residuals(model.a, model.starts, training_data,
                                   robust ? Vector(3 * found.noise) : Vector());
  facts.unknowns = found.structure->freedom() + (options.estimate_starts ? model.starts.size() : 0);
  facts.values = training_data.present();
  const double values = static_cast<double>(facts.values);
  const double freedom = std::max(1.0, values - static_cast<double>(facts.unknowns));
  model.fit.nrmse_train = facts.residuals.nrmse();
  model.fit.noise_sigma = std::sqrt(facts.residuals.sum_of_squares() / freedom);
  model.fit.channel_noise =
      robust ? found.noise : channel_noise(facts.residuals, std::max(0.05, freedom / values));
  model.fit.confidence = options.confidence;
  model.fit.interval = interval_factor(options.confidence, freedom);
  if (split) model.fit.nrmse_holdout = holdout_residuals(model.a, model.starts, *split).nrmse();
  model.fit.iterations = found.iterations;
  model.fit.converged = found.converged;
  model.data.runs = static_cast<Index>(data.runs().size());
  model.data.samples = data.samples();
  model.data.step = median_step(data);
  facts.evenly_sampled = evenly_sampled(data, model.data.step);
  // Without freedom the residuals say nothing about the noise.
  if (facts.values > facts.unknowns)
    facts.errors_skipped = !add_errors(model, found, training_data, facts.residuals, options);
  if (options.bootstrap > 0 && found.structure->parameters() > 0 && facts.values > facts.unknowns)
    facts.bootstrap_ratio = add_bootstrap(model, found, training_data, facts.residuals, options);
  model.warnings = find_warnings(model, facts);
  model.fit.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return model;
}

Matrix simulate(const Model& model, const Vector& x0, const Vector& times) {
  if (x0.size() != model.dimension())
    throw Error(
        fmt::format("x0 has {} values, the model has {} states", x0.size(), model.dimension()));
  return propagate(model.a, x0, times);
}

}  // namespace lgn
