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

namespace {

/// The mean of |Δλ|/|λ| under these covariances.
double mean_error(const Matrix& truth, const PoleCovariances& covariances) {
  const ComplexVector poles = eigenvalues(truth);
  double sum = 0;
  for (Index k = 0; k < poles.size(); ++k)
    sum += expected_modulus(covariances[static_cast<std::size_t>(k)]) / std::abs(poles[k]);
  return sum / static_cast<double>(poles.size());
}

}  // namespace

double pole_error_bound(const Matrix& truth, const Dataset& exact, double sigma) {
  return mean_error(truth, least_covariances(SdStructure(truth.rows()), truth, exact, sigma));
}

double modal_error_bound(const ModalSystem& truth, const Dataset& exact, const Vector& sigma,
                         const ProblemOptions& how) {
  const Matrix information = information_matrix(exact, *truth.structure, truth.theta, sigma, how);
  const Matrix a = truth.structure->generator(truth.theta);
  return mean_error(a,
                    pole_covariances(a, {information, truth.structure->directions(truth.theta)}));
}

ComplexVector poles_of(const Model& model) {
  ComplexVector poles(static_cast<Index>(model.modes.size()));
  for (Index k = 0; k < poles.size(); ++k) poles[k] = model.modes[static_cast<std::size_t>(k)].pole;
  return poles;
}

IntervalCoverage interval_coverage(const Model& model, const ComplexVector& truth) {
  IntervalCoverage result;
  const EigenvalueMatch match = match_eigenvalues(truth, poles_of(model));
  for (Index k = 0; k < truth.size(); ++k) {
    const Mode& mode =
        model.modes[static_cast<std::size_t>(match.partner[static_cast<std::size_t>(k)])];
    if (truth[k].imag() > 0 || !mode.se) continue;
    const double width = model.fit.interval, size = std::abs(truth[k]);
    result.modes += 1;
    result.frequency += std::abs(mode.frequency_hz - size / (2 * std::numbers::pi)) <=
                        width * mode.se->frequency_hz;
    result.damping +=
        std::abs(mode.damping_ratio + truth[k].real() / size) <= width * mode.se->damping_ratio;
  }
  return result;
}

}  // namespace lgn::studies
