#pragma once

#include <memory>
#include <string>

#include "lgn/core/random.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/modulated.h"
#include "lgn/dynamics/varying_law.h"
#include "tests/report/sample_model.h"

namespace lgn::testing {

/// Some covariance with standard errors near `size`.
inline Matrix sample_covariance(Index parameters, double size, std::uint64_t seed) {
  Random random(seed);
  const Matrix root = random.normals(parameters, parameters);
  return size * size * (root * root.transpose() / static_cast<double>(parameters));
}

/// A model whose generator is this structure at θ over [begin, end], with everything that follows.
inline Model varying_model(std::shared_ptr<const Structure> structure, const Vector& theta,
                           double begin, double end, const std::optional<Matrix>& covariance = {}) {
  const Index n = structure->dimension();
  Model model = sample_model("sd", n, 1);
  model.structure = structure->name();
  model.method = "mle";
  model.time_unit = "s";
  model.candidates.clear();
  model.warnings.clear();
  model.fit.confidence = 0.95;
  model.fit.interval = 1.96;
  model.a = mean_generator(*structure, theta, begin, end);
  model.parameters = structure->named_values(theta);
  model.energy = structure->energy(theta);
  model.guarantee = structure->guarantee();
  model.modes = find_modes(model.a, model.guarantee, model.time_unit);
  ModelVariation variation;
  variation.structure = structure;
  variation.theta = theta;
  if (covariance) variation.errors = covariance->diagonal().cwiseSqrt();
  if (const auto* law = dynamic_cast<const VaryingParametric*>(structure.get()); law && covariance)
    variation.errors.array() *= law->constants().slopes(theta).array();
  variation.begin = begin;
  variation.end = end;
  variation.course = find_course(*structure, theta, begin, end, covariance);
  variation.floquet = find_floquet(*structure, theta, begin, variation.magnus);
  model.variation = std::move(variation);
  return model;
}

/// Two states whose second damping, 0.35 + 0.1 cos ωt + 0.2 sin ωt, varies with ω = 1.1.
inline Model harmonic_model(bool errors = true) {
  const auto structure =
      std::make_shared<ModulatedStructure>(find_structure("sd", 2), std::make_shared<Harmonics>(1),
                                           std::vector<std::vector<Index>>{{0}, {0}, {0, 1, 2}});
  const Vector theta{{1.1, 1.2, 0.05, 0.35, 0.1, 0.2}};
  return varying_model(structure, theta, 0, 20,
                       errors ? std::optional(sample_covariance(6, 0.01, 1)) : std::nullopt);
}

/// Four states, two couplings and a damping of which drift over 30 s.
inline Model drift_model(bool errors = true) {
  constexpr Index splines = 8;
  const auto base = find_structure("sd", 4);
  std::vector<Index> all;
  for (Index f = 1; f <= splines; ++f) all.push_back(f);
  std::vector<std::vector<Index>> active(static_cast<std::size_t>(base->parameters()), {0});
  for (const std::size_t e : {0u, 5u, 9u}) active[e] = all;
  const auto structure = std::make_shared<ModulatedStructure>(
      base, std::make_shared<SplineBasis>(splines, 0, 30), active);
  Matrix c = Matrix::Zero(base->parameters(), splines + 1);
  c.col(0) << 0, 0.2, 0.1, 0.3, 0.2, 0, 0.1, 0.05, 0.2, 0;
  for (Index f = 1; f <= splines; ++f) {
    const double x = static_cast<double>(f) / splines;
    c(0, f) = 1 + 0.4 * x;
    c(5, f) = 2 - 0.5 * x * x;
    c(9, f) = 0.1 + 0.3 * x * (1 - x);
  }
  const Vector theta = structure->theta_of({}, c);
  return varying_model(
      structure, theta, 0, 30,
      errors ? std::optional(sample_covariance(theta.size(), 0.02, 2)) : std::nullopt);
}

/// The paper's oscillator with a damping that varies: a law.
inline Model law_model(bool errors = true) {
  const auto structure = std::make_shared<VaryingParametric>(ltv_oscillator_law());
  const Vector theta = structure->constants().parameters(Vector{{1.2, 0.35, 0.15, 1.1}});
  return varying_model(structure, theta, 0, 20,
                       errors ? std::optional(sample_covariance(4, 0.01, 3)) : std::nullopt);
}

/// Fixed frequencies and dampings by log(1 + exp(·)), as in the paper; time counts from 100 on.
inline Model fourier_model() {
  const auto structure = std::make_shared<ModulatedStructure>(
      find_structure("sd", 3), std::make_shared<FourierFeatures>(Vector{{0.5, 2.0}}, 100.0),
      std::vector<std::vector<Index>>{}, ModulatedStructure::Link::softplus);
  Random random(4);
  const Vector theta = random.normals(structure->parameters());
  return varying_model(structure, theta, 100, 110,
                       sample_covariance(structure->parameters(), 0.1, 5));
}

}  // namespace lgn::testing
