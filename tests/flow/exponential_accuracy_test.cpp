#include <gtest/gtest.h>

#include "lgn/flow/exponential.h"
#include "tests/core/machine_epsilon.h"
#include "tests/flow/exponential_cases.h"
#include "tests/flow/exponential_oracle.h"

namespace lgn::testing {
namespace {

class ExponentialAccuracy : public ::testing::TestWithParam<ExponentialCase> {};

// A backward stable method returns exp(A + ΔA), ‖ΔA‖ ≤ ε‖A‖, and so errs by ε κ, or by ε where κ <
// 1 because the result is rounded. Ten times that is allowed, for exp and for its derivative with
// its own condition number.
TEST_P(ExponentialAccuracy, WithinTenTimesWhatTheConditionAllows) {
  const Matrix& a = GetParam().a;
  const Index n = a.rows();
  Random random(77);
  const Matrix e = random.normals(n, n);
  const QuadFlow exact = block_oracle(a, e), check = block_oracle(a, e, 3);
  // The reference itself: good to four more digits than a double.
  ASSERT_LE(relative_error(check.value, exact.value), 1e-20);
  ASSERT_LE(relative_error(check.derivative, exact.derivative), 1e-20);
  const Conditions condition = conditions(a, e);

  const Exponential flow(a);
  const Matrix derivative = flow.derivative(e), adjoint = flow.adjoint(e.transpose());
  ASSERT_TRUE(flow.value().allFinite());
  ASSERT_TRUE(derivative.allFinite() && adjoint.allFinite());
  const double value_error = relative_error(flow.value(), exact.value);
  const double derivative_error = relative_error(derivative, exact.derivative);
  // L(Aᵀ, Eᵀ) = L(A, E)ᵀ
  const double adjoint_error = relative_error(adjoint.transpose(), exact.derivative);
  const double allowed = epsilon * std::max(1.0, condition.exponential);
  const double allowed_derivative = epsilon * std::max(1.0, condition.derivative);
  EXPECT_LE(value_error, 10 * allowed);
  EXPECT_LE(derivative_error, 10 * allowed_derivative);
  EXPECT_LE(adjoint_error, 10 * allowed_derivative);
  RecordProperty("value_ratio", std::to_string(value_error / allowed));
  RecordProperty("derivative_ratio", std::to_string(derivative_error / allowed_derivative));
}

INSTANTIATE_TEST_SUITE_P(Hard, ExponentialAccuracy, ::testing::ValuesIn(hard_cases()),
                         [](const auto& test) { return test.param.name; });

// One input in each Taylor degree's interval, then with squarings, and one that a large norm does
// not force to be squared; norms from 1e-8 to 1e3.
struct Branch {
  double norm;
  int degree, fewest_squarings, most_squarings;
};
class ExponentialBranch : public ::testing::TestWithParam<Branch> {};

TEST_P(ExponentialBranch, TakesItAndAgreesWithTheBlockOracle) {
  const auto [norm, degree, fewest, most] = GetParam();
  Random random(5);
  Matrix a = random_sd(6, random);
  a *= norm / norm1(a);
  const Matrix e = random.normals(6, 6), g = random.normals(6, 6);
  const Exponential flow(a);
  EXPECT_EQ(flow.taylor_degree(), degree);
  EXPECT_GE(flow.squarings(), fewest);
  EXPECT_LE(flow.squarings(), most);
  // A contraction's κ is at most ‖A‖_F/‖exp A‖_F: 1e-13 = 450 ε is ample up to a norm of 100, then
  // it grows with it.
  const double tolerance = 1e-13 * std::max(1.0, norm / 100);
  EXPECT_LE(relative_error(flow.value(), quad_exponential(a)), tolerance);
  EXPECT_LE(relative_error(flow.derivative(e), block_oracle(a, e).derivative), tolerance);
  EXPECT_LE(relative_error(flow.adjoint(g), block_oracle(a.transpose(), g).derivative), tolerance);
}

INSTANTIATE_TEST_SUITE_P(Every, ExponentialBranch,
                         ::testing::Values(Branch{1e-8, 4, 0, 0}, Branch{2e-4, 4, 0, 0},
                                           Branch{3e-4, 8, 0, 0}, Branch{3e-2, 8, 0, 0},
                                           Branch{5e-2, 12, 0, 0}, Branch{0.24, 12, 0, 0},
                                           Branch{0.25, 18, 0, 0}, Branch{0.93, 18, 0, 0},
                                           Branch{2.5, 18, 1, 3}, Branch{10, 18, 2, 5},
                                           Branch{100, 18, 5, 8}, Branch{1e3, 18, 8, 11}));

TEST(ExponentialBranch, LargeNormOfANilpotentMatrixNeedsNoSquaring) {
  const Matrix a{{0, 50}, {0, 0}};
  const Exponential flow(a);
  EXPECT_EQ(flow.taylor_degree(), 18);
  EXPECT_EQ(flow.squarings(), 0);
  // Only I + A is not zero; each entry is a sum of few rounded terms.
  EXPECT_LE((flow.value() - Matrix{{1, 50}, {0, 1}}).norm(), 4 * epsilon * 50);
}

}  // namespace
}  // namespace lgn::testing
