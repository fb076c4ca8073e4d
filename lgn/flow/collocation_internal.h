#pragma once

#include "lgn/dynamics/nonlinear_structure.h"

namespace lgn::collocation_internal {

inline constexpr int stages = 3;
inline constexpr double root15 = 3.87298334620741688518;
/// Weights of the three Gauss points, and where they are.
inline constexpr double b[stages] = {5.0 / 18, 4.0 / 9, 5.0 / 18};
inline constexpr double nodes[stages] = {0.5 - root15 / 10, 0.5, 0.5 + root15 / 10};

/// Of a step.
inline double work_of(const NonlinearField& field) {
  const auto n = static_cast<double>(field.dimension());
  return 2000 + 60 * n * n;
}

}  // namespace lgn::collocation_internal
