#pragma once

#include "experiments/baselines/generator_loss.h"
#include "lgn/dynamics/structure.h"
#include "lgn/identify/training/adam.h"

namespace lgn::studies {

/// What training of a constant generator found.
struct TrainedGenerator {
  Vector theta;
  Matrix generator;
  double loss = 0;       ///< of these parameters, the best seen
  int evaluations = 0;   ///< of loss and gradient, in all restarts
  bool stopped = false;  ///< by the observer
  double seconds = 0;
};

/// ℓ(A(θ)) and its gradient; `loss` and `structure` must outlive it.
inline Objective objective_of(const GeneratorLoss& loss, const ConstantStructure& structure) {
  return [&](const Vector& theta, Vector& gradient) {
    Matrix by_generator;
    const double value = loss(structure.generator(theta), by_generator);
    gradient = structure.pullback(theta, by_generator);
    return value;
  };
}

}  // namespace lgn::studies
