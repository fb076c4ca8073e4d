#include "lgn/flow/sampled_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "lgn/core/random.h"
#include "lgn/flow/exponential.h"
#include "lgn/flow/propagate.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

struct Case {
  std::string name;
  Matrix a;
  Vector times;
};

Vector times_of(Index samples, const std::function<double(Index)>& step) {
  Vector t(samples);
  t[0] = 0.3;
  for (Index k = 1; k < samples; ++k) t[k] = t[k - 1] + step(k);
  return t;
}

/// S − diag(d): no state grows.
Matrix dissipative(Index n, Random& random) {
  const Matrix m = random.normals(n, n);
  Matrix a = m - m.transpose();
  for (Index i = 0; i < n; ++i) a(i, i) = -random.uniform();
  return a;
}

/// One case per way that the flow can take: up to 8 distinct steps it has their exponentials, beyond
/// them the series, unless ‖A‖ times the longest step exceeds 30.
std::vector<Case> cases() {
  Random random(11);
  const Matrix a = dissipative(4, random);
  Matrix stiff = a;
  stiff(0, 0) = -1000;
  Matrix jordan = -0.5 * Matrix::Identity(4, 4);
  jordan.diagonal(1).setOnes();  // one eigenvector
  const Vector uniform = times_of(31, [](Index) { return 0.1; });
  const Vector few = times_of(31, [](Index k) {
    return k % 3 == 0 ? 0.07 : k % 3 == 1 ? 0.1 : 0.4;
  });
  const Vector many = times_of(31, [&](Index) { return 0.05 + 0.1 * random.uniform(); });
  const Vector long_steps = times_of(31, [&](Index) { return 0.5 + 2 * random.uniform(); });
  return {{"Uniform", a, uniform},
          {"FewSteps", a, few},
          {"ManySteps", a, many},
          {"ManyLongSteps", a, long_steps},
          {"StiffUniform", stiff, uniform},
          {"StiffManySteps", stiff, many},
          {"DefectiveUniform", jordan, uniform},
          {"DefectiveManySteps", jordan, many},
          {"Zero", Matrix::Zero(4, 4), many},
          {"OneState", Matrix::Constant(1, 1, -0.7), many},
          {"OneStep", a, times_of(2, [](Index) { return 0.1; })}};
}

class SampledFlowOf : public ::testing::TestWithParam<Case> {
 protected:
  const Matrix& a = GetParam().a;
  const Vector& times = GetParam().times;
  const Index n = a.rows(), samples = times.size();
  const double duration = times[samples - 1] - times[0];
  const SampledFlow flow{a, find_steps(times)};
  Random random{12};
  const Matrix starts = random.normals(n, 2), directions = random.normals(3 * n, n);

  /// Derivatives of the states along each direction.
  std::vector<Matrix> by_direction() const {
    std::vector<Matrix> result;
    for (Index q = 0; q < 3; ++q)
      result.push_back(flow.derivative(directions.middleRows(q * n, n), starts));
    return result;
  }
  Matrix exponential_to(Index k) const { return exponential((times[k] - times[0]) * a); }
  /// The largest ‖exp(At)‖ on the way: 1 for all but the defective ones, about 2 for those.
  double growth() const {
    double largest = 1;
    for (Index k = 0; k < samples; ++k) largest = std::max(largest, exponential_to(k).norm());
    return largest;
  }
  /// Each of K steps rounds n products of a map that is good to ε max(1, δ‖A‖); errors made early
  /// are carried along by exp(At).
  double tolerance() const {
    const double rounds = static_cast<double>(samples) + duration * norm1(a);
    return 4 * static_cast<double>(n) * rounds * epsilon * growth() * growth();
  }
};

TEST_P(SampledFlowOf, StatesAreThoseOfPropagate) {
  ASSERT_EQ(flow.samples(), samples);
  const Matrix states = flow.states(starts);
  ASSERT_EQ(states.rows(), samples * n);
  for (Index r = 0; r < starts.cols(); ++r) {
    const Matrix expected = propagate(a, starts.col(r), times);
    EXPECT_LE((states.col(r) - expected.reshaped()).norm(), tolerance() * expected.norm());
    EXPECT_TRUE(states.col(r).head(n) == starts.col(r));
  }
}

TEST_P(SampledFlowOf, MapsAreExponentials) {
  const Matrix maps = flow.maps();
  for (Index k = 0; k < samples; ++k)
    EXPECT_LE((maps.middleRows(k * n, n) - exponential_to(k)).norm(), tolerance() * growth()) << k;
}

/// ∂exp(At) along E is the upper right block of exp(t [A E; 0 A]) (Van Loan, IEEE Trans. Automat.
/// Contr. 23:395, 1978).
Matrix derivative_of_exponential(const Matrix& a, const Matrix& e, double t) {
  const Index n = a.rows();
  Matrix block = Matrix::Zero(2 * n, 2 * n);
  block.topLeftCorner(n, n) = block.bottomRightCorner(n, n) = t * a;
  block.topRightCorner(n, n) = t * e;
  return exponential(block).topRightCorner(n, n);
}

TEST_P(SampledFlowOf, DerivativesAreThoseOfTheExponential) {
  const auto derivatives = by_direction();
  for (Index q = 0; q < 3; ++q) {
    const Matrix e = directions.middleRows(q * n, n);
    // ∂x(t) = ∫ exp(A(t − s)) E exp(As) x₀ ds is at most this.
    const double size = duration * e.norm() * growth() * growth();
    for (Index k = 0; k < samples; ++k) {
      const Matrix map = derivative_of_exponential(a, e, times[k] - times[0]);
      for (Index r = 0; r < starts.cols(); ++r) {
        const auto found = derivatives[static_cast<std::size_t>(q)].col(r).segment(k * n, n);
        EXPECT_LE((found - map * starts.col(r)).norm(), tolerance() * size * starts.col(r).norm())
            << k << " " << q << " " << r;
      }
    }
  }
}

TEST_P(SampledFlowOf, AdjointIsTheTransposeOfTheDerivative) {
  const Matrix states = flow.states(starts);
  const auto derivatives = by_direction();
  const Matrix pull = random.normals(states.rows(), states.cols());
  const auto [generator, by_start] = flow.adjoint(states, pull);
  for (Index q = 0; q < 3; ++q) {
    double forwards = 0, size = 0;
    for (Index r = 0; r < starts.cols(); ++r) {
      const Vector moved = derivatives[static_cast<std::size_t>(q)].col(r);
      forwards += pull.col(r).dot(moved);
      size += pull.col(r).norm() * std::max(moved.norm(), duration * starts.col(r).norm());
    }
    const double backwards = generator.cwiseProduct(directions.middleRows(q * n, n)).sum();
    EXPECT_NEAR(forwards, backwards, tolerance() * size * directions.middleRows(q * n, n).norm());
  }
  const Matrix change = random.normals(n, starts.cols()), moved = flow.states(change);
  EXPECT_NEAR(pull.cwiseProduct(moved).sum(), by_start.cwiseProduct(change).sum(),
              tolerance() * pull.norm() * moved.norm());
}

TEST_P(SampledFlowOf, ManyDirectionsAtOnceAreTheSame) {
  const Matrix together = flow.transposed_derivatives(directions, starts);
  const auto alone = by_direction();
  for (Index q = 0; q < 3; ++q)
    for (Index r = 0; r < starts.cols(); ++r)
      for (Index i = 0; i < n; ++i)
        for (Index k = 0; k < samples; ++k)
          EXPECT_NEAR(together(r * 3 + q, i * samples + k),
                      alone[static_cast<std::size_t>(q)](k * n + i, r),
                      tolerance() * std::max(alone[static_cast<std::size_t>(q)].norm(),
                                             duration * directions.middleRows(q * n, n).norm()));
}

INSTANTIATE_TEST_SUITE_P(Every, SampledFlowOf, ::testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST(SampledFlow, GrowthThatOverflowsIsNotFinite) {
  // exp(800) exceeds the range of doubles; it must not turn into a number.
  const SampledFlow flow(Matrix::Constant(1, 1, 1.0), find_steps(Vector{{0, 400, 800}}));
  const Matrix states = flow.states(Matrix::Ones(1, 1));
  // exp at 400 is good to its condition number, 400 ε.
  EXPECT_NEAR(states(1) / std::exp(400), 1, 1000 * epsilon);
  EXPECT_FALSE(std::isfinite(states(2)));
}

}  // namespace
}  // namespace lgn
