#include "lgn/dynamics/time_basis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "lgn/core/error.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using std::numbers::pi;
using testing::epsilon;

constexpr double begin = -1.5, end = 2.5;

/// Inside the interval, at its ends and at knots of most counts of splines.
Vector times_inside() { return Vector::LinSpaced(241, begin, end); }

/// The uniform knots of `count` cubic splines, each end four times.
Vector knots_of(Index count) {
  Vector knots(count + 4);
  for (Index k = 0; k < knots.size(); ++k)
    knots[k] = begin + (end - begin) * static_cast<double>(std::clamp<Index>(k - 3, 0, count - 3)) /
                           static_cast<double>(count - 3);
  return knots;
}

Matrix splines(Index count, const Vector& times) {
  return SplineBasis(count, begin, end).values({}, times).bottomRows(count);
}

class SplinesOf : public ::testing::TestWithParam<Index> {};

TEST_P(SplinesOf, AreNonNegativeAndSumToOne) {
  const Matrix values = splines(GetParam(), times_inside());
  EXPECT_GE(values.minCoeff(), 0);
  // Four values, each made by three rounded steps.
  EXPECT_LE((values.colwise().sum().array() - 1).abs().maxCoeff(), 12 * epsilon);
}

TEST_P(SplinesOf, AtMostFourAreNotZeroAtATime) {
  const Matrix values = splines(GetParam(), times_inside());
  EXPECT_LE((values.array() != 0).colwise().count().maxCoeff(), 4);
}

TEST_P(SplinesOf, ReproduceEveryCubic) {
  // The coefficients of 1, t, t² and t³ are their polar forms at the three inner knots of each
  // spline; those of t are Greville's abscissae.
  const Index count = GetParam();
  const Vector knots = knots_of(count), t = times_inside();
  Matrix coefficients(4, count), powers(4, t.size());
  for (Index i = 0; i < count; ++i) {
    const double a = knots[i + 1], b = knots[i + 2], c = knots[i + 3];
    coefficients.col(i) << 1, (a + b + c) / 3, (a * b + b * c + c * a) / 3, a * b * c;
  }
  for (Index k = 0; k < t.size(); ++k) powers.col(k) << 1, t[k], t[k] * t[k], t[k] * t[k] * t[k];
  // Values are good to 12 ε, knots to ε times the length of the interval; coefficients are at most
  // 2.5³ = 16.
  EXPECT_LE((coefficients * splines(count, t) - powers).cwiseAbs().maxCoeff(), 16 * 20 * epsilon);
}

TEST_P(SplinesOf, AreSmoothToTheSecondDerivativeAtKnots) {
  const Index count = GetParam();
  const Vector knots = knots_of(count);
  // On either side of a knot a spline is a cubic, for which these differences of four values are
  // exact: 2f₀ − 5f₁ + 4f₂ − f₃ is h² f''. Values are good to 12 ε, and to ε of a time times the
  // slope, at most 3 by h: together 12 · (12 + 3 · 4) ε of rounding in that sum.
  const double h = (end - begin) / static_cast<double>(count - 3) / 4;
  const Matrix weights{{1, 0, 0, 0}, {-11. / 6, 3, -3. / 2, 1. / 3}, {2, -5, 4, -1}};
  for (Index k = 4; k < count; ++k) {
    const Vector steps = h * Vector::LinSpaced(4, 0, 3);
    const Matrix after = splines(count, (knots[k] + steps.array()).matrix());
    const Matrix before = splines(count, (knots[k] - steps.array()).matrix());
    const Matrix right = after * weights.transpose();
    Matrix left = before * weights.transpose();
    left.col(1) *= -1;  // of odd order
    EXPECT_LE((right - left).cwiseAbs().maxCoeff(), 12 * 24 * epsilon) << "knot " << k;
  }
}

TEST_P(SplinesOf, AreHeldOutsideTheInterval) {
  const Index count = GetParam();
  const Matrix values = splines(count, Vector{{begin - 100, begin, end, end + 1e-9, end + 100}});
  Vector first = Vector::Zero(count), last = Vector::Zero(count);
  first[0] = last[count - 1] = 1;
  for (const Index k : {0, 1}) EXPECT_TRUE(values.col(k) == first) << k;
  for (const Index k : {2, 3, 4}) EXPECT_TRUE(values.col(k) == last) << k;
}

INSTANTIATE_TEST_SUITE_P(Few, SplinesOf, ::testing::Values(4, 5, 8, 43));

TEST(SplineBasis, HasTheConstantBesideTheSplines) {
  const SplineBasis basis(6, begin, end);
  EXPECT_EQ(basis.size(), 7);
  EXPECT_TRUE((basis.values({}, times_inside()).row(0).array() == 1).all());
  EXPECT_TRUE(basis.partitions_unity());
  EXPECT_FALSE(basis.extrapolates());
  EXPECT_FALSE(basis.period({}).has_value());
}

TEST(SplineBasis, RefusesTooFewSplinesAndAnEmptyInterval) {
  EXPECT_THROW(SplineBasis(3, 0, 1), Error);
  EXPECT_THROW(SplineBasis(4, 1, 1), Error);
  EXPECT_THROW(SplineBasis(4, 2, 1), Error);
  EXPECT_THROW(SplineBasis(4, 0, std::nan("")), Error);
}

TEST(Harmonics, AreCosinesAndSinesSinceTheOrigin) {
  const Harmonics basis(2, 0.5);
  const Vector omega{{0.7, 3.1}}, times{{-2, 0, 0.5, 4}};
  const Matrix values = basis.values(omega, times);
  ASSERT_EQ(values.rows(), 5);
  for (Index k = 0; k < times.size(); ++k) {
    EXPECT_EQ(values(0, k), 1);
    for (Index j = 0; j < 2; ++j) {
      const double angle = omega[j] * (times[k] - 0.5);
      EXPECT_DOUBLE_EQ(values(1 + 2 * j, k), std::cos(angle));
      EXPECT_DOUBLE_EQ(values(2 + 2 * j, k), std::sin(angle));
    }
  }
}

TEST(Harmonics, SlopesAreCentralDifferences) {
  const Harmonics basis(3, 1.25);
  const Vector omega{{0.4, 1.7, 5.0}}, times = Vector::LinSpaced(41, -3, 5);
  const Matrix slopes = basis.slopes(omega, times);
  Matrix expected = Matrix::Zero(slopes.rows(), slopes.cols());
  constexpr double h = 1e-4;
  for (Index f = 1; f < basis.size(); ++f) {
    Vector up = omega, down = omega;
    up[basis.owner(f)] += h;
    down[basis.owner(f)] -= h;
    expected.row(f) = (basis.values(up, times) - basis.values(down, times)).row(f) / (2 * h);
  }
  // h²/6 of the third derivative, at most |t − origin|³ = 77; rounding of angles up to 21 by ε each,
  // over h.
  EXPECT_LE((slopes - expected).cwiseAbs().maxCoeff(), h * h / 6 * 77 + 22 * epsilon / h);
}

TEST(Harmonics, AFunctionDependsOnItsOwnFrequencyOnly) {
  const Harmonics basis(3);
  const Vector omega{{0.4, 1.7, 5.0}}, times = Vector::LinSpaced(11, -3, 5);
  EXPECT_EQ(basis.owner(0), -1);
  for (Index j = 0; j < basis.parameters(); ++j) {
    Vector moved = omega;
    moved[j] += 0.1;
    const Matrix change = basis.values(moved, times) - basis.values(omega, times);
    for (Index f = 0; f < basis.size(); ++f)
      EXPECT_EQ(change.row(f).isZero(0), basis.owner(f) != j) << f << " " << j;
  }
}

TEST(Harmonics, RepeatAfterThePeriodOfTheLowestFrequency) {
  for (const Vector& omega : {Vector{{0.8}}, Vector{{2.4, 0.8, 1.6}}, Vector{{0.8, 0.8 * 7}}}) {
    const Harmonics basis(omega.size());
    const auto period = basis.period(omega);
    ASSERT_TRUE(period.has_value());
    EXPECT_NEAR(*period, 2 * pi / 0.8, 4 * epsilon * *period);
    const Vector times = Vector::LinSpaced(31, 0, 10);
    const Matrix again = basis.values(omega, (times.array() + *period).matrix());
    // Angles up to 5.6 · 18 are rounded twice, and so is the period.
    EXPECT_LE((again - basis.values(omega, times)).cwiseAbs().maxCoeff(), 4 * 101 * epsilon);
  }
}

TEST(Harmonics, FrequenciesThatAreNotMultiplesHaveNoPeriod) {
  EXPECT_FALSE(Harmonics(2).period(Vector{{1, std::sqrt(2)}}).has_value());
  EXPECT_FALSE(Harmonics(2).period(Vector{{1, 1.0009}}).has_value()) << "a beat";
  EXPECT_FALSE(Harmonics(2).period(Vector{{1, 800.53}}).has_value()) << "not even a part of a turn";
  EXPECT_FALSE(Harmonics(3).period(Vector{{1, 2, 2.9}}).has_value());
  EXPECT_FALSE(Harmonics(0).period(Vector()).has_value());
}

TEST(Harmonics, RepeatAfterSomeTurnsOfTheLowestFrequency) {
  // 2 : 3 after two turns of the lower one, 4 : 5 : 6 after four.
  EXPECT_DOUBLE_EQ(Harmonics(2).period(Vector{{2, 3}}).value(), 2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(Harmonics(3).period(Vector{{1.25, 1, 1.5}}).value(), 8 * std::numbers::pi);
}

TEST(Harmonics, MakeWholeTurnsToAThousandthOfOne) {
  EXPECT_TRUE(Harmonics(2).period(Vector{{1, 3.0009}}).has_value());
  EXPECT_FALSE(Harmonics(2).period(Vector{{1, 3.0011}}).has_value());
}

TEST(FourierFeatures, OfThePaperAreFiftyOneFunctions) {
  Random random(1);
  const auto features = FourierFeatures::draw(25, 0.1, 10, random);
  EXPECT_EQ(features.frequencies().size(), 25);
  EXPECT_EQ(features.size(), 51);
  EXPECT_EQ(features.values({}, Vector::Zero(3)).rows(), 51);
  EXPECT_EQ(features.parameters(), 0);
}

TEST(FourierFeatures, AreDrawnLogUniformlyInsideTheRange) {
  Random random(2);
  constexpr Index count = 4000;
  Vector drawn = FourierFeatures::draw(count, 0.1, 10, random).frequencies();
  EXPECT_GE(drawn.minCoeff(), 0.1);
  EXPECT_LE(drawn.maxCoeff(), 10);
  std::sort(drawn.begin(), drawn.end());
  double distance = 0;  // of Kolmogorov and Smirnov
  for (Index k = 0; k < count; ++k) {
    const double share = std::log(drawn[k] / 0.1) / std::log(100.0);
    distance = std::max(distance, std::abs(share - (static_cast<double>(k) + 0.5) / count));
  }
  // Exceeded by one seed in a thousand if the law is right.
  EXPECT_LE(distance, 1.95 / std::sqrt(static_cast<double>(count)));
}

TEST(FourierFeatures, AreTheSameForASeedAndOthersForAnother) {
  Random one(3), same(3), other(4);
  const Vector drawn = FourierFeatures::draw(25, 0.1, 10, one).frequencies();
  EXPECT_TRUE(drawn == FourierFeatures::draw(25, 0.1, 10, same).frequencies());
  EXPECT_FALSE(drawn == FourierFeatures::draw(25, 0.1, 10, other).frequencies());
}

TEST(FourierFeatures, AreHarmonicsOfFixedFrequencies) {
  const Vector omega{{0.3, 4}}, times = Vector::LinSpaced(9, -1, 7);
  const FourierFeatures fixed(omega, 0.5);
  EXPECT_TRUE(fixed.values({}, times) == Harmonics(2, 0.5).values(omega, times));
  EXPECT_TRUE(fixed.slopes({}, times).isZero(0));
  EXPECT_FALSE(fixed.extrapolates());
  EXPECT_TRUE(Harmonics(2).extrapolates());
}

TEST(TimeBasis, GroupsHoldEveryFunctionButTheConstantOnce) {
  const FourierFeatures fourier(Vector{{1, 2, 3}});
  const Harmonics harmonics(2);
  const SplineBasis spline(5, 0, 1);
  for (const TimeBasis* basis :
       {static_cast<const TimeBasis*>(&fourier), static_cast<const TimeBasis*>(&harmonics),
        static_cast<const TimeBasis*>(&spline)}) {
    std::vector<Index> all;
    for (const auto& group : basis->groups()) all.insert(all.end(), group.begin(), group.end());
    ASSERT_EQ(static_cast<Index>(all.size()), basis->size() - 1) << basis->name();
    for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(all[k], static_cast<Index>(k) + 1);
  }
  // A cosine and its sine belong together; so do all splines.
  EXPECT_EQ(fourier.groups().size(), 3u);
  EXPECT_EQ(harmonics.groups()[1], (std::vector<Index>{3, 4}));
  EXPECT_EQ(spline.groups().size(), 1u);
}

TEST(TimeBasis, FunctionsOtherThanTheConstantHaveDistinctNames) {
  const FourierFeatures fourier(Vector{{1, 2, 3}});
  const Harmonics harmonics(4);
  const SplineBasis spline(12, 0, 1);
  for (const TimeBasis* basis :
       {static_cast<const TimeBasis*>(&fourier), static_cast<const TimeBasis*>(&harmonics),
        static_cast<const TimeBasis*>(&spline)}) {
    std::set<std::string> names;
    for (Index f = 0; f < basis->size(); ++f) names.insert(basis->function_name(f));
    EXPECT_EQ(static_cast<Index>(names.size()), basis->size()) << basis->name();
    EXPECT_TRUE(basis->function_name(0).empty()) << basis->name();
  }
}

}  // namespace
}  // namespace lgn
