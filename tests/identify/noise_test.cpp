#include "lgn/identify/likelihood/noise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/random.h"
#include "lgn/dynamics/affine.h"
#include "lgn/flow/propagate.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

const Vector sigma{{1e-3, 0.1, 2}};
const Vector sizes = Vector::Ones(3);
constexpr double bound = 4;  ///< standard errors: exceeded by chance once in 16,000

/// Two runs of 1,000 samples of a system in three channels, each with noise of its own size; every
/// `outlier`th value is off by a further 100 σ.
struct Observed {
  Matrix a, starts;
  std::vector<Trajectory> runs;

  explicit Observed(Index outlier = 0) : a{{-0.1, 1, 0}, {-1, -0.1, 2}, {0, -2, 0}} {
    Random random(31);
    starts = random.normals(3, 2);
    const Vector times = 0.01 * Vector::LinSpaced(1000, 0, 999);
    for (Index r = 0; r < 2; ++r) {
      Matrix noise = random.normals(3, 1000);
      for (Index k = 0; outlier > 0 && k < noise.size(); k += outlier)
        noise(k) += noise(k) > 0 ? 100 : -100;
      runs.emplace_back(std::to_string(r), times,
                        propagate(a, starts.col(r), times) + sigma.asDiagonal() * noise);
    }
  }
  Dataset data() const { return Dataset({"a", "b", "c"}, runs); }
};

/// A generator that nothing can move.
AffineStructure fixed(const Matrix& a) { return AffineStructure(a, Matrix(0, a.cols())); }

TEST(Noise, OfEachChannelWithinSamplingError) {
  const Observed observed;
  const AffineStructure structure = fixed(observed.a);
  const Problem problem(observed.data(), structure, sigma);
  EXPECT_EQ(problem.degrees_of_freedom(), 6000 - 6);
  // σ̂ has a relative error of 1/√(2N) from squares, N = 2000 samples, of 1/√(2·0.37 N) from the
  // median, whose efficiency is 37%.
  const auto profile = problem.profile({});
  const auto squares = estimate_noise(problem, *profile, sizes, false);
  const auto robust = estimate_noise(problem, *profile, sizes, true);
  for (Index c = 0; c < 3; ++c) {
    EXPECT_NEAR(squares.sigma[c] / sigma[c], 1, bound / std::sqrt(2 * 2000));
    EXPECT_NEAR(robust.sigma[c] / sigma[c], 1, bound / std::sqrt(2 * 0.37 * 2000));
  }
  EXPECT_TRUE(squares.factors.empty());
  EXPECT_EQ(squares.samples, 2000);
}

TEST(Noise, UnknownsTakeTheirShareOfTheResiduals) {
  // Starts fitted to short runs: 8 samples each, so that an eighth of all values is used up.
  Random random(32);
  const Matrix a = Observed().a;
  const Vector times = 0.1 * Vector::LinSpaced(8, 0, 7);
  std::vector<Trajectory> runs;
  for (int r = 0; r < 250; ++r)
    runs.emplace_back("", times, propagate(a, random.normals(3), times) + random.normals(3, 8));
  const AffineStructure structure = fixed(a);
  const Problem problem(Dataset({"a", "b", "c"}, runs), structure, sizes);
  const double freedom = 6000 - 750;
  const auto noise = estimate_noise(problem, *problem.profile({}), sizes, false);
  // The mean of σ̂² over channels is χ² with `freedom` degrees: relative error √(2/freedom).
  EXPECT_NEAR(noise.sigma.squaredNorm() / 3, 1, bound * std::sqrt(2 / freedom));
}

TEST(Noise, RobustEstimateIsUnmovedByOutliers) {
  const Observed observed(20);
  const AffineStructure structure = fixed(observed.a);
  const Problem problem(observed.data(), structure, sizes, {.initial_states = observed.starts});
  const auto profile = problem.profile({});
  const auto robust = estimate_noise(problem, *profile, sizes, true);
  const auto squares = estimate_noise(problem, *profile, sizes, false);
  for (Index c = 0; c < 3; ++c) {
    // With 5% beyond it the median is the quantile ½/0.95 of |r|: 0.7168 σ instead of 0.6745 σ.
    EXPECT_NEAR(robust.sigma[c] / sigma[c], 0.7168 / 0.6745, bound / std::sqrt(2 * 0.37 * 2000));
    EXPECT_GT(squares.sigma[c] / sigma[c], 20);  // √(1 + 0.05 · 100²) = 22.4
  }
}

TEST(Noise, FactorsAreHubers) {
  const Observed observed(20);
  const AffineStructure structure = fixed(observed.a);
  const Problem problem(observed.data(), structure, sizes, {.initial_states = observed.starts});
  const auto profile = problem.profile({});
  const auto noise = estimate_noise(problem, *profile, sizes, true);
  const auto residuals = problem.residuals(*profile);
  ASSERT_EQ(noise.factors.size(), 2u);
  Index full = 0;
  for (std::size_t r = 0; r < 2; ++r)
    for (Index k = 0; k < 1000; ++k)
      for (Index c = 0; c < 3; ++c) {
        const double size = std::abs(residuals[r](c, k)) / noise.sigma[c];
        const double factor = noise.factors[r](c, k);
        EXPECT_NEAR(factor, size > 1.345 ? 1.345 / size : 1, 4 * epsilon);
        full += factor == 1;
      }
  // 1.345 σ̂ = 1.43 σ: 84.7% of 95% of 6,000 values, binomial.
  EXPECT_NEAR(static_cast<double>(full), 0.805 * 6000, bound * std::sqrt(6000 * 0.805 * 0.195));
}

/// Constants in three channels, seen without error but for `noise` times ±1.
NoiseEstimate of_constants(const Vector& noise, bool robust) {
  Matrix states = Matrix::Ones(3, 20);
  for (Index k = 0; k < 20; ++k) states.col(k) += (k % 2 == 0 ? 1.0 : -1.0) * noise;
  const Dataset data({"a", "b", "c"}, {Trajectory("", Vector::LinSpaced(20, 0, 19), states)});
  const AffineStructure structure = fixed(Matrix::Zero(3, 3));
  const Problem problem(data, structure, sizes, {.initial_states = Matrix::Ones(3, 1)});
  return estimate_noise(problem, *problem.profile({}), Vector{{1, 2, 5}}, robust);
}

TEST(Noise, AChannelWithoutResidualHasAThousandthOfTheMiddleOne) {
  for (const bool robust : {false, true}) {
    const double factor = robust ? 1.4826 : 1;
    const auto noise = of_constants(Vector{{0.25, 0.125, 0}}, robust);
    // Powers of two and sums of 20 of them are exact but for the mean and its root.
    EXPECT_NEAR(noise.sigma[0], factor * 0.25, 8 * epsilon);
    EXPECT_NEAR(noise.sigma[1], factor * 0.125, 8 * epsilon);
    // Relative to sizes 1, 2 and 5 the middle one is 0.125/2.
    EXPECT_NEAR(noise.sigma[2], 1e-3 * factor * 0.0625 * 5, 8 * epsilon);
  }
}

TEST(Noise, IsNeverZero) {
  const auto noise = of_constants(Vector::Zero(3), true);
  EXPECT_TRUE(noise.sigma.isApprox(1e-15 * Vector{{1, 2, 5}}));
  for (const auto& factors : noise.factors) EXPECT_TRUE((factors.array() == 1).all());
}

TEST(Noise, ResemblesAnotherUpToACommonFactorAndChance) {
  const NoiseEstimate one{Vector{{1, 2, 3}}, {}, 0};
  EXPECT_TRUE(one.resembles({Vector{{10, 20, 30}}, {}, 1e9}));
  // With many samples 2% decide; logarithms less their mean are log 1.05 · (⅔, −⅓, −⅓).
  EXPECT_FALSE(one.resembles({Vector{{1.05, 2, 3}}, {}, 1e9}));
  EXPECT_TRUE(one.resembles({Vector{{1.02, 2, 3}}, {}, 1e9}));
  // With 200 samples 4/√400 = 20% are chance: log 1.3 · ⅔ = 0.17, log 1.4 · ⅔ = 0.22.
  EXPECT_TRUE(one.resembles({Vector{{1.3, 2, 3}}, {}, 200}));
  EXPECT_FALSE(one.resembles({Vector{{1.4, 2, 3}}, {}, 200}));
}

TEST(Noise, ResemblesAnotherOnlyWithTheSameFactors) {
  const Matrix factors = Matrix::Constant(2, 5, 0.5);
  const NoiseEstimate one{Vector{{1, 2}}, {factors, factors}, 100};
  NoiseEstimate other = one;
  EXPECT_TRUE(one.resembles(other));
  other.factors[1](1, 4) += 0.9e-3;  // below a thousandth
  EXPECT_TRUE(one.resembles(other));
  other.factors[1](1, 4) += 0.2e-3;
  EXPECT_FALSE(one.resembles(other));
  other.factors.clear();
  EXPECT_FALSE(one.resembles(other));
}

}  // namespace
}  // namespace lgn
