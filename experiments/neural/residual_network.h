#pragma once

#include "experiments/neural/integrators.h"

namespace lgn::neural {

/// The discrete-time network x_{k+1} = x_k + f(x_k). It has no notion of a time step: it has learned
/// one, and a rollout at another applies the same map once per step all the same.
struct ResidualNetwork {
  Network network;

  ResidualNetwork(std::int64_t n, const std::vector<std::int64_t>& hidden, double gain,
                  std::uint64_t seed);
  /// (rows × n) → (rows × n).
  Tensor next(const Tensor& x) const { return x + network(x); }
  /// x0 (batch × n) and the `count` − 1 states after it, (count × batch × n).
  Rollout rollout(const Tensor& x0, std::size_t count) const;
};

}  // namespace lgn::neural
