#include "lgn/large_network_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/thread_limit.h"
#include "lgn/data/scales.h"
#include "lgn/identify/fit_structure.h"
#include "lgn/identify/offset.h"
#include "lgn/physics/decay_limits.h"
#include "lgn/physics/uncertainty.h"
#include "lgn/version.h"

namespace lgn {
namespace {

/// Names of the first of these channels.
std::string first_names(const std::vector<Index>& which, const Dataset& data) {
  constexpr std::size_t most = 8;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < std::min(most, which.size()); ++k)
    names.push_back(data.channels()[at(which[k])]);
  return fmt::format("{}{}", fmt::join(names, ", "), which.size() > most ? ", …" : "");
}

/// What is said of a topology that was found.
void add_warnings_of_topology(Model& model, const SparseNetworkFit& found, const Dataset& data) {
  if (!found.silent.empty())
    model.warnings.push_back(
        {"undetermined",
         fmt::format("{} of {} channels move no more than their noise, so that what couples with "
                     "them is not determined: {}; excite them too",
                     found.silent.size(), data.dimension(), first_names(found.silent, data))});
  if (!found.unexplained.empty())
    model.warnings.push_back(
        {"topology-incomplete",
         fmt::format("residuals of {} channels are more than noise: elements may be missing at {}; "
                     "measure more runs",
                     found.unexplained.size(), first_names(found.unexplained, data))});
}

/// What a user should know about the fit.
std::vector<Warning> warnings_of(const SparseFit& fit, const Model& model, double values) {
  std::vector<Warning> warnings;
  if (fit.stopped)
    warnings.push_back(
        {"stopped", "the fit was ended early; allow more with " + setting("max_seconds")});
  else if (!fit.converged)
    warnings.push_back(
        {"not-converged",
         "a further step would still change the fit; values are less certain than the data allow"});
  if (static_cast<double>(fit.unknowns) > values)
    warnings.push_back(
        {"underdetermined", fmt::format("{} unknowns and {} values: measure longer or more runs",
                                        fit.unknowns, values)});
  constexpr double poor = 0.3;
  if (model.fit.nrmse_train > poor)
    warnings.push_back(
        {"poor-fit", fmt::format("residuals are {:.0f}% of the signal: is the topology right?",
                                 100 * model.fit.nrmse_train)});
  if (fit.theta_errors.size() == 0)
    warnings.push_back({"errors-skipped",
                        "standard errors were not computed; use " + setting("errors", "always")});
  return warnings;
}

}  // namespace

Model identify_large_network(const Dataset& given, const FitOptions& options) {
  if (options.checkpoint != nullptr)
    throw Error("a fit on a sparse generator keeps no checkpoints",
                "leave out " + setting("checkpoint") + ", or use " + setting("engine", "dense") +
                    " for a few hundred states");
  // Threads share the rows of sparse products.
  const ThreadLimit one(1);
  const Vector centre = options.offset == Offset::given ? given_offset(options, given.dimension())
                                                        : Vector(Vector::Zero(given.dimension()));
  const Dataset data = options.offset == Offset::given ? given.less(centre) : given;
  if (amplitude(data) == 0)
    throw NotIdentified("every value is zero", "a system at rest shows nothing of its dynamics");
  const bool mechanical = network_asked(options) == "mechanical";
  const bool known = !options.network.rules.pattern.empty();
  const SparseNetworkFit found = known
                                     ? SparseNetworkFit{fit_on_topology(data, mechanical, options)}
                                     : fit_large_network(data, mechanical, options);
  double power = 0;
  for (const auto& run : data.runs())
    power += run.states().array().isNaN().select(0.0, run.states().array()).square().sum();
  Model model = large_model(
      found.fit,
      {data.channels(), static_cast<Index>(data.runs().size()), data.samples(), median_step(data),
       longest_duration(data), power, options.offset == Offset::given ? centre : Vector()},
      options);
  if (!known) add_warnings_of_topology(model, found, data);
  return model;
}

Model large_model(const SparseFit& fit, const LargeData& data, const FitOptions& options) {
  Model model;
  model.version = version;
  model.structure = fit.structure->name();
  model.method = "mle";
  model.channels = data.channels;
  model.time_unit = options.time_unit;
  model.sparse = ModelSparse{fit.structure, fit.theta, fit.theta_errors};
  model.starts = fit.initial_states;
  model.offset = fit.offset;
  if (data.offset.size() > 0) {
    model.offset = data.offset;
    model.starts.colwise() += data.offset;
  }
  model.guarantee = fit.structure->guarantee();
  const double values = fit.count.sum();
  model.fit.nrmse_train = std::sqrt(fit.squares.sum() / data.power);
  model.fit.numbers_in_a = fit.theta.size();
  model.fit.channel_noise = fit.noise;
  const double freedom = std::max(1.0, values - static_cast<double>(fit.unknowns));
  model.fit.noise_sigma = std::sqrt(fit.squares.sum() / freedom);
  model.fit.confidence = options.confidence;
  model.fit.interval = interval_factor(options.confidence, freedom);
  model.fit.iterations = fit.iterations;
  model.fit.converged = fit.converged;
  for (Index k = 0; k < fit.poles.system.values.size(); ++k) {
    model.modes.push_back(mode_at(fit.poles.system.values[k], model.guarantee, model.time_unit));
    set_vectors(model.modes.back(), fit.poles.system.right.col(k), fit.poles.system.left.col(k));
  }
  set_errors(model.modes, fit.poles.covariances, data.longest, 1);
  model.modes = with_conjugates(model.modes);
  limit_unresolved_decays(model.modes, options.confidence);
  model.data.runs = data.runs;
  model.data.samples = data.samples;
  model.data.step = data.step;
  model.warnings = warnings_of(fit, model, values);
  return model;
}

}  // namespace lgn
