#include "lgn/physics/metrics.h"

#include <cmath>
#include <limits>

namespace lgn {

double nrmse(const Matrix& predicted, const Matrix& truth) {
  const auto missing = truth.array().isNaN();
  const double error = missing.select(0.0, predicted - truth).stableNorm();
  const double size = missing.select(0.0, truth).stableNorm();
  return size > 0 ? error / size : std::numeric_limits<double>::quiet_NaN();
}

Vector energies(const Matrix& states, const Matrix& q) {
  return 0.5 * states.cwiseProduct(q * states).colwise().sum().transpose();
}

Matrix channel_dissipation(const Matrix& states, const Matrix& generators, const Matrix& q) {
  const Index n = states.rows();
  Matrix power(n, states.cols());
  for (Index k = 0; k < states.cols(); ++k) {
    const auto a = generators.middleCols(generators.cols() == n ? 0 : k * n, n);
    const Vector qx = q * states.col(k);
    const Vector change = q * (a * states.col(k)) + a.transpose() * qx;
    power.col(k) = -0.5 * states.col(k).cwiseProduct(change);
  }
  return power;
}

double energy_violations(const Vector& energy, double tolerance) {
  const Index steps = energy.size() - 1;
  if (steps < 1) return 0;
  const auto grows = energy.tail(steps).array() > energy.head(steps).array() + tolerance;
  return static_cast<double>(grows.count()) / static_cast<double>(steps);
}

double energy_spread(const Vector& energy) {
  const double mean = energy.mean();
  return std::sqrt((energy.array() - mean).square().mean()) / std::abs(mean);
}

}  // namespace lgn
