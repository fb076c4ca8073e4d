#include "lgn/identify/adam.h"

#include <cmath>
#include <limits>

namespace lgn {

AdamResult minimize_adam(const Objective& objective, const Vector& x0, const Vector& lower,
                         const AdamOptions& options) {
  AdamResult best;
  best.x = x0.cwiseMax(lower);
  best.loss = std::numeric_limits<double>::infinity();
  Vector x = best.x, gradient(x.size());
  Vector mean = Vector::Zero(x.size()), square = Vector::Zero(x.size());
  double rate = options.learning_rate, reference = best.loss;
  double mean_weight = 1, square_weight = 1;  // β₁^t, β₂^t
  int waited = 0;
  while (best.epochs < options.epochs) {
    ++best.epochs;
    const double loss = objective(x, gradient);
    if (loss < best.loss) {
      best.loss = loss;
      best.x = x;
    }
    if (options.observe && !options.observe(best.epochs, best.loss)) {
      best.stopped = true;
      break;
    }
    if (loss == 0) {
      best.converged = true;
      break;
    }
    waited = loss < reference * (1 - options.improvement) ? 0 : waited + 1;
    reference = std::min(reference, loss);
    const bool lost = !std::isfinite(loss) || !gradient.allFinite();
    if (lost || waited > options.patience) {
      rate *= options.factor;
      waited = 0;
      if (rate < options.smallest_rate) {
        best.converged = std::isfinite(best.loss);
        break;
      }
    }
    if (lost) {
      x = best.x;
      mean.setZero();
      square.setZero();
      mean_weight = square_weight = 1;
      continue;
    }
    const double length = gradient.norm();
    if (options.clip > 0 && length > options.clip) gradient *= options.clip / length;
    mean = options.beta1 * mean + (1 - options.beta1) * gradient;
    square = options.beta2 * square + (1 - options.beta2) * gradient.cwiseAbs2();
    mean_weight *= options.beta1;
    square_weight *= options.beta2;
    const double scale = rate / (1 - mean_weight);
    const double inverse = 1 / (1 - square_weight);
    x.array() -= scale * mean.array() / ((inverse * square.array()).sqrt() + options.epsilon);
    x = x.cwiseMax(lower);
  }
  return best;
}

}  // namespace lgn
