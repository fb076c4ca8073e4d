#pragma once

#include <string>

#include "lgn/core/random.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/model/model.h"

namespace lgn::testing {

/// A model with this structure and random parameters, every field filled.
inline Model sample_model(const std::string& name, Index dimension, std::uint64_t seed) {
  Random random(seed);
  const auto structure = find_structure(name, dimension);
  const Vector theta = structure->random_start(random);
  Model model;
  model.version = "1.2.3";
  model.structure = structure->name();
  model.method = "adam";
  model.command = "lgn fit a.csv b.csv";
  for (Index k = 0; k < dimension; ++k) model.channels.push_back("x" + std::to_string(k));
  model.time_unit = "ms";
  model.a = structure->generator(theta);
  model.starts = random.normals(dimension, 3);
  model.parameters = structure->named_values(theta);
  model.energy = structure->energy(theta);
  model.guarantee = structure->guarantee();
  model.modes = find_modes(model.a, model.guarantee, model.time_unit);
  model.warnings = {{"code-1", "a message"}, {"code-2", "another"}};
  for (auto& mode : model.modes) {
    mode.se = Mode::Errors{random.uniform(), random.uniform(), random.uniform(), random.uniform(),
                           random.uniform(), random.uniform(), random.uniform()};
    mode.identifiable = random.uniform() < 0.5;
    if (!*mode.identifiable) mode.reason = "it cannot be seen";
  }
  StructureCandidate candidate;
  candidate.structure = "sd";
  candidate.parameters = 21;
  candidate.nrmse = random.uniform();
  candidate.criterion = -random.uniform();
  candidate.chosen = true;
  candidate.verdict = "chosen";
  model.candidates = {candidate};
  model.fit.nrmse_train = random.uniform();
  model.fit.nrmse_holdout = random.uniform();
  model.fit.holdout = 0.25;
  model.fit.noise_sigma = random.uniform();
  model.fit.channel_noise = random.normals(dimension).cwiseAbs();
  model.fit.confidence = 0.9;
  model.fit.interval = 1.645;
  model.fit.bootstrap = 200;
  model.fit.iterations = 17;
  model.fit.numbers_in_a = 3;
  model.fit.converged = true;
  model.fit.seconds = random.uniform();
  model.data = {{"a.csv", "b.csv"}, 3, 600, "0123abcd", random.uniform()};
  return model;
}

}  // namespace lgn::testing
