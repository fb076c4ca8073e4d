#include "experiments/neural/fields.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lgn::neural {
namespace {

const std::vector<std::int64_t> two_layers = {64, 64};

TimeInput scalar_time() { return {.kind = TimeInput::Kind::scalar, .frequencies = {}}; }

TimeInput fourier_time() {
  TimeInput time{.kind = TimeInput::Kind::fourier, .frequencies = {}};
  for (int k = 0; k < 25; ++k) time.frequencies.push_back(0.1 * std::pow(100.0, k / 24.0));
  return time;
}

TEST(NeuralFields, HaveTheParametersOfThePaper) {
  EXPECT_EQ(count(NeuralOde(2, two_layers, {}, 0.3, 1).parameters()), 4482);
  EXPECT_EQ(count(NeuralOde(2, two_layers, scalar_time(), 0.3, 1).parameters()), 4546);
  EXPECT_EQ(count(NeuralOde(2, two_layers, fourier_time(), 0.3, 1).parameters()), 7682);
  EXPECT_EQ(count(NeuralOde(2, {4}, fourier_time(), 0.3, 1).parameters()), 222);
  EXPECT_EQ(count(HamiltonianNetwork(2, two_layers, 0.5, 1).parameters()), 4417);
}

TEST(NeuralFields, AreDrawnByTheirSeed) {
  const Tensor one = NeuralOde(2, two_layers, {}, 0.3, 1).parameters()[1];
  EXPECT_TRUE(torch::equal(one, NeuralOde(2, two_layers, {}, 0.3, 1).parameters()[1]));
  EXPECT_FALSE(torch::equal(one, NeuralOde(2, two_layers, {}, 0.3, 2).parameters()[1]));
}

// 64·64 draws estimate a deviation to a share of 1/√(2·4096) = 1.1%: five of those.
TEST(NeuralFields, HaveWeightsOfXavierAndNoBias) {
  const Network network(2, two_layers, 2, 0.3, 7);
  const double expected = 0.3 * std::sqrt(2.0 / 128);
  EXPECT_NEAR(network.weights[1].std().item<double>(), expected, 0.055 * expected);
  for (const Tensor& bias : network.biases) EXPECT_EQ(bias.abs().max().item<double>(), 0);
}

TEST(NeuralFields, SeeTimeAsTold) {
  const std::vector<double> times = {0.5, 2.0};
  EXPECT_EQ(scalar_time().features(times)[1][0].item<double>(), 0.2);
  const TimeInput fourier = fourier_time();
  const Tensor features = fourier.features(times);
  ASSERT_EQ(features.sizes(), at::IntArrayRef({2, 50}));
  EXPECT_EQ(features[1][3].item<double>(), std::cos(fourier.frequencies[3] * 2.0));
  EXPECT_EQ(features[1][28].item<double>(), std::sin(fourier.frequencies[3] * 2.0));
}

TEST(NeuralFields, GiveRowsAtTheirOwnTimesWhatTheyGiveThemOneByOne) {
  const NeuralOde field(2, two_layers, fourier_time(), 1, 3);
  const Tensor x = torch::tensor({{1.0, 0.5}, {-0.3, 0.7}}, real());
  const std::vector<double> times = {0.5, 2.0};
  const Tensor together = field.rate(x, times);
  for (std::int64_t k = 0; k < 2; ++k) {
    const Tensor alone = field.rate(x.narrow(0, k, 1), times[static_cast<std::size_t>(k)]);
    // Sums of 64 terms of order one, in another order: 64 ε each over three layers.
    EXPECT_LT((together.narrow(0, k, 1) - alone).abs().max().item<double>(), 3 * 64 * 2.3e-16);
  }
}

// The network's gradient as written out against autograd's, and so for the gradient of a loss of it,
// for which autograd differentiates twice.
TEST(NeuralFields, OfAnEnergyAreItsGradientTurned) {
  for (const std::vector<std::int64_t>& hidden :
       {std::vector<std::int64_t>{64, 64}, {16}, {8, 12, 10}}) {
    const HamiltonianNetwork field(4, hidden, 1, 5);
    const Tensor x = torch::linspace(-1, 1, 12, real()).view({3, 4}).requires_grad_(true);
    const Tensor gradient = torch::autograd::grad({field.energy(x).sum()}, {x}, {}, true, true)[0];
    const Tensor expected = torch::cat({gradient.narrow(1, 2, 2), -gradient.narrow(1, 0, 2)}, 1);
    const Tensor rate = field.rate(x, 0.0);
    // Sums of at most 64 terms of order one in each of two passes through at most four layers.
    const double tolerance = 8 * 64 * 2.3e-16;
    EXPECT_LT((rate - expected).abs().max().item<double>(), tolerance);

    // The last bias does not move the rate.
    std::vector<Tensor> moving = field.parameters();
    moving.pop_back();
    moving.push_back(x);
    const auto ours = torch::autograd::grad({rate.pow(2).sum()}, moving);
    const auto theirs = torch::autograd::grad({expected.pow(2).sum()}, moving);
    for (std::size_t k = 0; k < moving.size(); ++k) {
      const double scale = 1 + theirs[k].abs().max().item<double>();
      EXPECT_LT((ours[k] - theirs[k]).abs().max().item<double>(), 10 * tolerance * scale);
    }
  }
}

}  // namespace
}  // namespace lgn::neural
