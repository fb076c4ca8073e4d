#include "experiments/identification/poles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/dynamics/structures.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/physics/assignment.h"

namespace lgn::studies {

PoleErrors compare_poles(const Matrix& found, const Matrix& truth) {
  PoleErrors errors;
  errors.truth = eigenvalues(truth);
  errors.absolute = match_eigenvalues(errors.truth, eigenvalues(found)).distance;
  errors.relative = errors.absolute.cwiseQuotient(errors.truth.cwiseAbs());
  return errors;
}

Vector sorted_real_parts(const Matrix& a) {
  Vector parts = eigenvalues(a).real();
  std::sort(parts.begin(), parts.end());
  return parts;
}

double expected_modulus(const Eigen::Matrix2d& covariance) {
  const Eigen::Vector2d values =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(covariance).eigenvalues().cwiseMax(0.0);
  if (values[1] == 0) return 0;
  const double modulus = std::sqrt(std::clamp(1 - values[0] / values[1], 0.0, 1.0));
  return std::sqrt(2 * values[1] / std::numbers::pi) * std::comp_ellint_2(modulus);
}

PoleCovariances least_covariances(const ConstantStructure& structure, const Matrix& truth,
                                  const Dataset& exact, double sigma) {
  // On exact data the starts that fit best are the true ones.
  const Information information =
      find_information(truth, structure.directions(structure.project(truth)), exact,
                       Vector::Constant(truth.rows(), sigma));
  return pole_covariances(truth, information);
}

double pole_error_bound(const Matrix& truth, const Dataset& exact, double sigma) {
  const Index n = truth.rows();
  const PoleCovariances covariances = least_covariances(SdStructure(n), truth, exact, sigma);
  const ComplexVector poles = eigenvalues(truth);
  double sum = 0;
  for (Index k = 0; k < n; ++k)
    sum += expected_modulus(covariances[static_cast<std::size_t>(k)]) / std::abs(poles[k]);
  return sum / static_cast<double>(n);
}

}  // namespace lgn::studies
