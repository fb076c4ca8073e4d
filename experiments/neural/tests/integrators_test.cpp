#include "experiments/neural/integrators.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/methods/dormand_prince_table.h"
#include "experiments/neural/tests/support.h"

namespace lgn::neural {
namespace {

using testing::grid;
using testing::LinearField;
using testing::nrmse;
using testing::oscillator;
using testing::start;

constexpr Integrator classical{.method = Integrator::Method::runge_kutta_4};

std::vector<Step> even_steps(double end, int count) {
  std::vector<Step> steps;
  for (int k = 0; k < count; ++k) steps.push_back({.start = k * end / count, .size = end / count});
  return steps;
}

TEST(DormandPrinceTable, InterpolatesConstantAndLinearRates) {
  using Table = studies::DormandPrince;
  for (const double theta : {0.0, 0.3, 1.0}) {
    double sum = 0, moment = 0;
    for (std::size_t j = 0; j < Table::stages; ++j) {
      sum += Table::interpolant(theta)[j];
      moment += Table::interpolant(theta)[j] * Table::c[j];
    }
    // Seven terms below 12, each ε off.
    EXPECT_NEAR(sum, theta, 1e-14);
    EXPECT_NEAR(moment, theta * theta / 2, 1e-14);
  }
}

TEST(Integrators, HaveTheirOrder) {
  const LinearField field = oscillator(0.1);
  const std::vector<double> ends = {0, 4};
  const Tensor truth = field.flow(start(), ends);
  const auto fifth = [&](int count) {
    return nrmse(replay(field, start(), ends, even_steps(4, count)).states, truth);
  };
  const auto fourth = [&](int count) {
    const std::vector<double> times = grid(4 + 4.0 / count, 4.0 / count);
    return nrmse(integrate(field, start(), times, classical).states[-1], truth[-1]);
  };
  // A finite step leaves the fitted order within a third of its limit.
  EXPECT_NEAR(std::log2(fifth(16) / fifth(32)), 5, 1.0 / 3);
  EXPECT_NEAR(std::log2(fourth(32) / fourth(64)), 4, 1.0 / 3);
}

// An interpolant of order 4 is off by O(h⁵) within one step.
TEST(Integrators, ReadSamplesOffToFourthOrder) {
  const LinearField field = oscillator(0.1);
  for (const double theta : {0.2, 0.5, 0.7}) {
    const auto error = [&](double h) {
      const std::vector<double> times = {0, theta * h, h};
      const Tensor states = replay(field, start(), times, {{.start = 0, .size = h}}).states;
      return (states - field.flow(start(), times))[1].norm().item<double>();
    };
    EXPECT_NEAR(std::log2(error(0.2) / error(0.1)), 5, 1.0 / 3) << theta;
    EXPECT_LT(error(0.1), std::pow(0.1, 5));
  }
}

// The flow contracts, so errors add up at most: one of tolerance·(1 + |x|) ≤ 2·tolerance per step.
TEST(Integrators, KeepTheirTolerance) {
  const LinearField field = oscillator(0.1);
  const std::vector<double> times = grid(20);
  const Tensor truth = field.flow(start(), times);
  std::size_t before = 0;
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    const Rollout rollout = integrate(field, start(), times, {.tolerance = tolerance});
    const double bound = 2 * tolerance * static_cast<double>(rollout.steps.size());
    EXPECT_LT((rollout.states - truth).abs().max().item<double>(), bound);
    EXPECT_FALSE(rollout.diverged);
    EXPECT_GT(rollout.steps.size(), before);
    before = rollout.steps.size();
  }
}

TEST(Integrators, ReplayWhatTheyDid) {
  const NeuralOde field(2, {8}, {.kind = TimeInput::Kind::scalar, .frequencies = {}}, 1, 1);
  const std::vector<double> times = grid(5);
  const Rollout first = integrate(field, start(), times, {});
  EXPECT_TRUE(torch::equal(replay(field, start(), times, first.steps).states, first.states));
}

// Rounding apart, a batch with classical steps is its runs one by one; with adaptive steps the runs
// share their steps, and differ within the tolerance.
TEST(Integrators, TakeBatches) {
  const NeuralOde field(2, {8, 8}, {.kind = TimeInput::Kind::scalar, .frequencies = {}}, 1, 4);
  const Tensor x0 = torch::tensor({{1.0, 0.0}, {0.2, -0.5}, {-1.0, 0.4}}, real());
  const std::vector<double> times = grid(3);
  const Tensor fixed = integrate(field, x0, times, classical).states;
  const Tensor adaptive = integrate(field, x0, times, {.tolerance = 1e-9}).states;
  ASSERT_EQ(fixed.sizes(), at::IntArrayRef({30, 3, 2}));
  for (std::int64_t k = 0; k < 3; ++k) {
    const Tensor one = x0.narrow(0, k, 1);
    const auto apart = [&](const Tensor& all, const Integrator& integrator) {
      const Tensor alone = integrate(field, one, times, integrator).states;
      return (all.narrow(1, k, 1) - alone).abs().max().item<double>();
    };
    // 30 steps that each round by some ten ε; a hundred tolerances for the steps of both together.
    EXPECT_LT(apart(fixed, classical), 1e-13);
    EXPECT_LT(apart(adaptive, {.tolerance = 1e-9}), 1e-7);
  }
}

// Each step moves H by at most |∇H|·|error|, and the error by its norm is at most √n·tolerance·(1 + |x|).
TEST(Integrators, ConserveTheEnergyOfAHamiltonianNetwork) {
  const torch::NoGradGuard constant;
  const HamiltonianNetwork field(2, {64, 64}, 1, 3);
  constexpr double tolerance = 1e-8;
  const Rollout rollout = integrate(field, start(), grid(50), {.tolerance = tolerance});
  const Tensor x = rollout.states.view({-1, 2});
  const Tensor energy = field.energy(x);
  const double slope = field.rate(x, 0.0).norm(2, 1).max().item<double>();
  const double bound = static_cast<double>(rollout.steps.size()) * slope * std::sqrt(2) *
                       tolerance * (1 + x.abs().max().item<double>());
  EXPECT_LT((energy - energy[0]).abs().max().item<double>(), bound);
  EXPECT_GT((x - x[0]).abs().max().item<double>(), 0.1) << "the state must move";
}

/// ẋ = x², which leaves every bound at t = 1/x₀.
class Exploding : public Field {
 public:
  Tensor rate(const Tensor& x, std::span<const double>) const override { return x * x; }
  std::vector<Tensor> parameters() const override { return {}; }
};

TEST(Integrators, SayWhereAStateLeavesEveryBound) {
  const Exploding field;
  for (const Integrator& integrator : {classical, Integrator{}}) {
    const Tensor x0 = torch::tensor({{1.0}}, real());
    const Rollout rollout = integrate(field, x0, grid(5), integrator);
    EXPECT_TRUE(rollout.diverged);
    ASSERT_EQ(rollout.states.sizes(), at::IntArrayRef({50, 1, 1}));
    EXPECT_TRUE(torch::isfinite(rollout.states.narrow(0, 0, 9)).all().item<bool>());
    EXPECT_TRUE(torch::isnan(rollout.states[-1]).all().item<bool>());
  }
}

TEST(Integrators, RunOutOfSteps) {
  const Rollout rollout = integrate(oscillator(0), start(), grid(100), {.most_steps = 5});
  EXPECT_TRUE(rollout.diverged);
  EXPECT_LE(rollout.steps.size(), 5U);
  EXPECT_TRUE(torch::isnan(rollout.states[-1]).all().item<bool>());
}

}  // namespace
}  // namespace lgn::neural
