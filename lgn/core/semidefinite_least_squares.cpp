#include "lgn/core/semidefinite_least_squares.h"

#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/core/stop.h"

namespace lgn {

Matrix nearest_semidefinite(const Matrix& symmetric) {
  const SymmetricEigen eigen = symmetric_eigen(symmetric);
  const Matrix root = eigen.vectors * eigen.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
  return root * root.transpose();
}

Matrix semidefinite_least_squares(const Matrix& h, const Matrix& b, const Matrix& start) {
  const auto cost = [&](const Matrix& q) {
    return (0.5 * h.cwiseProduct(q) - b).cwiseProduct(q).sum();
  };
  Matrix q = nearest_semidefinite(b);
  if (cost(start) < cost(q)) q = start;
  Matrix ahead = q;
  double momentum = 1;
  for (int iteration = 0; iteration < 400; ++iteration) {
    stop_point(20 * static_cast<double>(q.size() * q.rows()) + 2000);
    const Matrix next = nearest_semidefinite(ahead - h.cwiseProduct(ahead) + b);
    const Matrix step = next - q;
    if ((ahead - next).cwiseProduct(step).sum() > 0) momentum = 1;
    const double larger = 0.5 * (1 + std::sqrt(1 + 4 * momentum * momentum));
    ahead = next + (momentum - 1) / larger * step;
    momentum = larger;
    q = next;
    if (step.norm() <= 1e-12 * next.norm()) break;
  }
  return q;
}

}  // namespace lgn
