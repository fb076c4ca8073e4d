#include "lgn/core/least_squares.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/decompositions.h"

namespace lgn {
namespace {

/// Unknowns that sit at their bound and would be pushed through it do not take part in a step.
void fix_active(const Vector& x, const Vector& lower, const Vector& gradient, Matrix& jacobian) {
  for (Index i = 0; i < x.size(); ++i)
    if (x[i] <= lower[i] && gradient[i] > 0) jacobian.col(i).setZero();
}

Vector damped_step(const Matrix& jacobian, const Vector& residual, double damping) {
  Matrix normal = jacobian.transpose() * jacobian;
  const double floor = 1e-30 * (1 + normal.diagonal().maxCoeff());
  for (Index i = 0; i < normal.rows(); ++i) normal(i, i) += damping * normal(i, i) + floor;
  return -solve_semidefinite(normal, jacobian.transpose() * residual);
}

}  // namespace

LeastSquaresResult least_squares(const Residuals& residuals, const Vector& x0, const Vector& lower,
                                 const LeastSquaresOptions& options) {
  constexpr double largest_damping = 1e12;
  LeastSquaresResult best;
  best.x = x0.cwiseMax(lower);
  Vector residual, trial_residual;
  Matrix jacobian;
  residuals(best.x, residual, &jacobian);
  best.cost = residual.squaredNorm();
  double damping = 1e-3;
  while (best.iterations < options.max_iterations && !best.converged) {
    ++best.iterations;
    fix_active(best.x, lower, jacobian.transpose() * residual, jacobian);
    bool improved = false;
    while (!improved && damping < largest_damping) {
      Vector step = damped_step(jacobian, residual, damping);
      if (options.largest_step.size() > 0)
        step /= std::max(1.0, step.cwiseAbs().cwiseQuotient(options.largest_step).maxCoeff());
      const Vector trial = (best.x + step).cwiseMax(lower);
      const double change =
          ((trial - best.x).array().abs() / best.x.array().abs().max(1.0)).maxCoeff();
      residuals(trial, trial_residual, nullptr);
      const double cost = trial_residual.squaredNorm();
      improved = cost < best.cost;
      const bool settled = improved && best.cost - cost <= options.cost_tolerance * best.cost;
      if (improved) {
        best.x = trial;
        best.cost = cost;
        damping *= 0.1;
      } else {
        damping *= 10;
      }
      if (change <= options.step_tolerance || settled) {
        best.converged = true;
        break;
      }
    }
    if (!improved) best.converged = true;  // no descent left at working precision
    if (improved) residuals(best.x, residual, &jacobian);
  }
  return best;
}

}  // namespace lgn
