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
#include "lgn/identify/likelihood/starts.h"
#include "lgn/identify/residuals.h"
#include "lgn/identify/selection.h"
#include "lgn/model/warnings.h"
#include "lgn/physics/network_elements.h"
#include "lgn/physics/uncertainty.h"
#include "lgn/standard_errors_internal.h"
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

Vector starting_point(const Constants& law, const std::string& law_name,
                      const IdentifyOptions& options) {
  Vector constants = law.starting_values();
  const auto names = law.names();
  for (const auto& [name, value] : options.start) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw Error(fmt::format("the law \"{}\" has no constant \"{}\"", law_name, name),
                  fmt::format("it has {}", fmt::join(names, ", ")));
    const Index k = found - names.begin();
    const auto range = law.list()[static_cast<std::size_t>(k)].range;
    if ((range == Constant::Range::positive && !(value > 0)) ||
        (range == Constant::Range::non_negative && !(value >= 0)) ||
        (range == Constant::Range::below_one && !(std::abs(value) < 1)) || !std::isfinite(value))
      throw Error(fmt::format("{} cannot start from {}", name, value));
    constants[k] = value;
  }
  return law.parameters(constants);
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

/// A structure that varies in time, fitted.
VaryingFit fit_variation(const Dataset& data, const IdentifyOptions& options) {
  VaryingEstimateOptions settings;
  settings.basis = options.basis;
  settings.magnus = options.magnus;
  settings.estimate = estimate_options(options);
  std::shared_ptr<const VaryingParametric> law = options.custom_law;
  if (!law && options.structure.find("parametric") != std::string::npos)
    law = find_varying_parametric(options.structure, data.dimension());
  if (!options.start.empty() && !law)
    throw Error("only a law has constants to start from", "use --structure parametric:LAW");
  if (!law) return estimate_varying(data, options.structure, settings);
  if (!options.start.empty())
    settings.theta = starting_point(law->constants(), law->law().name(), options);
  return estimate_varying(data, law, settings);
}

/// The chosen or given structure, fitted; `density` of a wiring that is not sparse.
Selection fit(const Dataset& data, const IdentifyOptions& options, std::optional<double>& density) {
  EstimateOptions settings = estimate_options(options);
  const bool varies =
      options.custom_law || (!options.custom_structure && varies_in_time(options.structure));
  if (varies) return {{}, {}, fit_variation(data, options)};
  if (options.basis != "auto")
    throw Error(fmt::format("the structure \"{}\" does not vary in time", options.structure),
                "use --basis with --structure ltv-sd or ltv-full");
  const std::string network = network_asked(options);
  if (!options.start.empty() && (!network.empty() || options.structure == "auto"))
    throw Error("only a law has constants to start from", "use --structure parametric:LAW");
  if (!network.empty()) {
    NetworkFit found = fit_network(data, network == "mechanical", options.network, settings);
    if (found.sparse) return {{}, std::move(found.estimate), {}};
    density = found.density;
    return select_structure(data, settings, {});
  }
  if (!options.custom_structure && options.structure == "auto")
    return select_structure(data, settings, options.network);
  const auto structure = options.custom_structure
                             ? options.custom_structure
                             : find_structure(options.structure, data.dimension());
  if (!options.start.empty()) {
    const auto* law = dynamic_cast<const ParametricStructure*>(structure.get());
    if (law == nullptr)
      throw Error("only a law has constants to start from", "use --structure parametric:LAW");
    settings.theta = starting_point(law->constant_list(), law->law().name(), options);
  }
  return {{}, estimate(data, structure, settings), {}};
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

/// σ of each channel from what the fit leaves over; unknowns take their share.
Vector channel_noise(const FitResiduals& residuals, double share) {
  // A channel at rest is as exact as the others are large.
  const double typical = residuals.power.mean();
  const Vector floor =
      1e-30 * residuals.power.unaryExpr([&](double p) { return p > 0 ? p : typical; });
  return (residuals.squares.cwiseMax(floor).array() / (share * residuals.count.array().max(1.0)))
      .sqrt();
}

/// What an estimate says of a constant generator.
void describe(Model& model, const Estimate& found, const IdentifyOptions& options) {
  model.structure = found.structure->name();
  model.method = found.method;
  model.a = found.generator;
  model.starts = found.starts;
  model.parameters = found.structure->named_values(found.theta);
  model.energy = found.structure->energy(found.theta);
  model.guarantee = found.structure->guarantee();
  if (const auto* network = dynamic_cast<const NetworkStructure*>(found.structure.get()))
    model.network =
        describe_network(*network, found.theta, model.channels, options.network.kinds, {}, 1);
}

/// The same of one that varies.
void describe(Model& model, const VaryingFit& found, const Dataset& data) {
  const VaryingStructure& structure = *found.structure;
  const auto [begin, end] = time_span(data);
  model.structure = structure.name();
  model.method = found.method;
  model.a = mean_generator(structure, found.theta, begin, end);
  model.starts = found.starts;
  model.parameters = structure.named_values(found.theta);
  model.energy = structure.energy(found.theta);
  model.guarantee = structure.guarantee();
  model.variation = describe_variation(found.structure, found.theta, begin, end, found.magnus);
  model.variation->start_times.resize(static_cast<Index>(data.runs().size()));
  for (std::size_t r = 0; r < data.runs().size(); ++r)
    model.variation->start_times[static_cast<Index>(r)] = data.runs()[r].times()[0];
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
  const std::optional<VaryingFit>& varying = selection.varying;

  Model model;
  model.version = version;
  model.channels = data.channels();
  model.time_unit = options.time_unit;
  model.candidates = std::move(selection.candidates);
  if (varying)
    describe(model, *varying, training_data);
  else
    describe(model, found, options);
  model.modes = find_modes(model.a, model.guarantee, model.time_unit);

  const Vector& noise = varying ? varying->noise : found.noise;
  const Index parameters = varying ? varying->theta.size() : found.structure->freedom();
  const Propagator flow = [&](const Vector& x0, const Vector& times) {
    return model.propagate(x0, times);
  };
  const bool robust = options.loss == Loss::huber && noise.size() > 0;
  facts.residuals =
      find_flow_residuals(flow, model.starts, training_data, robust ? Vector(3 * noise) : Vector());
  facts.unknowns = parameters + (options.estimate_starts ? model.starts.size() : 0);
  facts.values = training_data.present();
  const double values = static_cast<double>(facts.values);
  const double freedom = std::max(1.0, values - static_cast<double>(facts.unknowns));
  model.fit.nrmse_train = facts.residuals.nrmse();
  model.fit.numbers_in_a = parameters;
  model.fit.noise_sigma = std::sqrt(facts.residuals.sum_of_squares() / freedom);
  model.fit.channel_noise =
      robust ? noise : channel_noise(facts.residuals, std::max(0.05, freedom / values));
  model.fit.confidence = options.confidence;
  model.fit.interval = interval_factor(options.confidence, freedom);
  model.fit.holdout = options.holdout;
  if (split) model.fit.nrmse_holdout = holdout_flow_residuals(flow, model.starts, *split).nrmse();
  model.fit.iterations = varying ? varying->iterations : found.iterations;
  model.fit.converged = varying ? varying->converged : found.converged;
  model.data.runs = static_cast<Index>(data.runs().size());
  model.data.samples = data.samples();
  model.data.step = median_step(data);
  facts.evenly_sampled = evenly_sampled(data, model.data.step);
  // Without freedom the residuals say nothing about the noise.
  if (facts.values > facts.unknowns)
    facts.errors_skipped =
        !(varying ? add_errors(model, *varying, training_data, facts.residuals, options)
                  : add_errors(model, found, training_data, facts.residuals, options));
  facts.bootstrap_skipped = options.bootstrap > 0 && varying;
  if (options.bootstrap > 0 && !varying && parameters > 0 && facts.values > facts.unknowns)
    facts.bootstrap_ratio = add_bootstrap(model, found, training_data, facts.residuals, options);
  model.warnings = find_warnings(model, facts);
  model.fit.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return model;
}

Matrix fitted_starts(const Model& model, const Dataset& data) {
  if (!model.variation) return fitted_starts(model.a, data);
  const ModelVariation& variation = *model.variation;
  return varying_starts(data, *variation.structure, variation.theta, variation.magnus);
}

Model model_on(const Model& model, const Dataset& data) {
  Model other = model;
  other.starts = fitted_starts(model, data);
  other.fit.holdout = 0;
  return other;
}

Matrix simulate(const Model& model, const Vector& x0, const Vector& times) {
  if (x0.size() != model.dimension())
    throw Error(
        fmt::format("x0 has {} values, the model has {} states", x0.size(), model.dimension()));
  return model.propagate(x0, times);
}

}  // namespace lgn
