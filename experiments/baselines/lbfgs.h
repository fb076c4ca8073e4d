#pragma once

#include "lgn/identify/training/adam.h"

namespace lgn::studies {

/// When L-BFGS stops.
struct LbfgsOptions {
  int max_evaluations = 20000;
  int memory = 10;  ///< pairs of steps and changes of the gradient that are kept
  /// Stop where ‖g‖ is no larger; SciPy's gtol.
  double gradient_tolerance = 0;
  /// Stop where a step lowers the loss f by no more than this times max(|f|, 1); SciPy's ftol.
  /// 0: go on to working precision.
  double loss_tolerance = 0;
  /// Called after every evaluation with its number and the best loss; returning false ends it.
  std::function<bool(int evaluation, double loss)> observe = {};
};

/// Where it ended.
struct LbfgsResult {
  Vector x;         ///< the best point seen
  double loss = 0;  ///< its loss
  int evaluations = 0;
  enum class Ending {
    converged,     ///< by a tolerance
    at_precision,  ///< no step lowers the loss any more
    too_many_evaluations,
    stopped,    ///< by `observe`
    not_finite  ///< the loss at the start
  } ending = Ending::converged;
};

/// Minimises from x₀ by L-BFGS with a line search for the strong Wolfe conditions (LBFGSpp).
///
/// The line search comes back from a loss that is not finite, or far above the best, as from one
/// that is moderately larger. Where it fails, the search begins again from the best point without
/// memory, as long as that still helps. The result depends on nothing but the arguments. Throws
/// Error for options that make no sense.
LbfgsResult minimize_lbfgs(const Objective& objective, const Vector& x0,
                           const LbfgsOptions& options = {});

}  // namespace lgn::studies
