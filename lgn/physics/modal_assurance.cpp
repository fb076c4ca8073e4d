#include "lgn/physics/modal_assurance.h"

#include <cmath>

namespace lgn {
Matrix modal_assurance(const std::vector<const Mode*>& modes) {
  const Index n = std::ssize(modes);
  Matrix result(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j)
      result(i, j) = result(j, i) = modal_assurance(modes[static_cast<std::size_t>(i)]->shape,
                                                    modes[static_cast<std::size_t>(j)]->shape);
  return result;
}

double phase_collinearity(const ComplexVector& shape) {
  const Vector x = shape.real(), y = shape.imag();
  const double xx = x.squaredNorm(), yy = y.squaredNorm(), xy = x.dot(y), all = xx + yy;
  return all > 0 ? ((xx - yy) * (xx - yy) + 4 * xy * xy) / (all * all) : 1;
}

}  // namespace lgn
