#include "lgn/core/spectral_factor.h"

#include <gtest/gtest.h>

#include "lgn/core/random.h"

namespace lgn::testing {
namespace {

/// What an innovations form has for covariances.
struct Covariances {
  Matrix g, r;
};
Covariances covariances_of(const Matrix& phi, const Matrix& c, const Matrix& k, const Matrix& s) {
  Matrix p = Matrix::Zero(phi.rows(), phi.cols());
  for (int step = 0; step < 2000; ++step) p = phi * p * phi.transpose() + k * s * k.transpose();
  return {phi * p * c.transpose() + k * s, c * p * c.transpose() + s};
}

TEST(SpectralFactor, FindsTheInnovationsFormAgain) {
  Random random(1);
  int stable = 0;
  for (int trial = 0; trial < 30; ++trial) {
    Matrix phi = random.normals(4, 4);
    phi *= 0.9 / eigenvalues(phi).cwiseAbs().maxCoeff();
    const Matrix c = random.normals(2, 4), k = 0.2 * random.normals(4, 2);
    const Matrix root = Matrix::Identity(2, 2) + 0.2 * random.normals(2, 2);
    const Matrix s = root * root.transpose();
    // Other than stable predictors have the same covariances as one that is.
    if (eigenvalues(phi - k * c).cwiseAbs().maxCoeff() > 0.95) continue;
    ++stable;
    const auto [g, r] = covariances_of(phi, c, k, s);
    const auto found = spectral_factor(phi, c, g, r);
    ASSERT_TRUE(found);
    // The iteration ends at 1e-13 a step, which 1/(1 − 0.95²) of them follow.
    EXPECT_LE((found->k - k).norm(), 1e-9 * k.norm());
    EXPECT_LE((found->s - s).norm(), 1e-9 * s.norm());
  }
  EXPECT_GT(stable, 10);
}

TEST(SpectralFactor, KnowsWhatIsNoProcess) {
  const Matrix one = Matrix::Ones(1, 1);
  // A correlation of two at the first lag.
  EXPECT_FALSE(spectral_factor(0.5 * one, one, 2 * one, one));
}

}  // namespace
}  // namespace lgn::testing
