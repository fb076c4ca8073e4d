#include "lgn/core/significance.h"

#include <cmath>
#include <numbers>

namespace lgn {

double normal_tail(double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); }

double ratio_tail(double ratio, double above, double below) {
  if (!(ratio > 0 && above > 0 && below > 0)) return 1;
  const double root = std::cbrt(ratio), a = 2 / (9 * above), b = 2 / (9 * below);
  return normal_tail(((1 - b) * root - (1 - a)) / std::sqrt(b * root * root + a));
}

}  // namespace lgn
