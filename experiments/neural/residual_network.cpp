#include "experiments/neural/residual_network.h"

#include <limits>

namespace lgn::neural {

ResidualNetwork::ResidualNetwork(std::int64_t n, const std::vector<std::int64_t>& hidden,
                                 double gain, std::uint64_t seed)
    : network(n, hidden, n, gain, seed) {}

Rollout ResidualNetwork::rollout(const Tensor& x0, std::size_t count) const {
  std::vector<Tensor> states = {x0};
  bool diverged = false;
  while (states.size() < count) {
    const Tensor after = next(states.back());
    diverged = diverged || !torch::isfinite(after).all().item<bool>();
    states.push_back(diverged ? torch::full_like(after, std::numeric_limits<double>::quiet_NaN())
                              : after);
  }
  return {.states = torch::stack(states), .diverged = diverged, .steps = {}};
}

}  // namespace lgn::neural
