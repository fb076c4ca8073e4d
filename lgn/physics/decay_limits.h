#pragma once

#include "lgn/identify/likelihood/problem.h"
#include "lgn/physics/modes.h"

namespace lgn {

/// A generator, the directions ∂A/∂θ_q it was free to move in (below one another, p n × n), what channels see of it (empty:
/// each a state), and the data that it was fitted to, under noise of these sizes.
struct FittedGenerator {
  const Matrix& a;
  const Matrix& directions;
  const Matrix& c;
  const Dataset& data;
  const Vector& noise;
  const ProblemOptions& known;
};

/// Gives modes that the structure did not let decay, because a loss was dropped, lies at its bound or is not in it, a
/// one-sided limit: how fast each could decay by these data if it were free to, with this confidence (theory, Eq. 63). Where the
/// structure's own error of Re λ is as large as that of a free decay, the mode is left alone. `widening` scales errors.
/// O(values (p + n)²).
void add_decay_limits(std::vector<Mode>& modes, const FittedGenerator& fitted, double widening,
                      double confidence);

/// The same limit for modes whose own error of Re λ is larger than the decay itself, by that error; their time constants have
/// no standard error, which would say nothing.
void limit_unresolved_decays(std::vector<Mode>& modes, double confidence);

}  // namespace lgn
