#include "lgn/identify/estimate.h"

#include <fmt/format.h>

#include <set>

#include "lgn/core/error.h"
#include "lgn/data/outliers.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/metric.h"
#include "lgn/dynamics/structures.h"
#include "lgn/identify/likelihood/stable_fit.h"
#include "lgn/identify/likelihood/starts.h"
#include "lgn/identify/regression/closed_form.h"
#include "lgn/identify/regression/reduction.h"
#include "lgn/identify/regression/step_map_start.h"

namespace lgn {
namespace {

bool has_closed_form(const Structure& structure) {
  static const std::set<std::string> names{"skew", "sd", "psd", "full"};
  return names.contains(structure.name());
}

Matrix regression_start(const Dataset& data, const Structure& structure) {
  if (has_closed_form(structure)) return closed_form(data, structure);
  return closed_form(data, FullStructure(data.dimension()));
}

Estimate by_closed_form(const Dataset& data, std::shared_ptr<const Structure> structure,
                        const EstimateOptions& options) {
  Estimate result;
  result.method = "closed-form";
  result.theta = structure->project(regression_start(data, *structure));
  result.generator = structure->generator(result.theta);
  result.starts = starts_of(result.generator, data, options.likelihood.estimate_starts);
  result.converged = true;
  result.structure = std::move(structure);
  return result;
}

Estimate by_training(const Dataset& data, std::shared_ptr<const Structure> structure,
                     const EstimateOptions& options) {
  TrainingOptions training = options.training;
  training.theta = options.theta;
  training.stage = options.likelihood.stage;
  Trained trained = train(data, *structure, training);
  return {std::move(structure),
          "adam",
          std::move(trained.theta),
          std::move(trained.generator),
          std::move(trained.starts),
          trained.iterations,
          trained.converged,
          trained.stopped,
          {}};
}

/// Regression on the differences of neighbours, at the middle of each step: crude, but there whenever
/// two complete samples follow one another.
Matrix midpoint_generator(const Dataset& data) {
  std::vector<Vector> middle, slope;
  for (const auto& run : data.runs())
    for (Index k = 1; k < run.samples(); ++k) {
      const Vector before = run.states().col(k - 1), after = run.states().col(k);
      if (before.array().isNaN().any() || after.array().isNaN().any()) continue;
      middle.emplace_back(0.5 * (before + after));
      slope.emplace_back((after - before) / (run.times()[k] - run.times()[k - 1]));
    }
  Regression regression{Matrix(data.dimension(), static_cast<Index>(middle.size())),
                        Matrix(data.dimension(), static_cast<Index>(middle.size()))};
  for (std::size_t k = 0; k < middle.size(); ++k) {
    regression.states.col(static_cast<Index>(k)) = middle[k];
    regression.derivatives.col(static_cast<Index>(k)) = slope[k];
  }
  if (middle.empty())
    throw NotIdentified("no two complete samples follow one another",
                        "measure all channels at the same times");
  return regress_full(regression);
}

/// Generators that regression suggests.
std::vector<Matrix> candidates(const Dataset& data, const Structure& structure,
                               const std::optional<Vector>& theta) {
  if (theta) return {structure.generator(*theta)};
  try {
    return {regression_start(data, structure)};
  } catch (const NotIdentified&) {
    auto generators = step_map_generators(data);
    generators.push_back(midpoint_generator(data));
    return generators;
  }
}

Estimate from(std::shared_ptr<const Structure> structure, MaximumLikelihood found) {
  return {std::move(structure),    "mle",
          std::move(found.theta),  std::move(found.generator),
          std::move(found.starts), found.iterations,
          found.converged,         found.stopped,
          std::move(found.noise)};
}

/// Maximum likelihood from every start at hand.
MaximumLikelihood search(const Dataset& data, const Structure& structure,
                         const EstimateOptions& options) {
  LikelihoodOptions settings = options.likelihood;
  auto generators = candidates(data, structure, options.theta);
  generators.insert(generators.end(), options.also.begin(), options.also.end());
  if (!options.theta) settings.fallback = [&] { return step_map_generators(data); };
  return maximum_likelihood(data, structure, generators, settings);
}

/// The unstructured generator: in the directions that the data show, where those are fewer.
MaximumLikelihood free_generator(const Dataset& data, const EstimateOptions& options) {
  const FullStructure full(data.dimension());
  std::optional<Reduction> reduction;
  if (full.parameters() > options.likelihood.dense_parameters && !options.theta)
    reduction = find_reduction(data);
  if (!reduction) return search(data, full, options);
  const Dataset reduced = reduction->reduced(data);
  EstimateOptions inner = options;
  inner.also.clear();
  inner.likelihood.sizes = Vector::Constant(reduced.dimension(), amplitude(reduced));
  MaximumLikelihood found = free_generator(reduced, inner);
  found.generator = reduction->lifted(found.generator);
  found.theta = full.project(found.generator);
  found.starts = reduction->sizes.asDiagonal() * reduction->basis * found.starts;
  found.noise.resize(0);  // that of directions says little about channels
  return found;
}

/// The optimum on the edge of stability, where the free one is just beyond and small enough for its
/// information matrix.
std::optional<Matrix> stable_version(const Dataset& data, const MaximumLikelihood& found,
                                     const LikelihoodOptions& options) {
  if (found.generator.size() > options.dense_parameters) return {};
  auto stable = stable_generator(
      data, found.generator, found.noise,
      options.estimate_starts ? std::nullopt : std::optional(measured_starts(data)));
  if (stable && !find_metric(*stable)) stable.reset();
  return stable;
}

Estimate by_likelihood(const Dataset& data, std::shared_ptr<const Structure> structure,
                       const EstimateOptions& options) {
  if (structure->name() == "full") return from(structure, free_generator(data, options));
  if (structure->name() != "metric") return from(structure, search(data, *structure, options));
  EstimateOptions free = options;
  if (options.theta) free.theta = structure->generator(*options.theta).reshaped();
  MaximumLikelihood found = free_generator(data, free);
  if (!found.stopped && !find_metric(found.generator)) {
    const auto stable = stable_version(data, found, options.likelihood);
    if (!stable) {
      LikelihoodOptions settings = options.likelihood;
      settings.stage += ", metric";
      return from(structure, maximum_likelihood(data, *structure, {found.generator}, settings));
    }
    found.generator = *stable;
    found.starts = starts_of(*stable, data, options.likelihood.estimate_starts);
  }
  found.theta = structure->project(found.generator);
  found.generator = structure->generator(found.theta);
  return from(structure, std::move(found));
}

}  // namespace

void check_method(const std::string& method) {
  static const std::set<std::string> methods{"auto", "closed-form", "mle", "adam"};
  if (!methods.contains(method))
    throw Error(fmt::format("unknown method \"{}\"", method),
                "methods are auto, closed-form, mle and adam");
}

bool too_large_for_likelihood(const Dataset& data) {
  constexpr double most_numbers = 2e8;  // it keeps K n² for K samples
  const double n = static_cast<double>(data.dimension());
  return static_cast<double>(data.samples()) * n * n > most_numbers;
}

Matrix starts_of(const Matrix& a, const Dataset& data, bool estimated) {
  return estimated ? fitted_starts(a, data) : measured_starts(data);
}

Estimate estimate(const Dataset& data, std::shared_ptr<const Structure> structure,
                  const EstimateOptions& given) {
  EstimateOptions options = given;
  if (structure->dimension() != data.dimension())
    throw Error("the structure and the data have different numbers of states");
  if (amplitude(data) == 0)
    throw NotIdentified("every value is zero", "a system at rest shows nothing of its dynamics");
  const std::string& method = options.method;
  check_method(method);
  if (method == "adam") return by_training(data, std::move(structure), options);
  if (method == "closed-form") {
    if (options.theta) throw Error("a closed form has no start", "use --method mle or adam");
    return by_closed_form(data, std::move(structure), options);
  }
  if (method == "auto" && too_large_for_likelihood(data))
    return by_closed_form(data, std::move(structure), options);
  if (options.likelihood.loss == Loss::huber && !options.theta) {
    // Outliers spoil every start, so that is found without what stands out.
    EstimateOptions first = options;
    first.likelihood.loss = Loss::squares;
    first.likelihood.stage += ", without outliers";
    const Estimate start = by_likelihood(without_outliers(data), structure, first);
    if (start.stopped) return start;
    options.theta = start.theta;
  }
  return by_likelihood(data, std::move(structure), options);
}

}  // namespace lgn
