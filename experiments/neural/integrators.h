#pragma once

#include <cstdint>
#include <vector>

#include "experiments/neural/fields.h"

namespace lgn::neural {

/// How a field is integrated.
///
/// `runge_kutta_4`: one classical step from each sample to the next. `dormand_prince`: adaptive steps
/// at a relative and an absolute tolerance, controlled as torchdiffeq does it (root mean square of the
/// error over the whole batch, factor 0.9·error^(−1/5) between 0.2 and 10, Hairer's first step); steps
/// do not stop at samples, an interpolant of order 4 reads them off.
struct Integrator {
  enum class Method { runge_kutta_4, dormand_prince };
  Method method = Method::dormand_prince;
  double tolerance = 1e-5;
  /// Of the adaptive steps, accepted or not.
  std::int64_t most_steps = 10'000;
};

struct Step {
  double start = 0, size = 0;
};

/// States at the samples, (times × batch × n). Where a state stops being finite, or the steps run out,
/// the rollout has diverged: it holds NaN from there on.
struct Rollout {
  Tensor states;
  bool diverged = false;
  /// The accepted steps.
  std::vector<Step> steps;
};

/// From x0 (batch × n) at times[0], on to the other times, which ascend.
///
/// Differentiable in x0 and in the field's parameters: autograd follows the steps, whose sizes count
/// as constants.
Rollout integrate(const Field& field, const Tensor& x0, const std::vector<double>& times,
                  const Integrator& integrator);

/// The same by Dormand–Prince with these steps, each beginning where the one before ends; the times
/// lie within them. Smooth in x0 and in the parameters, which adaptive steps are not.
Rollout replay(const Field& field, const Tensor& x0, const std::vector<double>& times,
               const std::vector<Step>& steps);

}  // namespace lgn::neural
