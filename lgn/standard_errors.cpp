#include <algorithm>
#include <cmath>

#include "lgn/core/inverse_root.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/structures.h"
#include "lgn/dynamics/varying_law.h"
#include "lgn/identify/variation/variation.h"
#include "lgn/physics/bootstrap.h"
#include "lgn/physics/network_elements.h"
#include "lgn/physics/uncertainty.h"
#include "lgn/standard_errors_internal.h"

namespace lgn {
namespace {

/// Parameters up to which the information matrix is made without being asked for.
constexpr Index most_parameters = 800;

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

}  // namespace

bool add_errors(Model& model, const Estimate& found, const Dataset& data,
                const FitResiduals& residuals, const IdentifyOptions& options) {
  using Errors = IdentifyOptions::Errors;
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

bool add_errors(Model& model, const VaryingFit& found, const Dataset& data,
                const FitResiduals& residuals, const IdentifyOptions& options) {
  using Errors = IdentifyOptions::Errors;
  if (options.errors == Errors::never || found.theta.size() == 0) return true;
  if (found.theta.size() > most_parameters && options.errors != Errors::always) return false;
  const double factor = error_factor(residuals, options);
  const std::optional<Matrix> known =
      options.estimate_starts ? std::nullopt : std::optional(model.starts);
  VaryingFit even = found;
  even.factors.clear();  // what a robust loss costs is in the factor
  const Matrix information = varying_information(data, even, model.fit.channel_noise, known);
  const Matrix covariance = factor * factor * covariance_of(information);
  ModelVariation& variation = *model.variation;
  variation.errors = covariance.diagonal().cwiseSqrt();
  if (const auto* law = dynamic_cast<const VaryingParametric*>(found.structure.get()))
    variation.errors.array() *= law->constants().slopes(found.theta).array().abs();
  variation.course =
      find_course(*found.structure, found.theta, variation.begin, variation.end, covariance);
  const Matrix directions =
      mean_directions(*found.structure, found.theta, variation.begin, variation.end);
  set_errors(model.modes, pole_covariances(model.a, {information, directions}),
             longest_duration(data), factor);
  return true;
}

}  // namespace lgn
