#pragma once

#include <string>

#include "lgn/data/dataset.h"

namespace lgn::bench {

/// Training LGN-SD on the 100-dimensional RLC ladder, at its random start.
struct Ladder {
  static constexpr Index sections = 50, dimension = 2 * sections, runs = 3, samples = 300;
  static constexpr double step = 0.1;

  Matrix generator;  ///< of the true system
  Matrix starts;     ///< one column per run
  Vector theta;      ///< S above its diagonal row by row, then d
  Dataset data;
};

Ladder make_ladder();
/// The inputs of peers/torch_gradient.py.
void write_ladder(const Ladder& ladder, const std::string& folder);

/// Five noisy runs of the 6-dimensional RLC ladder: the paper's experiment with 5% noise.
struct NoisyLadder {
  static constexpr Index sections = 3, dimension = 2 * sections, runs = 5, samples = 300;
  static constexpr double step = 0.1, noise = 0.05;

  Dataset data;
  Matrix start;  ///< the closed form on differences of second order, which noise biases
};

NoisyLadder make_noisy_ladder();

/// The states of all samples, run after run.
Matrix all_samples(const Dataset& data);

}  // namespace lgn::bench
