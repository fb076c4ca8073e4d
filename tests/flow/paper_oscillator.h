#pragma once

#include <cmath>

#include "lgn/core/linear_algebra.h"

namespace lgn::testing {

/// The oscillator of the paper's A.1: ω₀² = 1, γ(t) = 0.3 (1 + 0.5 sin t).
inline Matrix paper_oscillator(double t) {
  return Matrix{{0, 1}, {-1, -0.3 * (1 + 0.5 * std::sin(t))}};
}

}  // namespace lgn::testing
