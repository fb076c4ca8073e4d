#include "lgn/flow/propagate.h"

#include <gtest/gtest.h>

#include "lgn/flow/exponential.h"
#include "tests/core/machine_epsilon.h"
#include "tests/flow/exponential_cases.h"

namespace lgn {
namespace {

using testing::random_sd;

using testing::epsilon;

/// Column k against exp(A (t_k − t_0)) x_0 in one step. Both round by n ε in a product and by ε ‖A‖
/// t through the exponent; there is a product for each of k steps, and the state never exceeds
/// ‖x_0‖.
void expect_flow(const Matrix& a, const Vector& x0, const Vector& t) {
  const Matrix states = propagate(a, x0, t);
  ASSERT_EQ(states.cols(), t.size());
  for (Index k = 0; k < t.size(); ++k) {
    const double time = t[k] - t[0];
    const double roundings = static_cast<double>(a.rows() * (k + 10)) + 16 * norm1(a) * time;
    EXPECT_LE((states.col(k) - exponential(time * a) * x0).norm(), epsilon * roundings * x0.norm())
        << k;
  }
}

TEST(Propagate, UniformTimes) {
  Random random(1);
  const Matrix a = random_sd(4, random);
  Vector t(300);
  for (Index k = 0; k < t.size(); ++k) t[k] = 0.1 * static_cast<double>(k) - 3;
  expect_flow(a, random.normals(4), t);
}

TEST(Propagate, UnevenTimes) {
  Random random(2);
  const Matrix a = random_sd(5, random);
  Vector t(100);
  t[0] = 12;
  for (Index k = 1; k < t.size(); ++k) t[k] = t[k - 1] + 0.3 * random.uniform() + 1e-3;
  expect_flow(a, random.normals(5), t);
}

TEST(Propagate, FirstStateIsTheStart) {
  Random random(3);
  const Matrix a = random_sd(3, random);
  const Vector x0 = random.normals(3);
  EXPECT_TRUE(propagate(a, x0, Vector{{5.0}}) == x0);
  EXPECT_TRUE(propagate(a, x0, Vector{{5.0, 6.0}}).col(0) == x0);
  EXPECT_EQ(propagate(a, x0, Vector(0)).cols(), 0);
}

TEST(Propagate, OscillatorIsACosine) {
  const double w = 2.5;
  Vector t(1000);
  for (Index k = 0; k < t.size(); ++k) t[k] = 0.01 * static_cast<double>(k);
  const Matrix x = propagate(Matrix{{0, 1}, {-w * w, 0}}, Vector{{1, 0}}, t);
  for (Index k = 0; k < t.size(); ++k) {
    // A rounding of 2 ε ‖A‖ in each of k products of 2 × 2 matrices.
    const double tolerance = 2 * epsilon * (1 + w * w) * static_cast<double>(k + 1);
    EXPECT_NEAR(x(0, k), std::cos(w * t[k]), tolerance);
    EXPECT_NEAR(x(1, k), -w * std::sin(w * t[k]), tolerance);
  }
}

}  // namespace
}  // namespace lgn
