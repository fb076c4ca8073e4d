#include "experiments/neural/fields.h"

#include <cmath>
#include <utility>

namespace lgn::neural {

std::int64_t TimeInput::width() const {
  switch (kind) {
    case Kind::none:
      return 0;
    case Kind::scalar:
      return 1;
    case Kind::fourier:
      return 2 * static_cast<std::int64_t>(frequencies.size());
  }
  return 0;
}

Tensor TimeInput::features(std::span<const double> times) const {
  Tensor all = torch::empty({static_cast<std::int64_t>(times.size()), width()}, real());
  double* next = all.data_ptr<double>();
  for (const double t : times) {
    if (kind == Kind::scalar) *next++ = t / 10;
    if (kind == Kind::fourier) {
      for (const double frequency : frequencies) *next++ = std::cos(frequency * t);
      for (const double frequency : frequencies) *next++ = std::sin(frequency * t);
    }
  }
  return all;
}

NeuralOde::NeuralOde(std::int64_t n, const std::vector<std::int64_t>& hidden, TimeInput time,
                     double gain, std::uint64_t seed)
    : time_(std::move(time)), network_(n + time_.width(), hidden, n, gain, seed) {}

Tensor NeuralOde::rate(const Tensor& x, std::span<const double> times) const {
  if (time_.kind == TimeInput::Kind::none) return network_(x);
  Tensor features = time_.features(times);
  if (features.size(0) != x.size(0)) features = features.expand({x.size(0), features.size(1)});
  return network_(torch::cat({x, features}, 1));
}

HamiltonianNetwork::HamiltonianNetwork(std::int64_t n, const std::vector<std::int64_t>& hidden,
                                       double gain, std::uint64_t seed)
    : network_(n, hidden, 1, gain, seed) {
  const Tensor one = torch::eye(n / 2, real()), zero = torch::zeros_like(one);
  rotation_ = torch::cat({torch::cat({zero, -one}, 1), torch::cat({one, zero}, 1)}, 0);
}

Tensor HamiltonianNetwork::rate(const Tensor& x, std::span<const double>) const {
  const std::vector<Tensor>& weights = network_.weights;
  std::vector<Tensor> activations;
  Tensor h = x;
  for (std::size_t layer = 0; layer + 1 < weights.size(); ++layer) {
    h = torch::tanh(torch::addmm(network_.biases[layer], h, weights[layer]));
    activations.push_back(h);
  }
  // The derivative of tanh is 1 − tanh², so g ∘ (1 − h²) = g − (g h) h.
  Tensor gradient = weights.back().t();
  for (std::size_t layer = activations.size(); layer-- > 0;) {
    const Tensor& a = activations[layer];
    gradient = torch::mm(torch::addcmul(gradient, gradient * a, a, -1), weights[layer].t());
  }
  return torch::mm(gradient, rotation_);
}

}  // namespace lgn::neural
