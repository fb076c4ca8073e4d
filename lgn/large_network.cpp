#include "lgn/large_network.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/data/value_range.h"
#include "lgn/identify/fit_structure.h"
#include "lgn/identify/offset.h"
#include "lgn/identify/sparse/sparse_fit.h"
#include "lgn/version.h"

namespace lgn {
namespace {

/// What a user should know about the fit.
std::vector<Warning> warnings_of(const SparseFit& fit, const Model& about, double values) {
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
  if (about.fit.nrmse_train > poor)
    warnings.push_back(
        {"poor-fit", fmt::format("residuals are {:.0f}% of the signal: is the topology right?",
                                 100 * about.fit.nrmse_train)});
  if (fit.theta_errors.size() == 0)
    warnings.push_back({"errors-skipped",
                        "standard errors were not computed; use " + setting("errors", "always")});
  return warnings;
}

}  // namespace

LargeModel identify_large_network(const Dataset& given, const FitOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  check_options(options);
  check_value_range(given);
  FitOptions own = options;
  // The first pass over data of this size takes seconds.
  StopScope stop(options.max_seconds, {}, 5.0);
  own.observe = [&](const FitProgress& progress) {
    if (options.observe && !options.observe(progress)) stop.request();
    return !stop.requested();
  };
  if (own.network.kinds.empty()) own.network.kinds = guess_kinds(given.channels());
  const Vector centre = options.offset == Offset::given ? given_offset(options, given.dimension())
                                                        : Vector(Vector::Zero(given.dimension()));
  const Dataset data = options.offset == Offset::given ? given.less(centre) : given;
  if (amplitude(data) == 0)
    throw NotIdentified("every value is zero", "a system at rest shows nothing of its dynamics");
  SparseFit fit;
  try {
    fit = fit_on_topology(data, network_asked(own) == "mechanical", own);
  } catch (const Stopped& stopped) {
    throw NotIdentified(stopped.what(), "allow more with " + setting("max_seconds"));
  }
  LargeModel model{{}, fit.structure, fit.theta, fit.theta_errors};
  Model& about = model.about;
  about.version = version;
  about.structure = fit.structure->name();
  about.method = "mle";
  about.channels = data.channels();
  about.time_unit = options.time_unit;
  about.starts = fit.initial_states;
  about.offset = fit.offset;
  if (options.offset == Offset::given) {
    about.offset = centre;
    about.starts.colwise() += centre;
  }
  about.guarantee = fit.structure->guarantee();
  const double values = fit.count.sum();
  double power = 0;
  for (const auto& run : data.runs())
    power += run.states().array().isNaN().select(0.0, run.states().array()).square().sum();
  about.fit.nrmse_train = std::sqrt(fit.squares.sum() / power);
  about.fit.numbers_in_a = fit.theta.size();
  about.fit.channel_noise = fit.noise;
  about.fit.noise_sigma =
      std::sqrt(fit.squares.sum() / std::max(1.0, values - static_cast<double>(fit.unknowns)));
  about.fit.iterations = fit.iterations;
  about.fit.converged = fit.converged;
  about.data.runs = static_cast<Index>(data.runs().size());
  about.data.samples = data.samples();
  about.data.step = median_step(data);
  about.warnings = warnings_of(fit, about, values);
  about.fit.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return model;
}

}  // namespace lgn
