#include "lgn/identify/training/adam.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace lgn {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Vector no_bounds(Index n) { return Vector::Constant(n, -infinity); }

/// ½ Σ c_i (x_i − m_i)², conditioned 1 : 100.
double bowl(const Vector& x, Vector& gradient) {
  const Vector c{{1, 10, 100}}, m{{1, -2, 0.5}};
  gradient = c.cwiseProduct(x - m);
  return 0.5 * gradient.dot(x - m);
}

AdamOptions long_run() {
  AdamOptions options;
  options.epochs = 20000;
  return options;
}

TEST(Adam, ReachesTheBottomOfABowl) {
  const AdamResult result = minimize_adam(bowl, Vector::Zero(3), no_bounds(3), long_run());
  EXPECT_TRUE(result.converged);
  EXPECT_FALSE(result.stopped);
  EXPECT_LT(result.epochs, 20000);
  // The rate falls to 1e-16, so only rounding of x is left: 2 ε each, weighted by c.
  EXPECT_LE((result.x - Vector{{1, -2, 0.5}}).norm(), 1e-14);
  EXPECT_LE(result.loss, 1e-27);
}

TEST(Adam, StaysExactlyAtAnActiveBound) {
  const AdamResult result =
      minimize_adam(bowl, Vector::Ones(3), Vector{{-infinity, 0, 0}}, long_run());
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.x[1], 0.0);
  // The loss is 20 at the bound, so the others are seen to √(ε 20 / c) only.
  EXPECT_NEAR(result.x[0], 1, 1e-6);
  EXPECT_NEAR(result.x[2], 0.5, 1e-6);
}

TEST(Adam, ClipsItsStart) {
  AdamOptions options;
  options.epochs = 1;
  const AdamResult result = minimize_adam(bowl, Vector::Constant(3, -5), Vector::Zero(3), options);
  EXPECT_TRUE(result.x == Vector::Zero(3));
  EXPECT_EQ(result.epochs, 1);
  EXPECT_FALSE(result.converged);
}

TEST(Adam, TakesBackAStepIntoANonFiniteRegion) {
  // x − log x has its minimum at 1 and no value below 0; a rate of 5 throws the first step there.
  const Objective wall = [](const Vector& x, Vector& gradient) {
    gradient = Vector{{1 - 1 / x[0]}};
    return x[0] - std::log(x[0]);
  };
  AdamOptions options = long_run();
  options.learning_rate = 5;
  const AdamResult result = minimize_adam(wall, Vector{{3.0}}, no_bounds(1), options);
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(result.x[0], 1, 1e-7);  // a loss near 1 is flat to √(2 ε) = 2e-8
}

TEST(Adam, EndsWhereNothingIsFinite) {
  const Objective nowhere = [](const Vector& x, Vector& gradient) {
    gradient = x;
    return std::nan("");
  };
  const AdamResult result = minimize_adam(nowhere, Vector::Ones(2), no_bounds(2));
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.loss, infinity);
  EXPECT_TRUE(result.x == Vector::Ones(2));
  EXPECT_LT(result.epochs, 100);  // the rate halves from 1e-2 to 1e-16 in 47
}

TEST(Adam, RepeatsBitForBit) {
  const AdamResult one = minimize_adam(bowl, Vector::Zero(3), no_bounds(3));
  const AdamResult same = minimize_adam(bowl, Vector::Zero(3), no_bounds(3));
  EXPECT_TRUE(one.x == same.x);
  EXPECT_EQ(one.loss, same.loss);
  EXPECT_EQ(one.epochs, same.epochs);
}

TEST(Adam, EndsOnAPlateau) {
  const Objective flat = [](const Vector& x, Vector& gradient) {
    gradient = Vector::Constant(x.size(), 1e-9);
    return 1.0;
  };
  AdamOptions options = long_run();
  options.patience = 5;
  const AdamResult result = minimize_adam(flat, Vector::Ones(2), no_bounds(2), options);
  EXPECT_TRUE(result.converged);
  EXPECT_LE(result.epochs, 6 * 48 + 1);  // 47 halvings, one in six epochs
}

TEST(Adam, RunsOutOfEpochs) {
  AdamOptions options;
  options.epochs = 10;
  const AdamResult result = minimize_adam(bowl, Vector::Zero(3), no_bounds(3), options);
  EXPECT_EQ(result.epochs, 10);
  EXPECT_FALSE(result.converged);
}

TEST(Adam, IsEndedByItsObserver) {
  AdamOptions options;
  int calls = 0;
  double last = infinity;
  options.observe = [&](int epoch, double loss) {
    EXPECT_EQ(epoch, ++calls);
    EXPECT_LE(loss, last);  // the best so far
    last = loss;
    return epoch < 25;
  };
  const AdamResult result = minimize_adam(bowl, Vector::Zero(3), no_bounds(3), options);
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.epochs, 25);
  EXPECT_EQ(result.loss, last);
}

TEST(Adam, ReturnsTheLossOfItsPoint) {
  AdamOptions options;
  options.epochs = 500;
  const AdamResult result = minimize_adam(bowl, Vector::Zero(3), no_bounds(3), options);
  Vector gradient;
  EXPECT_EQ(bowl(result.x, gradient), result.loss);
}

TEST(Adam, ShortensLongGradients) {
  // Adam's first step is the rate times the sign of the gradient, however long it is; the second
  // shows the clip: a gradient of 1e6, then one of 1, count the same when both are cut to length 1.
  int call = 0;
  double second = 0, third = 0;
  const Objective burst = [&](const Vector& x, Vector& gradient) {
    gradient = Vector{{++call == 1 ? 1e6 : 1.0}};
    (call == 2 ? second : third) = x[0];
    return 10.0 - call;
  };
  AdamOptions options;
  options.epochs = 3;
  minimize_adam(burst, Vector{{0.0}}, no_bounds(1), options);
  EXPECT_NEAR(second, -0.01, 1e-15);
  EXPECT_NEAR(third, -0.02, 1e-15);
}

}  // namespace
}  // namespace lgn
