#include "experiments/baselines/adam_generator.h"

#include <chrono>

namespace lgn::studies {

TrainedGenerator train_adam(const GeneratorLoss& loss, const ConstantStructure& structure,
                            const Vector& start, const AdamTraining& options) {
  const auto begin = std::chrono::steady_clock::now();
  AdamOptions adam;
  adam.learning_rate = options.learning_rate;
  adam.epochs = options.epochs;
  adam.epsilon = options.epsilon;
  adam.clip = options.clip;
  adam.patience = options.patience > 0 ? options.patience : options.epochs;
  adam.observe = options.observe;
  const AdamResult found =
      minimize_adam(objective_of(loss, structure), start, structure.lower_bounds(), adam);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return {found.x,        structure.generator(found.x), found.loss, found.epochs, found.stopped,
          elapsed.count()};
}

Matrix tridiagonal_guess(Index n, double above) {
  Matrix a = Matrix::Zero(n, n);
  a.diagonal().setConstant(-0.1);
  a.diagonal(1).setConstant(above);
  a.diagonal(-1).setConstant(-above);
  return a;
}

Law plain_lc_law() {
  return Law("plain-lc", 2, {{"omega2", Constant::Range::any, 1.5}},
             [](const auto& p, auto& a) { a << 0, 1, -p[0], 0; });
}

Law plain_rlc_law() {
  using enum Constant::Range;
  return Law("plain-rlc", 2, {{"omega2", any, 1.2}, {"gamma", any, 0.15}},
             [](const auto& p, auto& a) { a << 0, 1, -p[0], -p[1]; });
}

}  // namespace lgn::studies
