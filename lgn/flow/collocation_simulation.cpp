#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/stop.h"
#include "lgn/flow/collocation.h"
#include "lgn/flow/collocation_internal.h"

namespace lgn {
namespace {

using namespace collocation_internal;

constexpr double out_of_range = std::numeric_limits<double>::infinity();

}  // namespace

Vector discrete_gradient_step(const NonlinearField& field, const Vector& x, double step,
                              const InputLine& inputs) {
  const StateEnergy& energy = *field.structure().state_energy();
  const Vector& theta = field.theta();
  const double before = energy.value(theta, x);
  const Vector pushed = field.value(x, inputs.at(0.5)) - field.value(x);  // B u
  const auto discrete_gradient = [&](const Vector& end) -> Vector {
    const Vector difference = end - x;
    const double d2 = difference.squaredNorm();
    const Vector g = energy.gradient(theta, 0.5 * (x + end));
    if (!(d2 > 0)) return g;
    return g + (energy.value(theta, end) - before - g.dot(difference)) / d2 * difference;
  };
  // f = (f gᵀ − g fᵀ)/|g|² g + (f·g)/|g|² g, g = ∇H: the first part is skew, the second loses. With the discrete gradient in place of the last g the energy
  // changes by (f·g)/|g|² times the square of its length, times the step, which is no gain, and by the work of the inputs.
  const auto change = [&](const Vector& end) -> Vector {
    const Vector middle = 0.5 * (x + end);
    const Vector f = field.value(middle), g = energy.gradient(theta, middle);
    const double g2 = g.squaredNorm();
    if (!(g2 > 0)) return step * (f + pushed);
    const Vector discrete = discrete_gradient(end);
    const double loss = std::min(0.0, f.dot(g));
    return step * ((f * g.dot(discrete) - g * f.dot(discrete) + loss * discrete) / g2 + pushed);
  };
  Vector end = x + step * (field.value(x) + pushed);
  double way = 1, last = out_of_range;
  for (int iteration = 0; iteration < 500; ++iteration) {
    const Vector move = x + change(end) - end;
    const double size = move.norm();
    if (!std::isfinite(size) || size <= 1e-15 * (1 + x.norm())) break;
    if (size > last) way = std::max(0.05, 0.7 * way);
    last = size;
    end += way * move;
  }
  // What the iteration leaves, where it has not converged, must not be a gain either.
  const double work = step * discrete_gradient(end).dot(pushed);
  const double rounding = work == 0 ? 0 : 1e-14 * (std::abs(before) + std::abs(work));
  return energy.value(theta, end) <= before + work + rounding ? end : x;
}

namespace {

/// `end` moved down the slope of the energy to no more than it may be, where that is far within the error of a step: what
/// collocation and rounding add. Else as it is.
Vector lowered(const NonlinearField& field, Vector end, double most) {
  const StateEnergy& energy = *field.structure().state_energy();
  constexpr double little = 1e-10;
  for (int iteration = 0; iteration < 3; ++iteration) {
    const double excess = energy.value(field.theta(), end) - most;
    if (!(excess > 0) || excess > little * std::abs(most)) return end;
    const Vector slope = energy.gradient(field.theta(), end);
    if (!(slope.squaredNorm() > 0)) return end;
    // A little further, since the energy itself is known to rounding only.
    end -= (excess + 1e-16 * std::abs(most)) / slope.squaredNorm() * slope;
  }
  return end;
}

/// ∫ ∇H·B u of a step, by its stages.
double work_of_inputs(const NonlinearField& field, const CollocationStep& done, double step,
                      const InputLine& inputs) {
  double work = 0;
  for (int i = 0; i < stages && inputs.begin.size() > 0; ++i) {
    const Vector at = done.stages.col(i);
    const Vector pushed = field.value(at, inputs.at(nodes[i])) - field.value(at);
    work += step * b[i] * field.structure().state_energy()->gradient(field.theta(), at).dot(pushed);
  }
  return work;
}

/// From x over a time `step`, in halves where the energy would grow by more than the work of inputs, and by the discrete gradient where
/// they are too short, which is told in `coarse`.
Vector keeping_energy(const NonlinearField& field, const Vector& x, double step,
                      const InputLine& inputs, int halvings, bool& coarse) {
  const StateEnergy* energy = field.structure().state_energy();
  const CollocationStep done = collocation_step(field, x, step, inputs);
  Vector end = done.end;
  bool grows = !end.allFinite();
  if (energy != nullptr && !energy->quadratic() && !grows) {
    const double before = energy->value(field.theta(), x),
                 work = work_of_inputs(field, done, step, inputs);
    end = lowered(field, std::move(end), before + work);
    const double after = energy->value(field.theta(), end);
    // Rounding of a sum of as many terms as there are states, and more.
    grows = after > before + work + 1e-14 * (std::abs(before) + std::abs(work) + std::abs(after));
  }
  if (!grows || (energy == nullptr && halvings == 0)) return end;
  if (halvings == 0) {
    coarse = true;
    return discrete_gradient_step(field, x, step, inputs);
  }
  const Vector middle =
      keeping_energy(field, x, 0.5 * step, inputs.between(0, 0.5), halvings - 1, coarse);
  return keeping_energy(field, middle, 0.5 * step, inputs.between(0.5, 1), halvings - 1, coarse);
}

}  // namespace

Matrix propagate(const NonlinearField& field, const Vector& x0, const InputCourse& inputs,
                 const CollocationOptions& options) {
  Matrix result(x0.size(), inputs.samples());
  if (inputs.samples() > 0) result.col(0) = x0;
  Vector x = x0;
  constexpr double shortest = 1e-3;
  double size = x0.cwiseAbs().maxCoeff(), shorter = 1;  // than by ∂f/∂x alone
  bool coarse = false;
  const auto over = [&](const Vector& from, double step, const InputLine& u) {
    // Where steps may be shorter a coarse one is but a reason for that.
    const int halvings = options.tolerance > 0 && shorter > shortest ? 0 : 4;
    return options.keep_energy ? keeping_energy(field, from, step, u, halvings, coarse)
                               : collocation_step(field, from, step, u).end;
  };
  Index sample = 0;
  for (Index k = 0; k + 1 < inputs.edges.size(); ++k) {
    const double length = inputs.edges[k + 1] - inputs.edges[k];
    const InputLine whole{inputs.begin.col(k), inputs.end.col(k)};
    double left = length;
    while (left > 0 && x.allFinite()) {
      stop_point(work_of(field));
      const double longest = shorter * longest_step(field, x, options);
      const double count = std::ceil(left / longest * (1 - 1e-9));
      const double step = count > 1 ? left / count : left;
      // Too short to move the clock: the law has left the range of numbers.
      if (!(step > 1e-15 * left) || count > 1e8) {
        x.setConstant(out_of_range);
        break;
      }
      const double done = 1 - left / length;
      const InputLine line =
          whole.begin.size() > 0 ? whole.between(done, done + step / length) : InputLine();
      coarse = false;
      Vector end =
          options.tolerance > 0 ? over(x, 0.5 * step, line.between(0, 0.5)) : over(x, step, line);
      if (options.tolerance > 0) {
        end = over(end, 0.5 * step, line.between(0.5, 1));
        // Of order six: what the halves leave is a 63rd of the difference.
        const double error = (over(x, step, line) - end).cwiseAbs().maxCoeff() / 63;
        size = std::max(size, end.cwiseAbs().maxCoeff());
        const double allowed = options.tolerance * size;
        const bool good = (error <= allowed && !coarse) || shorter <= shortest;
        if (std::isfinite(error) && !coarse) {
          const double factor = 0.9 * std::pow(allowed / std::max(error, 1e-3 * allowed), 1.0 / 7);
          shorter = std::clamp(shorter * std::clamp(factor, 0.3, 1.5), shortest, 1.0);
        } else {
          shorter = std::max(0.3 * shorter, shortest);
        }
        if (!good) continue;
      }
      x = std::move(end);
      left = count > 1 ? left - step : 0;
    }
    if (inputs.pieces[static_cast<std::size_t>(k)].to_sample) result.col(++sample) = x;
  }
  return result;
}

Matrix propagate(const NonlinearField& field, const Vector& x0, const Vector& times,
                 const CollocationOptions& options) {
  return propagate(field, x0, no_inputs(times), options);
}

}  // namespace lgn
