#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <vector>

namespace lgn::neural {

using torch::Tensor;

/// Everything here computes in double precision.
inline torch::TensorOptions real() { return torch::TensorOptions(torch::kFloat64); }

/// A network of tanh layers, the last one linear: h ← tanh(h W + b) for each hidden layer, then h W + b.
///
/// Rows are samples. Weights are drawn from the normal distribution of Glorot & Bengio (2010), with
/// standard deviation gain·√(2 / (inputs + outputs)) of the layer; biases start at zero. The same seed
/// gives the same network.
struct Network {
  std::vector<Tensor> weights, biases;

  /// `hidden` are the widths of the hidden layers, one at least.
  Network(std::int64_t inputs, const std::vector<std::int64_t>& hidden, std::int64_t outputs,
          double gain, std::uint64_t seed);

  /// (samples × inputs) → (samples × outputs).
  Tensor operator()(const Tensor& x) const;
  /// What an optimiser moves; the tensors are shared, not copied.
  std::vector<Tensor> parameters() const;
};

/// Numbers in all of them together.
std::int64_t count(const std::vector<Tensor>& parameters);

}  // namespace lgn::neural
