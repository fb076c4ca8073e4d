#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "experiments/neural/integrators.h"
#include "experiments/neural/tests/support.h"

namespace lgn::neural {
namespace {

using testing::grid;

/// The slope of f at 0 by central differences of order 4, from points δ and 2δ away.
double slope(const std::function<double(double)>& f) {
  constexpr double delta = 1e-3;
  return (8 * (f(delta) - f(-delta)) - (f(2 * delta) - f(-2 * delta))) / (12 * delta);
}

/// Compares the gradient of a sum over the states, each with a weight of its own, in the field's
/// parameters and in x0, with differences along random directions.
void expect_gradient(const Field& field,
                     const std::function<Rollout(const Tensor&)>& rollout_from) {
  torch::manual_seed(11);
  Tensor x0 = torch::tensor({{1.0, 0.0}, {-0.4, 0.6}}, real()).requires_grad_(true);
  const Tensor weights = torch::randn_like(rollout_from(x0).states);
  const auto value = [&] { return (rollout_from(x0).states * weights).mean(); };

  std::vector<Tensor> moving = field.parameters();
  moving.push_back(x0);
  const auto gradient = torch::autograd::grad({value()}, moving, {}, {}, false, true);
  for (std::size_t k = 0; k < moving.size(); ++k) {
    const Tensor direction = torch::randn_like(moving[k]);
    const double along = gradient[k].defined() ? (gradient[k] * direction).sum().item<double>() : 0;
    const double expected = slope([&](double distance) {
      const torch::NoGradGuard constant;
      const Tensor kept = moving[k].clone();
      moving[k].add_(direction, distance);
      const double moved = value().item<double>();
      moving[k].copy_(kept);
      return moved;
    });
    // Truncation is δ⁴/30 = 3e-14 of the fifth derivative along the direction, rounding ε/δ = 2e-13 of
    // the value: the tolerance allows a fifth derivative of 3e4.
    EXPECT_NEAR(along, expected, 1e-9 * (1 + std::abs(expected))) << "parameter " << k;
  }
}

void expect_gradients(const Field& field) {
  const std::vector<double> times = grid(3);
  expect_gradient(field, [&](const Tensor& x0) {
    return integrate(field, x0, times, {.method = Integrator::Method::runge_kutta_4});
  });
  const Tensor x0 = torch::tensor({{1.0, 0.0}, {-0.4, 0.6}}, real());
  const std::vector<Step> steps = integrate(field, x0, times, {}).steps;
  expect_gradient(field, [&](const Tensor& from) { return replay(field, from, times, steps); });
}

TEST(Gradients, OfANeuralOde) { expect_gradients(NeuralOde(2, {16, 16}, {}, 1, 1)); }

TEST(Gradients, OfANeuralOdeThatSeesTime) {
  expect_gradients(NeuralOde(2, {16}, {.kind = TimeInput::Kind::scalar, .frequencies = {}}, 1, 1));
  const TimeInput fourier{.kind = TimeInput::Kind::fourier, .frequencies = {0.5, 1, 2}};
  expect_gradients(NeuralOde(2, {16}, fourier, 1, 1));
}

TEST(Gradients, OfAHamiltonianNetwork) { expect_gradients(HamiltonianNetwork(2, {16, 16}, 1, 1)); }

// Adaptive steps count as constants: their gradient is that of the steps that were taken.
TEST(Gradients, OfAdaptiveStepsAreThoseOfTheirReplay) {
  const HamiltonianNetwork field(2, {16, 16}, 1, 2);
  const std::vector<double> times = grid(3);
  const Tensor x0 = testing::start();
  const Rollout adaptive = integrate(field, x0, times, {});
  const Rollout again = replay(field, x0, times, adaptive.steps);
  const std::vector<Tensor> weights = {field.parameters()[0], field.parameters()[1]};
  const auto one = torch::autograd::grad({adaptive.states.pow(2).sum()}, weights);
  const auto two = torch::autograd::grad({again.states.pow(2).sum()}, weights);
  for (std::size_t k = 0; k < weights.size(); ++k) EXPECT_TRUE(torch::equal(one[k], two[k]));
}

}  // namespace
}  // namespace lgn::neural
