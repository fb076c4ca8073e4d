#pragma once

#include <cmath>
#include <limits>

#include "lgn/physics/metrics.h"

namespace lgn::studies {

/// A number, or infinity for what is none: it has diverged.
inline double finite_or_infinity(double value) {
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

/// The NRMSE of a prediction; infinite where it has diverged, even if only later on.
inline double error_or_infinity(const Matrix& states, const Matrix& truth) {
  return states.allFinite() ? finite_or_infinity(nrmse(states, truth))
                            : std::numeric_limits<double>::infinity();
}

}  // namespace lgn::studies
