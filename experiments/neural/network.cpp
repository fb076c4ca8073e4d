#include "experiments/neural/network.h"

#include <cmath>
#include <random>

namespace lgn::neural {

namespace {

Tensor normal_matrix(std::int64_t rows, std::int64_t columns, double deviation,
                     std::mt19937_64& random) {
  std::normal_distribution<double> normal(0, deviation);
  Tensor matrix = torch::empty({rows, columns}, real());
  double* entries = matrix.data_ptr<double>();
  for (std::int64_t i = 0; i < matrix.numel(); ++i) entries[i] = normal(random);
  return matrix.requires_grad_(true);
}

}  // namespace

Network::Network(std::int64_t inputs, const std::vector<std::int64_t>& hidden, std::int64_t outputs,
                 double gain, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> widths = hidden;
  widths.push_back(outputs);
  std::int64_t before = inputs;
  for (const std::int64_t width : widths) {
    const double deviation = gain * std::sqrt(2.0 / static_cast<double>(before + width));
    weights.push_back(normal_matrix(before, width, deviation, random));
    biases.push_back(torch::zeros({width}, real()).requires_grad_(true));
    before = width;
  }
}

Tensor Network::operator()(const Tensor& x) const {
  Tensor h = x;
  for (std::size_t layer = 0; layer < weights.size(); ++layer) {
    h = torch::addmm(biases[layer], h, weights[layer]);
    if (layer + 1 < weights.size()) h = torch::tanh(h);
  }
  return h;
}

std::vector<Tensor> Network::parameters() const {
  std::vector<Tensor> all = weights;
  all.insert(all.end(), biases.begin(), biases.end());
  return all;
}

std::int64_t count(const std::vector<Tensor>& parameters) {
  std::int64_t sum = 0;
  for (const Tensor& parameter : parameters) sum += parameter.numel();
  return sum;
}

}  // namespace lgn::neural
