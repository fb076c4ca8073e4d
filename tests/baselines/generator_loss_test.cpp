#include "experiments/baselines/generator_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/identification/data.h"
#include "lgn/core/error.h"
#include "lgn/flow/exponential.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify/training/gradient_check.h"
#include "tests/core/machine_epsilon.h"

namespace lgn::studies {
namespace {

using testing::epsilon;

/// Two runs of a ladder, the second one shorter, with noise so that nothing fits exactly.
Dataset noisy_runs() {
  Random random(3);
  return with_noise(
      exact_runs(uniform_ladder(2), {even_times(0.1, 40), even_times(0.1, 25)}, random), 0.1,
      random);
}

Matrix some_generator() {
  Random random(5);
  return uniform_ladder(2, 0.3).a + 0.1 * random.normals(4, 4);
}

void expect_exact_gradient(const GeneratorLoss& loss) {
  const Matrix a = some_generator();
  const Index n = a.rows();
  Matrix gradient, unused;
  loss(a, gradient);
  const auto value = [&](const Vector& x) { return loss(x.reshaped(n, n), unused); };
  // Richardson's differences at 1e-3: truncation about (1e-3)⁴ times the fifth derivative, which t⁵
  // for t ≤ 4 keeps below 1e3; rounding ε/1e-3. 1e-8 covers both.
  EXPECT_LE(check_gradient(value, a.reshaped(), gradient.reshaped()).error, 1e-8);
}

TEST(GeneratorLoss, HasExactGradients) {
  const Dataset data = noisy_runs();
  expect_exact_gradient(trajectory_loss(data));
  for (const StepMap map : {StepMap::rk4, StepMap::exponential})
    for (const Index steps : {1, 2, 5, 24, 39}) {
      SCOPED_TRACE(steps);
      expect_exact_gradient(window_loss(data, {steps, map}));
    }
}

TEST(GeneratorLoss, IsTheMeanOverAllWindows) {
  const Dataset data = noisy_runs();
  const Matrix a = some_generator();
  for (const StepMap map : {StepMap::rk4, StepMap::exponential}) {
    double sum = 0, count = 0;
    for (const Trajectory& run : data.runs())
      for (Index k = 0; k + 5 < run.samples(); ++k) {
        const Matrix found = roll_out(map, a, run.states().col(k), 0.1, 6);
        sum += (found - run.states().middleCols(k, 6)).squaredNorm();
        count += 4 * 5;
      }
    Matrix gradient;
    // Sums of a thousand squares, and an orthogonal factor of 24 reflections.
    EXPECT_NEAR(window_loss(data, {5, map})(a, gradient), sum / count,
                1000 * epsilon * sum / count);
  }
}

TEST(GeneratorLoss, IsThatOfWholeRunsForTheLongestWindow) {
  Random random(3);
  const Dataset data =
      with_noise(exact_runs(uniform_ladder(2), {even_times(0.1, 40)}, random), 0.1, random);
  Matrix one, other;
  const double whole = trajectory_loss(data)(some_generator(), one);
  const double window = window_loss(data, {39, StepMap::exponential})(some_generator(), other);
  // A window does not count its start: 39 samples instead of 40.
  const double count = 39.0 / 40;
  EXPECT_NEAR(whole, count * window, 1000 * epsilon * whole);
  EXPECT_LE((one - count * other).norm(), 1000 * epsilon * one.norm());
}

TEST(GeneratorLoss, VanishesForTheTruthUnderTheExponential) {
  Random random(3);
  const System system = uniform_ladder(2);
  const Dataset data = exact_runs(system, {even_times(0.1, 40)}, random);
  Matrix gradient;
  // Five steps of rounding each, at values of order one, squared.
  EXPECT_LE(window_loss(data, {5, StepMap::exponential})(system.a, gradient),
            std::pow(100 * epsilon, 2));
  // RK4 errs by at most (λh)⁵/120 = 9.2e-7 in a step, |λ| = 2 cos(π/5), and by five times that after
  // five; a state of four values has ½‖x‖² ≤ 1.
  const double error = std::sqrt(window_loss(data)(system.a, gradient));
  EXPECT_LE(error, 5 * 9.2e-7);
  EXPECT_GE(error, 9.2e-9);  // far above rounding
}

TEST(StepMap, IsOneStepOfRungeAndKutta) {
  Random random(1);
  const Matrix a = random.normals(3, 3);
  const Vector x = random.normals(3);
  const double h = 0.2;
  const Vector k1 = a * x, k2 = a * (x + h / 2 * k1), k3 = a * (x + h / 2 * k2),
               k4 = a * (x + h * k3);
  const Vector expected = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  EXPECT_LE((step_map(StepMap::rk4, a, h) * x - expected).norm(), 20 * epsilon * expected.norm());
  EXPECT_TRUE(step_map(StepMap::exponential, a, h) == exponential(h * a));
}

TEST(StepMap, RollsOut) {
  const System system = uniform_ladder(2);
  const Vector x0 = test_start(4);
  const Matrix states = roll_out(StepMap::exponential, system.a, x0, 0.1, 50);
  // Fifty products, n ε each.
  EXPECT_LE((states - propagate(system.a, x0, even_times(0.1, 50))).norm(),
            50 * 4 * epsilon * states.norm());
  EXPECT_EQ(roll_out(StepMap::rk4, system.a, x0, 0.1, 0).cols(), 0);
}

TEST(WindowLoss, RefusesWhatHasNoWindows) {
  Random random(3);
  const System system = uniform_ladder(2);
  const Dataset data = exact_runs(system, {even_times(0.1, 5)}, random);
  EXPECT_THROW(window_loss(data, {5}), Error);
  EXPECT_NO_THROW(window_loss(data, {4}));
  EXPECT_THROW(window_loss(data, {0}), Error);
  const Dataset steps = exact_runs(system, {even_times(0.1, 9), even_times(0.2, 9)}, random);
  EXPECT_THROW(window_loss(steps), Error);
  const Dataset uneven = exact_runs(system, {uneven_times(1, 9, random)}, random);
  EXPECT_THROW(window_loss(uneven), Error);
}

}  // namespace
}  // namespace lgn::studies
