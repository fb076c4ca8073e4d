#include "lgn/identify.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <numbers>

#include "lgn/core/error.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/parametric.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify/closed_form.h"
#include "lgn/identify/starts.h"
#include "lgn/identify/trajectory_loss.h"
#include "lgn/physics/residuals.h"
#include "lgn/report/tables.h"
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

/// Stops training after `seconds`.
TrainingOptions with_limit(TrainingOptions training, double seconds) {
  if (seconds <= 0) return training;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  training.observe = [end, inner = training.observe](const TrainingProgress& progress) {
    return std::chrono::steady_clock::now() < end && (!inner || inner(progress));
  };
  return training;
}

Trained estimate(const Dataset& data, const Structure& structure, const IdentifyOptions& options) {
  if (options.method == "closed-form") {
    if (!options.start.empty()) throw Error("a closed form has no start", "use --method adam");
    const Matrix a = closed_form(data, structure);
    return {structure.project(a), a,
            options.training.estimate_starts ? fitted_starts(a, data) : measured_starts(data), 0,
            true};
  }
  if (options.method != "adam")
    throw Error(fmt::format("unknown method \"{}\"", options.method),
                "methods are adam and closed-form");
  TrainingOptions training = with_limit(options.training, options.max_seconds);
  if (!options.start.empty()) training.theta = starting_point(structure, options);
  return train(data, structure, training);
}

std::vector<Warning> find_warnings(const Model& model, const FitResiduals& residuals,
                                   Index unknowns, Index values) {
  std::vector<Warning> warnings;
  if (unknowns > values)
    warnings.push_back(
        {"underdetermined",
         fmt::format("{} values cannot determine {} unknowns: other models fit as well; measure "
                     "more samples or runs, or use fewer channels",
                     values, unknowns)});
  if (!model.fit.converged)
    warnings.push_back(
        {"not-converged",
         "training ended before it converged: these are the best values so far; allow more with "
         "--epochs or --max-seconds"});
  // Residuals of a right model are noise, and neighbours in noise do not resemble one another.
  if (residuals.correlation > 0.5 && model.fit.nrmse_train > 1e-3) {
    const char* remedy =
        model.structure == "full"
            ? "a linear system in these channels alone does not explain it; look at the report"
            : "try --structure full; a model has one state per channel, so each oscillation needs two";
    warnings.push_back(
        {"poor-fit",
         fmt::format(
             "{:.3g}% of the signal is left over and is not noise (neighbouring residuals correlate by {:.2f}): {}",
             100 * model.fit.nrmse_train, residuals.correlation, remedy)});
  }
  double fastest = 0;
  bool grows = false;
  for (const auto& mode : model.modes) {
    fastest = std::max(fastest, std::abs(mode.pole.imag()));
    grows = grows || mode.pole.real() > 1e-9 * mode.natural_frequency;
  }
  if (fastest * model.data.step > 0.8 * std::numbers::pi)
    warnings.push_back(
        {"aliasing",
         fmt::format(
             "the fastest mode turns {:.2f} times between samples; frequencies above {:.4g} {} cannot be told from lower ones: sample faster",
             fastest * model.data.step / (2 * std::numbers::pi),
             0.5 / model.data.step / seconds_in(model.time_unit).value_or(1.0),
             frequency_unit(model))});
  if (grows)
    warnings.push_back(
        {"unstable",
         "a mode grows without bound: if the real system cannot, use --structure sd or psd"});
  for (const auto& mode : model.modes)
    if (mode.condition > 1e6) {
      warnings.push_back(
          {"ill-conditioned-poles",
           fmt::format(
               "the pole {:.5g}{:+.5g}i and its neighbours are nearly one repeated pole (condition {:.1g}): only their mean is certain",
               mode.pole.real(), mode.pole.imag(), mode.condition)});
      break;
    }
  return warnings;
}

}  // namespace

Model identify(const Dataset& data, const IdentifyOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  check_data(data);
  const auto structure = options.custom_structure
                             ? options.custom_structure
                             : find_structure(options.structure, data.dimension());
  std::optional<Split> split;
  if (options.holdout != 0) split = split_in_time(data, options.holdout);
  const Dataset& training_data = split ? split->train : data;

  const Trained trained = estimate(training_data, *structure, options);

  Model model;
  model.version = version;
  model.structure = structure->name();
  model.method = options.method;
  model.channels = data.channels();
  model.time_unit = options.time_unit;
  model.a = trained.generator;
  model.starts = trained.starts;
  model.parameters = structure->named_values(trained.theta);
  model.energy = structure->energy(trained.theta);
  model.guarantee = structure->guarantee();
  model.modes = find_modes(model.a, model.guarantee, model.time_unit);
  const FitResiduals residuals = find_residuals(model.a, model.starts, training_data);
  model.fit.nrmse_train = residuals.nrmse;
  const Index unknowns =
      structure->parameters() + (options.training.estimate_starts ? model.starts.size() : 0);
  const double freedom =
      static_cast<double>(std::max<Index>(training_data.present() - unknowns, 1));
  model.fit.noise_sigma = std::sqrt(residuals.sum_of_squares / freedom);
  if (split) model.fit.nrmse_holdout = holdout_nrmse(model.a, model.starts, *split);
  model.fit.iterations = trained.iterations;
  model.fit.converged = trained.converged;
  model.data.runs = static_cast<Index>(data.runs().size());
  model.data.samples = data.samples();
  model.data.step = median_step(data);
  model.warnings = find_warnings(model, residuals, unknowns, training_data.present());
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
