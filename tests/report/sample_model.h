#pragma once

#include <string>

#include "lgn/core/random.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/report/model.h"

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
  for (Index k = 0; k < dimension; ++k) model.channels.push_back("x" + std::to_string(k));
  model.time_unit = "ms";
  model.a = structure->generator(theta);
  model.starts = random.normals(dimension, 3);
  model.parameters = structure->named_values(theta);
  model.energy = structure->energy(theta);
  model.guarantee = structure->guarantee();
  model.modes = find_modes(model.a, model.guarantee, model.time_unit);
  model.warnings = {{"code-1", "a message"}, {"code-2", "another"}};
  model.fit = {random.uniform(), random.uniform(), random.uniform(), 17, true, random.uniform()};
  model.data = {{"a.csv", "b.csv"}, 3, 600, "0123abcd", random.uniform()};
  return model;
}

}  // namespace lgn::testing
