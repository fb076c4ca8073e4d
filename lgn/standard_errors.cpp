#include <algorithm>
#include <cmath>

#include "lgn/core/inverse_root.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/structures.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/offset.h"
#include "lgn/physics/bootstrap.h"
#include "lgn/physics/network_elements.h"
#include "lgn/physics/uncertainty.h"
#include "lgn/standard_errors_internal.h"

namespace lgn {
namespace {

/// Parameters up to which the information matrix is made without being asked for.
constexpr Index most_parameters = 800;

/// How much wider errors are than under independent Gaussian noise with the best weights.
double error_factor(const FitResiduals& residuals, const FitOptions& options) {
  constexpr double huber_efficiency = 0.95;
  return correlation_factor(residuals.correlation(), residuals.pairs) /
         (options.loss == Loss::huber ? std::sqrt(huber_efficiency) : 1.0);
}

/// The fit as that of a structure whose parameters all show in A: its own, but for metric, whose
/// generator moves as freely as a full one while its parameters have a gauge.
Fit without_gauge(const Fit& fit) {
  if (fit.structure->name() != "metric") return fit;
  Fit free = fit;
  free.structure = std::make_shared<FullStructure>(fit.structure->dimension());
  free.theta = fit.generator().reshaped();
  return free;
}

/// Errors of what a model says besides its modes, from the covariance of θ.
void set_covariance(Model& model, const Matrix& covariance) {
  if (covariance.rows() == model.theta.size()) model.covariance = covariance;
  if (model.variation) model.variation->set_covariance(covariance);
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

bool add_errors(Model& model, const Fit& fit, const Dataset& data, const FitResiduals& residuals,
                const FitOptions& options) {
  if (options.errors == Errors::never || fit.theta.size() == 0) return true;
  const double factor = error_factor(residuals, options), duration = longest_duration(data);
  const ProblemOptions how = problem_options(fit, options.estimate_initial_states);
  const Vector& noise = model.fit.channel_noise;
  if (fit.offset.size() > 0)
    model.offset_errors =
        factor * offset_covariance(without_gauge(fit), data, noise, options.estimate_initial_states)
                     .diagonal()
                     .cwiseSqrt();
  if (const NetworkStructure* network = fit.structure->network()) {
    const Index p = network->parameters();
    const NetworkEvidence evidence = find_evidence(data, {*network, fit.theta, noise, how}, {});
    const Matrix information = evidence.information.topLeftCorner(p, p);
    set_errors(model.modes,
               pole_covariances(model.a,
                                {information, evidence.directions.topRows(p * model.dimension())}),
               duration, factor);
    model.network = describe_network(*network, fit.theta, model.channels, options.network.kinds,
                                     evidence, factor);
    model.covariance = factor * factor * covariance_of(information);
    return true;
  }
  const Fit free = without_gauge(fit);
  if (free.theta.size() <= most_parameters || options.errors == Errors::always) {
    const Matrix information = information_matrix(data, *free.structure, free.theta, noise, how);
    const auto [begin, end] = time_span(data);
    set_errors(model.modes,
               pole_covariances(model.a, {information, mean_directions(*free.structure, free.theta,
                                                                       begin, end)}),
               duration, factor);
    set_covariance(model, factor * factor * covariance_of(information));
    return true;
  }
  if (free.structure->name() != "full") return false;
  const Matrix about_rest = fit.offset.size() > 0
                                ? Matrix(fit.initial_states.colwise() - fit.offset)
                                : fit.initial_states;
  set_errors(model.modes, pole_covariances_of_modes(model.a, about_rest, data, noise), duration,
             factor);
  return true;
}

double add_bootstrap(Model& model, const Fit& fit, const Dataset& data,
                     const FitResiduals& residuals, const FitOptions& options) {
  if (options.bootstrap == 0 || fit.theta.size() == 0) return 1;
  const Fit free = without_gauge(fit);
  const Matrix samples = bootstrap(free, data, model.fit.channel_noise,
                                   {options.bootstrap, options.seed, options.threads,
                                    options.estimate_initial_states, options.observe});
  constexpr Index fewest = 20;
  if (samples.cols() < fewest) return 1;
  const std::vector<Mode> before = model.modes;
  const double factor = error_factor(residuals, options);
  const auto [begin, end] = time_span(data);
  const auto mean = [&, b = begin, e = end](const Vector& theta) {
    return mean_generator(*free.structure, theta, b, e);
  };
  set_errors(model.modes, covariances_of(matched_poles(mean, free.theta, samples)),
             longest_duration(data), factor);
  const Matrix spread = samples.colwise() - samples.rowwise().mean();
  set_covariance(model, factor * factor / static_cast<double>(samples.cols() - 1) * spread *
                            spread.transpose());
  model.fit.bootstrap = samples.cols();
  return disagreement(before, model.modes);
}

}  // namespace lgn
