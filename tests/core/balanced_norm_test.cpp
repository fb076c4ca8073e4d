#include "lgn/core/balanced_norm.h"

#include <gtest/gtest.h>

#include "lgn/core/error.h"
#include "lgn/core/random.h"

namespace lgn::testing {
namespace {

TEST(BalancedNorm, SeesThroughUnits) {
  // C v̇ = i, L i̇ = −v with C = 1 µF, L = 1 mH: ω = 3.2e4 per second, but ‖A‖₁ = 1e6.
  const Matrix a{{0, 1e6}, {-1e3, 0}};
  EXPECT_EQ(norm1(a), 1e6);
  // Powers of two bring both entries within a factor of two of √(1e6 · 1e3).
  EXPECT_LE(balanced_norm(a), 2 * 3.1623e4);
  EXPECT_GE(balanced_norm(a), 3.1622e4);
}

TEST(BalancedNorm, IsNeverLargerThanTheNormNorSmallerThanTheSpectralRadius) {
  Random random(4);
  for (int k = 0; k < 20; ++k) {
    const Matrix a =
        random.normals(6, 6) * (Vector(5 * random.normals(6)).array().exp().matrix()).asDiagonal();
    EXPECT_LE(balanced_norm(a), norm1(a));
    // A similarity keeps the eigenvalues; their rounding is far below a percent.
    EXPECT_GE(balanced_norm(a), 0.99 * eigenvalues(a).cwiseAbs().maxCoeff());
  }
}

TEST(BalancedNorm, TakesEveryMatrix) {
  EXPECT_EQ(balanced_norm(Matrix::Zero(3, 3)), 0);
  EXPECT_EQ(balanced_norm(Matrix()), 0);
  EXPECT_THROW(balanced_norm(Matrix::Zero(2, 3)), Error);
  EXPECT_THROW(balanced_norm(Matrix::Constant(2, 2, std::nan(""))), Error);
}

}  // namespace
}  // namespace lgn::testing
