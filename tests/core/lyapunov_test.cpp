#include "lgn/core/lyapunov.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

/// ‖AᵀX + XA + W‖ against what backward stable steps leave: two orthogonal similarities and a
/// substitution, each n ε of ‖A‖ ‖X‖, and the rounding of W itself.
void expect_solves(const Matrix& a, const Matrix& w, const Matrix& x) {
  const double n = static_cast<double>(a.rows());
  EXPECT_LE((a.transpose() * x + x * a + w).norm(),
            10 * n * epsilon * (2 * a.norm() * x.norm() + w.norm()));
}

Matrix hurwitz(Index n, Random& random) {
  Matrix a = random.normals(n, n);
  a.diagonal().array() -= eigenvalues(a).real().maxCoeff() + 0.1;
  return a;
}

class LyapunovOf : public ::testing::TestWithParam<Index> {};

TEST_P(LyapunovOf, SolvesItsEquation) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  const Index n = GetParam();
  for (int k = 0; k < 3; ++k) {
    const Matrix a = hurwitz(n, random), root = random.normals(n, n);
    const Matrix w = Matrix(root * root.transpose()).selfadjointView<Eigen::Lower>();
    const Matrix x = solve_lyapunov(a, w);
    expect_solves(a, w, x);
    EXPECT_TRUE(x == x.transpose());
    EXPECT_EQ(x.llt().info(), Eigen::Success);  // W ≻ 0 and A Hurwitz: X ≻ 0
    expect_solves(a, root, solve_lyapunov(a, root));
  }
}

TEST_P(LyapunovOf, SchurFormIsOrthogonalAndRebuildsA) {
  Random random(static_cast<std::uint64_t>(100 + GetParam()));
  const Index n = GetParam();
  const Matrix a = random.normals(n, n);
  const RealSchur s = real_schur(a);
  // A QR iteration is backward stable: n ε ‖A‖ with a constant of order one.
  const double allowed = 10 * static_cast<double>(n) * epsilon;
  EXPECT_LE((s.u * s.u.transpose() - Matrix::Identity(n, n)).norm(), allowed * std::sqrt(n));
  EXPECT_LE((s.u * s.t * s.u.transpose() - a).norm(), allowed * a.norm());
  for (Index i = 0; i < n; ++i) EXPECT_EQ(s.t(i, i), s.values[i].real());
}

INSTANTIATE_TEST_SUITE_P(Sizes, LyapunovOf, ::testing::Values(1, 2, 3, 8, 40));

TEST(Lyapunov, OfAKnownSystem) {
  // ẋ = −x + 10y, ẏ = −y: ∫ exp(Aᵀt) exp(At) dt = [1/2, 10/4; 10/4, 1/2 + 100/4].
  const Matrix x = solve_lyapunov(Matrix{{-1, 10}, {0, -1}}, Matrix::Identity(2, 2));
  // T is A itself here, so only the substitution rounds; min |λᵢ + λⱼ| = 2 and ‖A‖ = 10 lose
  // (‖A‖/2)² at worst.
  EXPECT_LE((x - Matrix{{0.5, 2.5}, {2.5, 25.5}}).norm(), 25 * 2 * epsilon * 26);
}

TEST(Lyapunov, OfStronglyNonNormalMatrices) {
  for (const Index n : {3, 6, 10}) {
    Matrix a = -Matrix::Identity(n, n);
    a.diagonal(1).setConstant(30);  // a Jordan chain: X reaches 30^(2n−2)
    const Matrix w = Matrix::Identity(n, n);
    expect_solves(a, w, solve_lyapunov(a, w));
  }
}

TEST(Lyapunov, OfStiffMatrices) {
  Random random(3);
  const Matrix mix = random.normals(5, 5);
  const Matrix a = mix * Vector{{-1e-6, -1e-2, -1, -1e3, -1e6}}.asDiagonal() * mix.inverse();
  const Matrix w = Matrix::Identity(5, 5);
  expect_solves(a, w, solve_lyapunov(a, w));
}

TEST(Lyapunov, OfAnUnstableMatrixWhoseEigenvaluesDoNotMirror) {
  const Matrix a{{2, 1}, {0, -5}};
  expect_solves(a, Matrix::Identity(2, 2), solve_lyapunov(a, Matrix::Identity(2, 2)));
}

TEST(Lyapunov, OfNothing) { EXPECT_EQ(solve_lyapunov(Matrix(0, 0), Matrix(0, 0)).size(), 0); }

TEST(Lyapunov, RefusesWhatHasNoUniqueSolution) {
  const Matrix w = Matrix::Identity(2, 2);
  EXPECT_THROW(solve_lyapunov(Matrix{{0, 1}, {-4, 0}}, w), Error);  // ±2i
  EXPECT_THROW(solve_lyapunov(Matrix{{-3, 1}, {0, 3}}, w), Error);  // ±3
  EXPECT_THROW(solve_lyapunov(Matrix{{-1, 1}, {0, 0}}, w), Error);  // 0 + 0
  EXPECT_THROW(solve_lyapunov(Matrix::Zero(2, 3), w), Error);       // not square
  EXPECT_THROW(solve_lyapunov(Matrix::Zero(3, 3), w), Error);       // of another size
  EXPECT_THROW(solve_lyapunov(-w, w * std::nan("")), Error);        // not finite
  EXPECT_THROW(solve_lyapunov(Matrix::Constant(2, 2, 1.0 / 0.0), w), Error);
}

}  // namespace
}  // namespace lgn
