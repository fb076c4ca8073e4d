#include "lgn/identify/training/adam.h"

#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/core/stop.h"

namespace lgn {

Vector AdamState::pack() const {
  const Index p = x.size();
  Vector packed(4 * p + 7);
  packed << x, mean, square, best, loss, reference, waited, rate, mean_weight, square_weight,
      epochs;
  return packed;
}

AdamState AdamState::unpack(const Vector& packed) {
  const Index p = (packed.size() - 7) / 4;
  const Vector rest = packed.tail(7);
  return {packed.head(p),
          packed.segment(p, p),
          packed.segment(2 * p, p),
          packed.segment(3 * p, p),
          rest[0],
          rest[1],
          rest[2],
          rest[3],
          rest[4],
          rest[5],
          rest[6]};
}

AdamResult minimize_adam(const Objective& objective, const Vector& x0, const Vector& lower,
                         const AdamOptions& options) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Vector zero = Vector::Zero(x0.size()), first = x0.cwiseMax(lower);
  AdamState at = options.resume.value_or(
      AdamState{first, zero, zero, first, infinity, infinity, 0, options.learning_rate, 1, 1, 0});
  if (at.x.size() != x0.size())
    throw Error("the checkpoint holds a training of other parameters",
                "remove it, or continue with the structure and the data that it was made with");
  AdamResult result;
  Vector gradient(x0.size());
  while (at.epochs < options.epochs) {
    if (options.keep) options.keep(at);
    ++at.epochs;
    double loss = infinity;
    const auto evaluate = [&] { loss = objective(at.x, gradient); };
    if (!std::isfinite(at.loss)) {
      evaluate();  // there is nothing to go back to
    } else if (!unless_stopped(evaluate)) {
      result.stopped = true;
      break;
    }
    if (loss < at.loss) {
      at.loss = loss;
      at.best = at.x;
    }
    if (options.observe && !options.observe(static_cast<int>(at.epochs), at.loss)) {
      result.stopped = true;
      break;
    }
    if (loss == 0) {
      result.converged = true;
      break;
    }
    at.waited = loss < at.reference * (1 - options.improvement) ? 0 : at.waited + 1;
    at.reference = std::min(at.reference, loss);
    const bool lost = !std::isfinite(loss) || !gradient.allFinite();
    if (lost || at.waited > options.patience) {
      at.rate *= options.factor;
      at.waited = 0;
      if (at.rate < options.smallest_rate) {
        result.converged = std::isfinite(at.loss);
        break;
      }
    }
    if (lost) {
      at.x = at.best;
      at.mean.setZero();
      at.square.setZero();
      at.mean_weight = at.square_weight = 1;
      continue;
    }
    const double length = gradient.norm();
    if (options.clip > 0 && length > options.clip) gradient *= options.clip / length;
    at.mean = options.beta1 * at.mean + (1 - options.beta1) * gradient;
    at.square = options.beta2 * at.square + (1 - options.beta2) * gradient.cwiseAbs2();
    at.mean_weight *= options.beta1;
    at.square_weight *= options.beta2;
    const double scale = at.rate / (1 - at.mean_weight);
    const double inverse = 1 / (1 - at.square_weight);
    at.x.array() -=
        scale * at.mean.array() / ((inverse * at.square.array()).sqrt() + options.epsilon);
    at.x = at.x.cwiseMax(lower);
  }
  result.x = at.best;
  result.loss = at.loss;
  result.epochs = static_cast<int>(at.epochs);
  return result;
}

}  // namespace lgn
