#include "lgn/flow/stationary.h"

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/lyapunov.h"
#include "lgn/flow/exponential.h"

namespace lgn {
namespace {

/// R with R Rᵀ = S for a semidefinite S.
Matrix root_of(const Matrix& s) {
  const SymmetricEigen eigen = symmetric_eigen(s);
  return eigen.vectors * eigen.values.cwiseMax(0).cwiseSqrt().asDiagonal();
}

}  // namespace

Matrix stationary_states(const Matrix& a, const Matrix& b, Index samples, double step,
                         Random& random) {
  if (!(eigenvalues(a).real().maxCoeff() < 0))
    throw Error("only a stable system vibrates for ever", "give every mode some damping");
  const Matrix covariance = solve_lyapunov(a.transpose(), b * b.transpose());
  const Matrix map = exponential(a * step);
  const Matrix kick = root_of(covariance - map * covariance * map.transpose());
  Matrix states(a.rows(), samples);
  Vector x = root_of(covariance) * random.normals(a.rows());
  for (Index k = 0; k < samples; ++k) {
    states.col(k) = x;
    x = map * x + kick * random.normals(a.rows());
  }
  return states;
}

}  // namespace lgn
