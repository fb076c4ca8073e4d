#include "experiments/neural/training.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/neural/tests/support.h"

namespace lgn::neural {
namespace {

using testing::grid;
using testing::nrmse;
using testing::oscillator;
using testing::run_of;
using testing::start;

const std::vector<std::int64_t> trained_layers = {64, 64};
constexpr Integrator trained_by{.method = Integrator::Method::runge_kutta_4};

Tensor predicted(const Field& field, double end, const Integrator& integrator = {}) {
  const torch::NoGradGuard constant;
  return integrate(field, start(), grid(end), integrator).states;
}

/// Exp 2's oscillator, ṗ = −q − (0.3 + 0.15 sin t) p.
class Modulated : public Field {
 public:
  Tensor rate(const Tensor& x, std::span<const double> times) const override {
    const Tensor q = x.narrow(1, 0, 1), p = x.narrow(1, 1, 1);
    return torch::cat({p, -q - (0.3 + 0.15 * std::sin(times[0])) * p}, 1);
  }
  std::vector<Tensor> parameters() const override { return {}; }
};

Batch modulated_run(double end) {
  const std::vector<double> times = grid(end);
  return {.times = times,
          .states = integrate(Modulated(), start(), times, {.tolerance = 1e-10}).states,
          .rates = {}};
}

TEST(Training, HalvesTheRateOnAPlateau) {
  PlateauSchedule schedule(1, 0.5, 3);
  EXPECT_EQ(schedule.next(1), 1);
  // A fall by less than a share of 1e-4 is none. The fourth epoch in vain is one more than the patience.
  for (int epoch = 0; epoch < 3; ++epoch) EXPECT_EQ(schedule.next(1 - 0.5e-4), 1);
  EXPECT_EQ(schedule.next(1), 0.5);
  for (int epoch = 0; epoch < 3; ++epoch) EXPECT_EQ(schedule.next(2), 0.5);
  EXPECT_EQ(schedule.next(1 - 2e-4), 0.5) << "a fall in time starts the wait again";
  for (int epoch = 0; epoch < 3; ++epoch) EXPECT_EQ(schedule.next(1), 0.5);
  EXPECT_EQ(schedule.next(1), 0.25);
}

// How far the last epoch's parameters get depends on rounding, and so on the processor; that the flow is as good as the
// field does not. The flow of LC turns, so an error e of the state grows by that of the field alone: |e(t)| ≤ ∫|δf| ≤ t rms|δf|,
// and rms|δf| = √(2 loss), the loss being a mean over two components; |x| = 1.
TEST(Training, OfAHamiltonianNetworkLearnsTheFieldOfLc) {
  const HamiltonianNetwork field(2, trained_layers, 0.5, 1);
  const testing::LinearField truth = oscillator(0);
  const Loss loss = field_loss(field, {run_of(truth, start(), grid(10))});
  const double before = loss().item<double>();
  const Trained trained = train(field.parameters(), loss, {});
  EXPECT_LT(trained.loss, 1e-4 * before);
  EXPECT_LT(nrmse(predicted(field, 10, trained_by), truth.flow(start(), grid(10))),
            10 * std::sqrt(2 * trained.loss));
}

TEST(Training, OfANeuralOdeLearnsADecay) {
  const NeuralOde field(2, trained_layers, {}, 0.3, 1);
  const testing::LinearField truth = oscillator(0.1);
  const Batch run = run_of(truth, start(), grid(8));
  const Trained trained =
      train(field.parameters(), trajectory_loss(field, {run}, {}), {.epochs = 600});
  EXPECT_EQ(trained.epochs, 600);
  EXPECT_FALSE(trained.diverged);
  EXPECT_LT(nrmse(predicted(field, 8), run.states), 0.05);
  // The loss is the mean square of the same difference.
  const double mean = (predicted(field, 8) - run.states).pow(2).mean().item<double>();
  EXPECT_NEAR(trained.loss, mean, 1e-12 * mean);
}

TEST(Training, OfANeuralOdeThatSeesTimeLearnsAModulatedDecay) {
  const NeuralOde field(2, trained_layers, {.kind = TimeInput::Kind::scalar, .frequencies = {}},
                        0.3, 1);
  const Batch run = modulated_run(6);
  train(field.parameters(), trajectory_loss(field, {run}, {}), {.epochs = 600});
  EXPECT_LT(nrmse(predicted(field, 6), run.states), 0.05);
}

TEST(Training, OfANeuralOdeOnFourierFeaturesLowersItsLossAHundredfold) {
  TimeInput time{.kind = TimeInput::Kind::fourier, .frequencies = {}};
  for (int k = 0; k < 25; ++k) time.frequencies.push_back(0.1 * std::pow(100.0, k / 24.0));
  const NeuralOde field(2, trained_layers, time, 0.3, 1);
  const Loss loss = trajectory_loss(field, {modulated_run(6)}, {});
  const double before = loss().item<double>();
  EXPECT_LT(train(field.parameters(), loss, {.epochs = 200}).loss, before / 100);
}

// At twice the step it still turns by one: after 5 time units its phase is 2.5 off, all of the amplitude.
TEST(Training, OfAResidualNetworkLearnsItsOwnStepAndNoOther) {
  const ResidualNetwork residual(2, trained_layers, 0.3, 1);
  const testing::LinearField truth = oscillator(0.1);
  const Batch run = run_of(truth, start(), grid(20));
  train(residual.network.parameters(), step_loss(residual, {run}), {.epochs = 2000});
  const torch::NoGradGuard constant;
  EXPECT_LT(nrmse(residual.rollout(start(), 100).states, truth.flow(start(), grid(10))), 0.05);
  EXPECT_GT(nrmse(residual.rollout(start(), 50).states, truth.flow(start(), grid(10, 0.2))), 0.5);
}

TEST(Training, RepeatsBitForBit) {
  const auto weights = [](std::uint64_t seed) {
    const NeuralOde field(2, {16, 16}, {}, 0.3, seed);
    const Batch run = run_of(oscillator(0.1), start(), grid(5));
    train(field.parameters(), trajectory_loss(field, {run}, {}), {.epochs = 20});
    return field.parameters()[1];
  };
  EXPECT_TRUE(torch::equal(weights(3), weights(3)));
  EXPECT_FALSE(torch::equal(weights(3), weights(4)));
}

TEST(Training, WeighsAllSamplesOfAllRunsAlike) {
  const NeuralOde field(2, {8}, {}, 0.3, 1);
  const Batch two =
      run_of(oscillator(0.1), torch::tensor({{1.0, 0.0}, {0.0, 1.0}}, real()), grid(2));
  const Batch one = run_of(oscillator(0.1), start(), grid(1));
  for (const auto& loss :
       {std::function([&](std::vector<Batch> batches) {
          return trajectory_loss(field, std::move(batches), trained_by)();
        }),
        std::function([&](std::vector<Batch> batches) { return field_loss(field, batches)(); })}) {
    const double apart = loss({two}).item<double>() * 80 + loss({one}).item<double>() * 20;
    EXPECT_NEAR(loss({two, one}).item<double>(), apart / 100, 1e-14);
  }
}

TEST(Training, EndsWhereItDiverges) {
  const NeuralOde field(2, {8}, {}, 0.3, 1);
  const Tensor before = field.parameters()[0].clone();
  const Loss loss =
      trajectory_loss(field, {run_of(oscillator(0), start(), grid(9))}, {.most_steps = 1});
  const Trained trained = train(field.parameters(), loss, {});
  EXPECT_TRUE(trained.diverged);
  EXPECT_EQ(trained.epochs, 0);
  EXPECT_TRUE(std::isnan(trained.loss));
  EXPECT_TRUE(torch::equal(field.parameters()[0], before));
}

}  // namespace
}  // namespace lgn::neural
