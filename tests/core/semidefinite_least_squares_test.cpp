#include "lgn/core/semidefinite_least_squares.h"

#include <gtest/gtest.h>

#include "lgn/core/random.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

Matrix random_symmetric(Index n, Random& random) {
  const Matrix m = random.normals(n, n);
  return 0.5 * (m + m.transpose());
}

double least_eigenvalue(const Matrix& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(symmetric, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .minCoeff();
}

// With equal weights it is the projection itself, up to the rounding of an eigendecomposition.
TEST(SemidefiniteLeastSquares, ProjectsForEqualWeights) {
  Random random(1);
  const Index n = 8;
  const Matrix b = random_symmetric(n, random);
  const Matrix q = semidefinite_least_squares(Matrix::Ones(n, n), b, Matrix::Zero(n, n));
  EXPECT_LE((q - nearest_semidefinite(b)).norm(), 10 * n * epsilon * b.norm());
}

// The conditions of Karush, Kuhn and Tucker: Q ⪰ 0, G = H∘Q − B ⪰ 0, ⟨G, Q⟩ = 0. It stops at steps
// of 1e-12; with weights above w = 0.2 the gradient is then within 1e-12/w of its end.
TEST(SemidefiniteLeastSquares, IsOptimal) {
  Random random(2);
  for (const Index n : {1, 2, 5, 30}) {
    const Vector s = random.normals(n).array().abs() + 0.2;
    Matrix h(n, n);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) h(i, j) = 2 * s[i] * s[j] / (s[i] * s[i] + s[j] * s[j]);
    const Matrix b = random_symmetric(n, random);
    const Matrix start = nearest_semidefinite(random_symmetric(n, random));
    const Matrix q = semidefinite_least_squares(h, b, start);
    const Matrix gradient = h.cwiseProduct(q) - b;
    const double tolerance = 1e-11 * b.norm();
    EXPECT_GE(least_eigenvalue(q), -tolerance);
    EXPECT_GE(least_eigenvalue(gradient), -tolerance);
    EXPECT_LE(std::abs(gradient.cwiseProduct(q).sum()), tolerance * b.norm());
  }
}

}  // namespace
}  // namespace lgn
