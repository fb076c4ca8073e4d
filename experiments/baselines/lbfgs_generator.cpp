#include "experiments/baselines/lbfgs_generator.h"

#include <chrono>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/core/random.h"

namespace lgn::studies {

TrainedGenerator train_lbfgs(const GeneratorLoss& loss, const ConstantStructure& structure,
                             const LbfgsTraining& options) {
  const auto begin = std::chrono::steady_clock::now();
  const Objective objective = objective_of(loss, structure);
  Random random(options.seed);
  TrainedGenerator best;
  best.loss = std::numeric_limits<double>::infinity();
  for (int k = 0; k < options.restarts && !best.stopped; ++k) {
    const Vector start = options.spread * random.normals(structure.parameters());
    LbfgsResult found = minimize_lbfgs(objective, start, options.lbfgs);
    best.evaluations += found.evaluations;
    best.stopped = found.ending == LbfgsResult::Ending::stopped;
    if (!(found.loss < best.loss)) continue;
    best.loss = found.loss;
    best.theta = std::move(found.x);
  }
  if (best.theta.size() == 0)
    throw NotIdentified("no search found a finite loss", "try another seed or a smaller spread");
  best.generator = structure.generator(best.theta);
  best.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return best;
}

}  // namespace lgn::studies
