#include "lgn/identify/estimate.h"

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/outliers.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/metric.h"
#include "lgn/dynamics/structures.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/likelihood/modal_search.h"
#include "lgn/identify/likelihood/stable_fit.h"
#include "lgn/identify/regression/reduction.h"
#include "lgn/identify/regression/regression_start.h"
#include "lgn/identify/regression/step_map_start.h"
#include "lgn/identify/residuals.h"
#include "lgn/identify/training/training.h"

namespace lgn {
namespace {

/// The fit with this generator. The initial states are first samples where there is no time for better ones.
Fit of_generator(const Dataset& data, const std::shared_ptr<const ConstantStructure>& structure,
                 const Matrix& generator, const FitOptions& options) {
  Fit result{structure, "closed-form", structure->project(generator)};
  try {
    result.initial_states =
        initial_states_of(*structure, result.theta, data, options.estimate_initial_states);
    result.converged = true;
  } catch (const Stopped&) {
    result.initial_states = measured_initial_states(data);
    result.stopped = true;
  }
  return result;
}

Fit by_closed_form(const Dataset& data, std::shared_ptr<const ConstantStructure> structure,
                   const FitOptions& options) {
  return of_generator(data, structure, regression_generator(data, *structure), options);
}

/// Maximum likelihood from every start at hand.
Fit search(const Dataset& data, const std::shared_ptr<const ConstantStructure>& structure,
           const FitOptions& options, const EstimateStart& start) {
  LikelihoodStart places{.theta = {}, .fallback = {}, .sizes = start.sizes};
  std::optional<Matrix> regressed;
  if (start.theta) {
    places.theta.push_back(*start.theta);
  } else {
    const auto generators = regression_generators(data, *structure);
    regressed = generators.front();
    places.theta = projected(*structure, generators);
    places.fallback = [&] { return projected(*structure, step_map_generators(data)); };
  }
  const auto also = projected(*structure, start.generators);
  places.theta.insert(places.theta.end(), also.begin(), also.end());
  try {
    return maximum_likelihood(data, structure, places, options);
  } catch (const Stopped&) {
    // Not even the misfit of the starts is known.
    if (!regressed && start.generators.empty()) throw;
    Fit result =
        of_generator(data, structure, regressed ? *regressed : start.generators.front(), options);
    result.stopped = true;
    result.converged = false;
    return result;
  }
}

/// The modes of a generator.
ModeGuess modes_of(const Matrix& generator) {
  const Eigensystem system = eigensystem(generator);
  return {system.values, system.right};
}

/// A generator of many states by its modes: from those of the step map and of the generators given or, where there are none, of
/// the regression. Nothing where that leads nowhere.
std::optional<Fit> by_modes(const Dataset& data, const FitOptions& options,
                            const EstimateStart& start, const std::optional<StepMapModes>& shown,
                            bool stable) {
  std::vector<ModeGuess> guesses;
  for (const Matrix& generator : start.generators) guesses.push_back(modes_of(generator));
  if (shown) guesses.push_back({shown->poles, shown->shapes});
  if (guesses.empty())
    guesses.push_back(
        modes_of(regression_generators(data, FullStructure(data.dimension())).front()));
  const Vector sizes = start.sizes.size() > 0 ? start.sizes : channel_amplitudes(data);
  return modal_search(data, guesses, sizes, stable, options);
}

/// A generator without structure, and whether it was found by its modes.
struct FreeFit {
  Fit fit;
  bool by_modes = false;
};

/// In the directions that the data show, where those are fewer; there modes are decays that hardly differ, and entries of A are
/// fitted. A stable one where that is asked for and costs nothing.
FreeFit free_generator(const Dataset& data, const FitOptions& options, const EstimateStart& start,
                       bool stable = false, bool is_reduced = false) {
  const auto full = std::make_shared<const FullStructure>(data.dimension());
  std::optional<Reduction> reduction;
  const bool large = full->parameters() > options.dense_parameters && !start.theta;
  const bool modal = large && !is_reduced && suits_modal_search(data, options);
  std::optional<StepMapModes> shown;
  if (modal) shown = step_map_modes(data);
  // Singular values that lie on a plateau are noise only where they do not go on from sample to sample, and modes that leave
  // only rounding have nothing beside them.
  const bool all_show = shown && shown->poles.size() == data.dimension();
  if (large && !all_show && !(shown && explained_by_modes(data, {shown->poles, shown->shapes})))
    reduction = find_reduction(data);
  if (modal && !reduction)
    if (auto found = by_modes(data, options, start, shown, stable))
      return {std::move(*found), true};
  if (!reduction) return {search(data, full, options, start)};
  const Dataset reduced = reduction->reduced(data);
  Fit found = free_generator(reduced, options,
                             {.theta = {},
                              .generators = {},
                              .sizes = Vector::Constant(reduced.dimension(), amplitude(reduced))},
                             false, true)
                  .fit;
  found.theta = full->project(reduction->lifted(found.generator()));
  found.structure = full;
  const auto lifted = reduction->sizes.asDiagonal() * reduction->basis;
  found.initial_states = lifted * found.initial_states;
  if (found.offset.size() > 0) found.offset = lifted * found.offset;
  found.noise.resize(0);  // that of directions says little about channels
  return {std::move(found)};
}

/// The optimum on the edge of stability, where the free one is just beyond and small enough for its
/// information matrix.
std::optional<Matrix> stable_version(const Dataset& data, const Fit& found,
                                     const FitOptions& options) {
  const Matrix a = found.generator();
  if (a.size() > options.dense_parameters) return {};
  auto stable = stable_generator(data, a, found.noise, problem_options(data, options));
  if (stable && !find_metric(*stable)) stable.reset();
  return stable;
}

/// Whether the first leaves more of the data than rounding, and ten times what the second leaves.
bool loses_digits(const Fit& one, const Fit& other, const Dataset& data) {
  constexpr double rounding = 1e-10, more = 10;
  const double left = find_residuals(one, data).nrmse();
  return left > rounding && left > more * find_residuals(other, data).nrmse();
}

/// A stable generator: the free one, with the metric that certifies it.
Fit certified(const Dataset& data, const std::shared_ptr<const ConstantStructure>& structure,
              const FitOptions& options, const EstimateStart& start) {
  EstimateStart free = start;
  if (start.theta) free.theta = structure->generator(*start.theta).reshaped();
  FreeFit fitted = free_generator(data, options, free, true);
  Fit& found = fitted.fit;
  Matrix a = found.generator();
  std::optional<Fit> on_the_edge;
  bool uncertified = false;
  const auto stabilise = [&] {
    if (find_metric(a)) return;
    // Where structures are chosen among, many states stay as they are: the search for a generator that rounding lets an
    // energy certify takes minutes, and this one is as stable as can be told.
    uncertified = fitted.by_modes && options.structure == "auto";
    if (found.stopped || uncertified) return;
    const auto stable = options.driven ? std::nullopt : stable_version(data, found, options);
    if (!stable) {
      on_the_edge = maximum_likelihood(data, structure, {.theta = {structure->project(a)}},
                                       options.in_stage("metric"));
      return;
    }
    found.initial_states = initial_states_of(FullStructure(a.rows()), stable->reshaped(), data,
                                             options.estimate_initial_states, {}, {}, found.offset);
    a = *stable;
  };
  if (!unless_stopped(stabilise)) {
    found.stopped = true;
    found.converged = false;
  }
  if (on_the_edge) return *on_the_edge;
  if (uncertified) return found;
  Fit certain = found;
  certain.theta = structure->project(a);
  certain.structure = structure;
  // An energy of slow modes beside fast ones is nearly singular: its rounding then shows where the data have no noise.
  if (fitted.by_modes && options.structure == "auto" && loses_digits(certain, found, data))
    return found;
  return certain;
}

Fit by_likelihood(const Dataset& data, const std::shared_ptr<const ConstantStructure>& structure,
                  const FitOptions& options, const EstimateStart& start) {
  if (structure->name() == "full") return free_generator(data, options, start).fit;
  if (structure->name() == "metric") return certified(data, structure, options, start);
  return search(data, structure, options, start);
}

}  // namespace

bool too_large_for_likelihood(const Dataset& data) {
  constexpr double most_numbers = 2e8;  // it keeps K n² for K samples
  const double n = static_cast<double>(data.dimension());
  return static_cast<double>(data.samples()) * n * n > most_numbers;
}

Matrix initial_states_of(const Structure& structure, const Vector& theta, const Dataset& data,
                         bool estimated, const Vector& noise, const MagnusOptions& magnus,
                         const Vector& offset) {
  if (!estimated) return measured_initial_states(data);
  const Vector sizes = noise.size() > 0          ? noise
                       : structure.common_unit() ? Vector::Ones(data.dimension()).eval()
                                                 : channel_amplitudes(data);
  Matrix result =
      Problem(data, structure, sizes, {.initial_states = {}, .offset = offset, .magnus = magnus})
          .initial_states(theta);
  if (offset.size() > 0 && structure.measures_states()) result.colwise() += offset;
  return result;
}

Fit estimate(const Dataset& data, std::shared_ptr<const ConstantStructure> structure,
             const FitOptions& options, const EstimateStart& start) {
  if (structure->dimension() != data.dimension())
    throw Error("the structure and the data have different numbers of states");
  if (amplitude(data) == 0)
    throw NotIdentified("every value is zero", "a system at rest shows nothing of its dynamics");
  if (options.method == Method::adam)
    return train(data, std::move(structure), options, start.theta);
  if (options.method == Method::closed_form) {
    if (start.theta)
      throw Error("a closed form takes no initial guess",
                  "use " + setting("method", "mle") + " or " + setting("method", "adam"));
    return by_closed_form(data, std::move(structure), options);
  }
  const bool free = structure->name() == "full" || structure->name() == "metric";
  const bool by_modes = free && data.dimension() * data.dimension() > options.dense_parameters &&
                        suits_modal_search(data, options);
  if (options.method == Method::automatic && !by_modes && too_large_for_likelihood(data))
    return by_closed_form(data, std::move(structure), options);
  if (!options.robust() || start.theta) return by_likelihood(data, structure, options, start);
  // Outliers spoil every start, so that is found without what stands out.
  FitOptions first = options.in_stage("without outliers");
  first.loss = Loss::squares;
  Fit found = by_likelihood(without_outliers(data), structure, first, start);
  if (found.stopped) return found;
  EstimateStart from = start;
  from.theta = found.theta;
  if (unless_stopped([&] { found = by_likelihood(data, structure, options, from); })) return found;
  found.stopped = true;
  found.converged = false;
  return found;
}

}  // namespace lgn
