#include "experiments/baselines/lbfgs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgn/core/error.h"

namespace lgn::studies {
namespace {

using Ending = LbfgsResult::Ending;

/// Rosenbrock's valley, 0 at (1, 1).
double valley(const Vector& x, Vector& gradient) {
  const double across = x[1] - x[0] * x[0], along = 1 - x[0];
  gradient = Vector{{-400 * x[0] * across - 2 * along, 200 * across}};
  return 100 * across * across + along * along;
}

TEST(Lbfgs, FollowsAValley) {
  const LbfgsResult result = minimize_lbfgs(valley, Vector{{-1.2, 1}});
  // The least curvature is 0.4, so a loss of ε² leaves x at ε √(2/0.4) = 5e-16, a few roundings.
  EXPECT_LE((result.x - Vector::Ones(2)).norm(), 1e-14);
  EXPECT_LE(result.evaluations, 200);
  Vector gradient;
  EXPECT_EQ(valley(result.x, gradient), result.loss);
}

TEST(Lbfgs, StopsByItsTolerances) {
  const LbfgsResult coarse = minimize_lbfgs(valley, Vector{{-1.2, 1}}, {.loss_tolerance = 1e-3});
  EXPECT_EQ(coarse.ending, Ending::converged);
  const LbfgsResult fine = minimize_lbfgs(valley, Vector{{-1.2, 1}}, {.gradient_tolerance = 1e-6});
  EXPECT_EQ(fine.ending, Ending::converged);
  Vector gradient;
  valley(fine.x, gradient);
  EXPECT_LE(gradient.norm(), 1e-6);
  EXPECT_LT(coarse.evaluations, fine.evaluations);
}

TEST(Lbfgs, ComesBackFromWhereThereIsNoLoss) {
  // x − log x has its minimum at 1 and no value below 0, where the first step of length 1 leads.
  int lost = 0;
  const Objective wall = [&](const Vector& x, Vector& gradient) {
    gradient = Vector{{1 - 1 / x[0]}};
    lost += x[0] < 0 ? 1 : 0;
    return x[0] - std::log(x[0]);
  };
  for (const double start : {0.9, 3.0, 1e-3, 50.0}) {
    const LbfgsResult result = minimize_lbfgs(wall, Vector{{start}});
    EXPECT_NEAR(result.x[0], 1, 1e-7) << start;  // a loss near 1 is flat to √(2 ε) = 2e-8
  }
  const Objective steep = [&](const Vector& x, Vector& gradient) {
    gradient = Vector{{1 - 0.01 / x[0]}};
    lost += x[0] < 0 ? 1 : 0;
    return x[0] - 0.01 * std::log(x[0]);
  };
  EXPECT_NEAR(minimize_lbfgs(steep, Vector{{0.5}}).x[0], 0.01, 1e-8);  // curvature 100
  EXPECT_GT(lost, 0);
}

TEST(Lbfgs, ComesBackFromAnExplosion) {
  // exp(40 x) − 40 x: at a step of 1 beyond its minimum 0 the loss is exp(40).
  const Objective explosive = [](const Vector& x, Vector& gradient) {
    gradient = Vector{{40 * std::exp(40 * x[0]) - 40}};
    return std::exp(40 * x[0]) - 40 * x[0];
  };
  const LbfgsResult result = minimize_lbfgs(explosive, Vector{{-1.0}});
  EXPECT_NEAR(result.x[0], 0, 1e-9);  // curvature 1600: flat to √(2 ε/1600) = 5e-10
  EXPECT_LE(result.evaluations, 300);
}

TEST(Lbfgs, EndsWhereNothingIsFinite) {
  const Objective nowhere = [](const Vector& x, Vector& gradient) {
    gradient = x;
    return std::nan("");
  };
  const LbfgsResult result = minimize_lbfgs(nowhere, Vector::Ones(2));
  EXPECT_EQ(result.ending, Ending::not_finite);
  EXPECT_EQ(result.loss, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(result.x == Vector::Ones(2));
  EXPECT_EQ(result.evaluations, 1);
}

TEST(Lbfgs, IsEndedByItsObserverAndByItsLimit) {
  LbfgsOptions options;
  double last = std::numeric_limits<double>::infinity();
  options.observe = [&](int evaluation, double loss) {
    EXPECT_LE(loss, last);  // the best so far
    last = loss;
    return evaluation < 10;
  };
  const LbfgsResult stopped = minimize_lbfgs(valley, Vector{{-1.2, 1}}, options);
  EXPECT_EQ(stopped.ending, Ending::stopped);
  EXPECT_EQ(stopped.evaluations, 10);
  EXPECT_EQ(stopped.loss, last);
  const LbfgsResult limited = minimize_lbfgs(valley, Vector{{-1.2, 1}}, {.max_evaluations = 7});
  EXPECT_EQ(limited.ending, Ending::too_many_evaluations);
  EXPECT_EQ(limited.evaluations, 7);
}

TEST(Lbfgs, EndsAtAKink) {
  // |x| + |y| has no gradient that vanishes.
  const Objective kink = [](const Vector& x, Vector& gradient) {
    gradient = x.array().sign();
    return x.lpNorm<1>();
  };
  const LbfgsResult result = minimize_lbfgs(kink, Vector{{1, 0.3}});
  EXPECT_LT(result.loss, 1.3);
  EXPECT_LT(result.evaluations, 20000);
}

TEST(Lbfgs, TellsErrorsFromFailedSteps) {
  const Objective broken = [](const Vector&, Vector&) -> double { throw Error("broken"); };
  EXPECT_THROW(minimize_lbfgs(broken, Vector::Ones(2)), Error);
  EXPECT_THROW(minimize_lbfgs(valley, Vector::Ones(2), {.memory = 0}), Error);
}

}  // namespace
}  // namespace lgn::studies
