#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/flow/propagate.h"

namespace lgn {

/// How a model does on one run, or on one channel over all runs. What does not apply is NaN.
struct Score {
  std::string name;
  double nrmse = 0;
  double percent = std::nan(
      "");  ///< 100 (1 − ‖y − ŷ‖/‖y − mean(y)‖) of a channel: the fit as MATLAB's compare defines it
  double violations =
      std::nan("");              ///< Viol(E): fraction of steps in which the model's energy grows
  double spread = std::nan("");  ///< σ_E of the model's energy
};

/// How a model does on data: NRMSE of everything, then run by run and channel by channel.
struct Evaluation {
  double nrmse = 0, violations = 0;
  std::vector<Score> runs, channels;
};

/// The energy of every column of states.
using EnergyOfStates = std::function<Vector(const Matrix& states)>;

/// Compares a model's x(t), from x₀ one column of `initial_states` per run, with the data, whose size counts from
/// `rest` (empty: zero). `energy` is that of x − rest, empty where none is known; it grows in a step when it does so by more
/// than 1e-6 of its initial value.
Evaluation evaluate(const Propagator& model, const EnergyOfStates& energy, const Dataset& data,
                    const Matrix& initial_states, const Vector& rest = {},
                    const Propagator& states = {});
/// The same with Q of ½ (x − rest)ᵀQ(x − rest), if known.
Evaluation evaluate(const Propagator& model, const std::optional<Matrix>& energy,
                    const Dataset& data, const Matrix& initial_states, const Vector& rest = {},
                    const Propagator& states = {});

}  // namespace lgn
