#include "lgn/core/gauss_legendre.h"

#include <cmath>

namespace lgn {

GaussRule gauss_legendre(Index points) {
  Vector beside(std::max<Index>(points - 1, 0));
  for (Index k = 1; k < points; ++k) {
    const double d = static_cast<double>(k);
    beside[k - 1] = d / std::sqrt(4 * d * d - 1);
  }
  Eigen::SelfAdjointEigenSolver<Matrix> eigen;
  eigen.computeFromTridiagonal(Vector::Zero(points), beside);
  const Vector p = eigen.eigenvalues(), w = 2 * eigen.eigenvectors().row(0).cwiseAbs2();
  return {0.5 * (p - p.reverse()), 0.5 * (w + w.reverse())};
}

}  // namespace lgn
