#include "lgn/core/inverse_root.h"

#include <cmath>
#include <limits>

#include "lgn/core/decompositions.h"

namespace lgn {

Matrix inverse_root(const Matrix& f) {
  if (f.size() == 0) return f;
  // In units in which every parameter alone would have unit variance.
  const Vector scale =
      f.diagonal().unaryExpr([](double d) { return d > 0 ? 1 / std::sqrt(d) : 0.0; });
  const SymmetricEigen eigen = symmetric_eigen(scale.asDiagonal() * f * scale.asDiagonal());
  const double rounding =
      4 * static_cast<double>(f.rows()) * std::numeric_limits<double>::epsilon();
  const Vector least = eigen.values.cwiseMax(rounding * eigen.values.maxCoeff());
  return scale.asDiagonal() * eigen.vectors * least.cwiseSqrt().cwiseInverse().asDiagonal();
}

Matrix covariance_of(const Matrix& information) {
  const Matrix root = inverse_root(information);
  return root * root.transpose();
}

}  // namespace lgn
