#include "lgn/identify/regression/weak_form.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/propagate.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

/// Times about 1 apart, uneven by up to 40%.
Vector uneven_times(Index samples, Random& random) {
  Vector times(samples);
  for (Index k = 0; k < samples; ++k) times[k] = static_cast<double>(k) + 0.4 * random.uniform();
  return times;
}

Dataset one_channel(const Vector& times, const Vector& values) {
  return Dataset({"x"}, {Trajectory("1", times, values.transpose())});
}

// A polynomial of the interpolation's degree is integrated exactly, whatever the times. On t = c +
// rs the means of (1 − s²)⁴ are ⟨s²⟩ = 1/11, ⟨s⁴⟩ = 3/143, ⟨s⁶⟩ = 1/143; odd ones vanish. A
// window's centre is its mean of t. By parts, the mean of a derivative is −∫ψ̇x/∫ψ.
TEST(WeakForm, IsExactForPolynomials) {
  Random random(1);
  const Vector times = uneven_times(60, random);
  const double radius = 6;
  const Regression centres = weak_form(one_channel(times, times), 2 * radius, 1);
  ASSERT_GT(centres.states.cols(), 20);
  const auto mean_power = [&](double c, int degree) {
    const double r2 = radius * radius, c2 = c * c;
    switch (degree) {
      case 0:
        return 1.0;
      case 1:
        return c;
      case 2:
        return c2 + r2 / 11;
      case 3:
        return c * (c2 + 3 * r2 / 11);
      case 4:
        return c2 * c2 + 6 * c2 * r2 / 11 + 3 * r2 * r2 / 143;
      default:
        return c * (c2 * c2 + 10 * c2 * r2 / 11 + 15 * r2 * r2 / 143);
    }
  };
  for (const int order : {1, 3, 5, 7})
    for (int degree = 0; degree <= std::min(order, 5); ++degree) {
      const Vector values = times.array().pow(degree);
      const Regression r = weak_form(one_channel(times, values), 2 * radius, order);
      ASSERT_EQ(r.states.cols(), centres.states.cols());
      for (Index k = 0; k < r.states.cols(); ++k) {
        const double c = centres.states(0, k), scale = std::pow(60.0, degree);
        // Weights of both signs, for degree 7 up to about ten times their sum.
        EXPECT_NEAR(r.states(0, k), mean_power(c, degree), 100 * epsilon * scale);
        const double slope = degree == 0 ? 0.0 : degree * mean_power(c, degree - 1);
        EXPECT_NEAR(r.derivatives(0, k), slope, 100 * epsilon * scale);
      }
    }
}

// The residual of ẋ = Ax falls with the step h like h^(order + 1): interpolation's error.
TEST(WeakForm, HasItsOrder) {
  const System system = rlc(1.0, 0.2);
  for (const int order : {1, 3, 5}) {
    double last = 0;
    for (const double step : {0.4, 0.2, 0.1}) {
      Random random(2);
      const Vector times = step * uneven_times(std::lround(40 / step), random);
      const Matrix states = propagate(system.a, Vector{{1.0, 0.0}}, times);
      const Regression r =
          weak_form(Dataset({"q", "p"}, {Trajectory("1", times, states)}), 4, order);
      const double error = (system.a * r.states - r.derivatives).norm() / r.derivatives.norm();
      // Uneven times make the constant vary: half an order.
      if (last > 0) {
        EXPECT_GE(std::log2(last / error), order + 0.5) << order << " " << step;
      }
      last = error;
    }
  }
}

// Channels with gaps of their own, and runs with times of their own. Steps of 0.05, with gaps up to
// about 0.25, leave (ωh)^8/8! at ω = 1.8: 4e-8 at worst.
TEST(WeakForm, TakesUnevenTimesAndGaps) {
  const System system = ladder(Vector::Constant(3, 0.1), Vector::Ones(3), Vector::Ones(3));
  Random random(3);
  std::vector<Trajectory> runs;
  for (int run = 0; run < 3; ++run) {
    const Vector times = 0.05 * uneven_times(300, random);
    Matrix states = propagate(system.a, random.normals(6), times);
    for (Index k = 0; k < states.size(); ++k)
      if (random.uniform() < 0.3) states.data()[k] = std::nan("");
    runs.emplace_back(std::to_string(run), times, states);
  }
  const Regression r = weak_form(Dataset(system.channels, runs), 2, 7);
  EXPECT_GT(r.states.cols(), 100);
  EXPECT_TRUE(r.states.allFinite() && r.derivatives.allFinite());
  EXPECT_LE((system.a * r.states - r.derivatives).norm(), 4e-8 * r.derivatives.norm());
}

// ẍ of a polynomial of the order is exact: its means over windows whose bumps are even.
TEST(WeakForm, HasSecondDerivativesToo) {
  const Vector times = Vector::LinSpaced(41, 0, 40);
  const Matrix cubic = times.array().cube().matrix().transpose();
  const Matrix clock = times.transpose();
  const Dataset data({"x", "t"},
                     {Trajectory("1", times, (Matrix(2, 41) << cubic, clock).finished())});
  const Regression r = weak_form(data, 12, 3, 2);
  ASSERT_GT(r.states.cols(), 0);
  // Sums of 13 products with weights of 1/radius² on values of 6.4e4.
  EXPECT_LE((r.derivatives.row(0) - 6 * r.states.row(1)).cwiseAbs().maxCoeff(),
            100 * epsilon * 6.4e4);
  EXPECT_LE(r.derivatives.row(1).cwiseAbs().maxCoeff(), 100 * epsilon * 40);
}

// Times 0, 1, …, 40 and windows of 12, whose centres are 1.5 apart: 19 of them, from 6 to 33.
TEST(WeakForm, LeavesOutWindowsWithGaps) {
  const Vector times = Vector::LinSpaced(41, 0, 40);
  Matrix states = Matrix::Ones(2, 41);
  const auto columns = [&] {
    return weak_form(Dataset({"a", "b"}, {Trajectory("1", times, states)}), 12, 1).states.cols();
  };
  EXPECT_EQ(columns(), 19);
  // A gap of 4 = 12/3 is allowed, one of 5 is not: all that overlap 18 … 23 have centres in (12,
  // 29).
  states.row(1).segment(19, 3).setConstant(std::nan(""));
  EXPECT_EQ(columns(), 19);
  states(1, 22) = std::nan("");
  EXPECT_EQ(columns(), 19 - 11);
  // Before a channel's first sample there is no window; here centres from 15 + 6 = 21 on.
  states.setOnes();
  states.row(0).head(15).setConstant(std::nan(""));
  EXPECT_EQ(columns(), 9);
}

TEST(WeakForm, MayBeEmptyAndChecksItsArguments) {
  const Dataset data = one_channel(Vector{{0, 1, 3}}, Vector{{1, 2, 3}});
  EXPECT_EQ(weak_form(data, 3, 1).states.cols(), 0);   // gaps
  EXPECT_EQ(weak_form(data, 10, 1).states.cols(), 0);  // longer than the run
  EXPECT_EQ(weak_form(data, 3, 3).states.cols(), 0);   // four samples needed
  EXPECT_THROW(weak_form(data, 3, 2), Error);
  EXPECT_THROW(weak_form(data, 3, 9), Error);
  EXPECT_THROW(weak_form(data, 0, 1), Error);
  EXPECT_THROW(weak_form(data, std::nan(""), 1), Error);
}

}  // namespace
}  // namespace lgn
