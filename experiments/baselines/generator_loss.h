#pragma once

#include <functional>

#include "lgn/data/dataset.h"

namespace lgn::studies {

/// ℓ(A), and ∂ℓ/∂A in `gradient`.
using GeneratorLoss = std::function<double(const Matrix& a, Matrix& gradient)>;

/// Mean squared error of the trajectories exp(A (t − t_0)) x_0 from every run's first sample, over
/// all values that are present.
GeneratorLoss trajectory_loss(const Dataset& data);

/// How a state is carried over one step h.
enum class StepMap {
  rk4,         ///< Runge and Kutta's, I + hA + … + (hA)⁴/24 for ẋ = A x
  exponential  ///< exp(hA)
};
Matrix step_map(StepMap map, const Matrix& a, double step);

/// x_0 and the states after 1, 2, … steps; `samples` columns.
Matrix roll_out(StepMap map, const Matrix& a, const Vector& x0, double step, Index samples);

/// What a prediction over a short horizon is compared with.
struct WindowOptions {
  Index steps = 5;  ///< of a window
  StepMap map = StepMap::rk4;
};

/// Mean squared error of predictions over `steps` steps from every measured state that has as many
/// after it: windows overlap. The start itself does not count.
///
/// The gradient is exact, back through the steps and through the step map. Windows enter by the
/// triangular factor of the matrix that has one of them in every column, which leaves all distances
/// as they are: O(W n² steps²) once for W windows, then O(n³ steps²) for each value and
/// gradient. Throws Error where runs are uneven, have gaps, differ in their step or are all shorter
/// than a window.
GeneratorLoss window_loss(const Dataset& data, const WindowOptions& options = {});

}  // namespace lgn::studies
