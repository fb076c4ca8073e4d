#include "lgn/dynamics/structure.h"

#include <algorithm>

#include <limits>

namespace lgn {

Index Structure::freedom() const { return std::min(parameters(), dimension() * dimension()); }

Vector Structure::lower_bounds() const {
  return Vector::Constant(parameters(), -std::numeric_limits<double>::infinity());
}

Vector Structure::typical_parameters(const Vector&) const { return Vector::Ones(parameters()); }

std::optional<Matrix> Structure::energy(const Vector&) const {
  if (!guarantee().dissipative) return std::nullopt;
  return Matrix::Identity(dimension(), dimension());
}

double energy_growth_rate(const Matrix& a, const Matrix& q) {
  const Eigen::LLT<Matrix> root(q);
  const Matrix l = root.matrixL();
  // With Q = LLᵀ and y = Lᵀx, ẏ = (Lᵀ A L⁻ᵀ) y and the energy is ½‖y‖².
  const Matrix right = l.triangularView<Eigen::Lower>().solve((l.transpose() * a).transpose());
  const Matrix symmetric = 0.5 * (right + right.transpose());
  return Eigen::SelfAdjointEigenSolver<Matrix>(symmetric, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

}  // namespace lgn
