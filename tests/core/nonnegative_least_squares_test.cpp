#include "lgn/core/nonnegative_least_squares.h"

#include <gtest/gtest.h>

#include "lgn/core/random.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

// The conditions of Karush, Kuhn and Tucker say all there is to say about the solution of a convex
// problem.
TEST(NonnegativeLeastSquares, MeetsTheOptimalityConditions) {
  Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const Index p = 1 + trial % 9, m = p + trial % 7;
    const Matrix f = random.normals(m, p);
    const Vector b = random.normals(m), x = nonnegative_least_squares(f, b);
    const Vector gradient = f.transpose() * (f * x - b);
    const double rounding = 100 * static_cast<double>(p) * epsilon * f.norm() * b.norm();
    for (Index i = 0; i < p; ++i) {
      EXPECT_GE(x[i], 0);
      EXPECT_GE(gradient[i], -rounding);
      if (x[i] > 0) {
        EXPECT_LE(gradient[i], rounding);
      }
    }
  }
}

TEST(NonnegativeLeastSquares, KnownSolutions) {
  const Matrix identity = Matrix::Identity(3, 3);
  EXPECT_EQ(nonnegative_least_squares(identity, Vector{{1, -2, 3}}), (Vector{{1, 0, 3}}));
  EXPECT_EQ(nonnegative_least_squares(identity, -Vector::Ones(3)), Vector::Zero(3));
  EXPECT_EQ(nonnegative_least_squares(identity, Vector::Zero(3)), Vector::Zero(3));
  EXPECT_EQ(nonnegative_least_squares(Matrix::Zero(3, 2), Vector::Ones(3)), Vector::Zero(2));
}

}  // namespace
}  // namespace lgn
