#include "lgn/dynamics/law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/parametric.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::string complaint(const std::string& name, Index dimension) {
  try {
    find_law(name, dimension);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(FindLaw, SaysWhatDoesNotFit) {
  EXPECT_EQ(complaint("oscillator", 3),
            "the law \"oscillator\" has two states, but the data have 3 channels; choose the "
            "channels: `channels`");
  EXPECT_EQ(complaint("rlc", 1),
            "the law \"rlc\" has two states, but the data have 1 channel; choose the channels: "
            "`channels`");
  EXPECT_NE(complaint("ladder", 5).find("a voltage and a current per section"), std::string::npos);
  EXPECT_NE(complaint("ladder", 0), "");
  EXPECT_EQ(
      complaint("pendulum", 2),
      "unknown law \"pendulum\"; laws are oscillator, rlc, ladder, ltv-oscillator, ltv-chain");
}

TEST(FindLaw, FindsTheLaws) {
  EXPECT_EQ(find_law("oscillator", 2).name(), "oscillator");
  EXPECT_EQ(find_law("rlc", 2).name(), "rlc");
  EXPECT_EQ(find_law("ladder", 6).dimension(), 6);
  EXPECT_EQ(find_law("ladder", 6).constants().size(), 9u);
}

TEST(Law, GeneratorsAreTheirFormulas) {
  EXPECT_TRUE(oscillator_law().generator(Vector{{3.0}}) == (Matrix{{0, 1}, {-9, 0}}));
  EXPECT_TRUE(rlc_law().generator(Vector{{4.0, 0.5}}) == (Matrix{{0, 1}, {-4, -0.5}}));
  // Two sections, R = (1, 3), L = (2, 4), C = (5, 8): C v̇_k = i_(k−1) − i_k, L i̇_k = v_k − v_(k+1)
  // − R i_k.
  const Matrix ladder{
      {0, -0.2, 0, 0}, {0.5, -0.5, -0.5, 0}, {0, 0.125, 0, -0.125}, {0, 0, 0.25, -0.75}};
  EXPECT_TRUE(ladder_law(2).generator(Vector{{1, 3, 2, 4, 5, 8}}) == ladder);
}

TEST(Law, DerivativeIsExactToRounding) {
  const Law law("test", 1, {{"a"}, {"b"}}, [](const auto& p, auto& a) {
    using std::exp, std::sin, std::sqrt;
    a << exp(p[0]) * sin(p[1]) / sqrt(p[0]);
  });
  const double a = 1.7, b = -0.4;
  const Vector p{{a, b}};
  // A handful of library functions, each good to ε.
  const double by_a = std::exp(a) * std::sin(b) / std::sqrt(a) * (1 - 0.5 / a);
  const double by_b = std::exp(a) * std::cos(b) / std::sqrt(a);
  EXPECT_NEAR(law.derivative(p, 0)(0, 0), by_a, 10 * epsilon * std::abs(by_a));
  EXPECT_NEAR(law.derivative(p, 1)(0, 0), by_b, 10 * epsilon * std::abs(by_b));
}

TEST(Law, WithoutAPromiseGuaranteesNothing) {
  const Law law("free", 1, {{"a"}}, [](const auto& p, auto& a) { a << p[0]; });
  EXPECT_FALSE(law.guarantee().stable || law.guarantee().dissipative ||
               law.guarantee().conservative);
  EXPECT_FALSE(law.energy(Vector{{1.0}}));
}

TEST(Parametric, PositiveConstantsAreDifferencesWithTheirInverse) {
  const ParametricStructure s(oscillator_law());
  for (const double p : {1e-12, 1e-3, 0.5, 1.0, 2.0, 1e3, 1e12}) {
    const Vector theta = s.parameters_of(Vector{{p}});
    EXPECT_NEAR(theta[0], p - 1 / p, 4 * epsilon * (p + 1 / p));
    // θ carries p to ε where p ≥ 1 and 1/p to ε where p < 1; a few roundings on the way back.
    EXPECT_NEAR(s.constants(theta)[0] / p, 1, 8 * epsilon) << p;
  }
}

TEST(Parametric, ConstantsKeepTheirRangesForEveryTheta) {
  const ParametricStructure s(rlc_law());
  for (const double theta : {-1e300, -1e6, -1.0, 0.0, 1.0, 1e6, 1e300}) {
    const Vector p = s.constants(Vector{{theta, theta}});
    EXPECT_GT(p[0], 0) << theta;
    EXPECT_TRUE(std::isfinite(p[0])) << theta;
    EXPECT_EQ(p[1], std::max(theta, 0.0));
  }
  EXPECT_TRUE(s.lower_bounds() == (Vector{{-kInfinite, 0}}));
}

TEST(Parametric, NamedValuesAreTheConstants) {
  const ParametricStructure s(ladder_law(2));
  const Vector p{{1, 0, 2, 4, 5, 8}};
  const auto values = s.named_values(s.parameters_of(p));
  ASSERT_EQ(values.size(), 6u);
  const char* names[] = {"R1", "R2", "L1", "L2", "C1", "C2"};
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(values[k].name, names[k]);
    EXPECT_EQ(values[k].shape, NamedValue::Shape::scalar);
    EXPECT_NEAR(values[k].value(0, 0), p[static_cast<Index>(k)], 8 * epsilon * 8);
  }
}

TEST(Parametric, ProjectionFindsTheConstantsOfAMember) {
  const ParametricStructure s(ladder_law(3));
  const Vector p{{0.3, 0, 2, 0.1, 5, 1, 20, 0.5, 0.01}};
  const Vector found = s.constants(s.project(s.law().generator(p)));
  // Levenberg–Marquardt with zero residual ends at rounding, amplified by the spread of 1/L and
  // 1/C: 2000.
  EXPECT_LE((found - p).cwiseAbs().maxCoeff(), 2000 * 20 * epsilon);
}

// A member comes back from its own projection whatever its constants, from 1e-6 to 1e6: the search ends where
// the distance is rounding, k ε of A. For an arbitrary A the nearest member may not exist (a constant would have
// to be 0 or ∞); the distance, a sum of squares, then shows such a constant down to √ε only.
TEST(Parametric, ProjectionIsOnceAndForAll) {
  Random random(5);
  for (const Index sections : {1, 3, 7})
    for (const double scale : {1.0, 30.0, 1e3, 1e6}) {
      const ParametricStructure structure(ladder_law(sections));
      for (int trial = 0; trial < 10; ++trial) {
        const Matrix member = structure.generator(scale * random.normals(3 * sections));
        const Matrix found = structure.generator(structure.project(member));
        EXPECT_LE((found - member).norm(), 100 * epsilon * member.norm())
            << sections << " " << scale;

        const Matrix any = scale * random.normals(2 * sections, 2 * sections);
        const Matrix once = structure.generator(structure.project(any));
        const Matrix twice = structure.generator(structure.project(once));
        EXPECT_LE((twice - once).norm(), 4 * std::sqrt(epsilon) * once.norm())
            << sections << " " << scale;
      }
    }
}

}  // namespace
}  // namespace lgn
