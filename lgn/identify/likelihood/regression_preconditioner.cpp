#include "lgn/identify/likelihood/regression_preconditioner.h"

namespace lgn {

RegressionPreconditioner::RegressionPreconditioner(const ConstantStructure& structure,
                                                   const Vector& theta, const Matrix& second_moment)
    : structure_(structure), theta_(theta) {
  const Index n = structure.dimension(), p = structure.parameters();
  const Vector overlap = structure.pullback(theta, structure.pushforward(theta, Vector::Ones(p)));
  size_ = overlap.cwiseMax(1e-3 * overlap.cwiseAbs().maxCoeff() + 1e-300);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(second_moment);
  u_ = eigen.eigenvectors();
  // A direction that the data hardly show must not be turned loose.
  const Vector weight = eigen.eigenvalues().array().max(1e-10 * eigen.eigenvalues().maxCoeff());
  const bool tied = p < n * n;
  scale_ = Vector::Ones(n) * weight.transpose();
  if (tied) scale_ += weight * Vector::Ones(n).transpose();
}

Vector RegressionPreconditioner::apply(const Vector& gradient) const {
  const Matrix g = structure_.pushforward(theta_, gradient.cwiseQuotient(size_));
  const Matrix scaled = (u_.transpose() * g * u_).cwiseQuotient(scale_);
  return structure_.pullback(theta_, u_ * scaled * u_.transpose()).cwiseQuotient(size_);
}

}  // namespace lgn
