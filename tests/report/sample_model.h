#pragma once

#include <string>

#include "lgn/core/random.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/modal.h"
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

/// A model of hidden states in the blocks of its modes, all of them oscillations, with poles of three orders.
inline Model sample_hidden_model(Index states, Index channels, std::uint64_t seed) {
  Random random(seed);
  const std::vector<Index> references(static_cast<std::size_t>((states + 1) / 2), 0);
  const ModalStructure structure(states, channels, references);
  Vector theta = structure.random_start(random);
  for (const auto& block : structure.blocks()) {
    const auto number = static_cast<double>(1 + block.state);
    theta[block.rates] = number;
    if (block.pair) theta[block.rates + 1] = 0.05 * number;
  }
  Model model = sample_model("sd", channels, seed);
  model.structure = structure.name();
  model.parameters.clear();
  model.a = structure.generator(theta);
  model.c = structure.observation(theta).matrix();
  model.c_errors = 0.01 * random.normals(channels, states).cwiseAbs();
  model.starts = random.normals(states, 2);
  model.offset = random.normals(channels);
  model.energy = structure.energy(theta);
  model.guarantee = structure.guarantee();
  model.modes = find_modes(model.a, model.guarantee, model.time_unit);
  show_in_channels(model.modes, model.c);
  model.modes[0].spurious = "at the Nyquist frequency";
  model.stabilisation = Stabilisation{Vector{{3.0, 2.0, 0.1}}, {}};
  const ModalPoles found = modal_poles(structure, theta);
  for (Index k = 0; k < 3; ++k) {
    const auto pairs = std::vector<Index>{0, 2};
    model.stabilisation->orders.push_back(
        {2 * (k + 1), found.poles(pairs), found.shapes(Eigen::all, pairs)});
  }
  return model;
}

/// What a model does in `samples` samples, 0.1 apart, of each of its runs.
inline Dataset sample_data(const Model& model, Index samples) {
  const Vector times = Vector::LinSpaced(samples, 0, 0.1 * static_cast<double>(samples - 1));
  std::vector<Trajectory> runs;
  for (Index r = 0; r < model.starts.cols(); ++r)
    runs.emplace_back("run " + std::to_string(r), times,
                      model.propagate(model.starts.col(r), times));
  return Dataset(model.channels, std::move(runs));
}

}  // namespace lgn::testing
