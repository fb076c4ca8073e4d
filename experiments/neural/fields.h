#pragma once

#include <span>
#include <vector>

#include "experiments/neural/network.h"

namespace lgn::neural {

/// ẋ = f(x, t) with parameters to learn. Rows of x are states: of several runs at one time, or of one
/// time each.
class Field {
 public:
  virtual ~Field() = default;

  /// Rates (rows × n, contiguous) of the states x (rows × n). `times` holds one time for all rows, or
  /// one per row.
  virtual Tensor rate(const Tensor& x, std::span<const double> times) const = 0;
  Tensor rate(const Tensor& x, double time) const { return rate(x, std::span(&time, 1)); }
  virtual std::vector<Tensor> parameters() const = 0;
};

/// How a field sees time: not at all; as t/10, one more input; or as cos ωt and sin ωt of given angular
/// frequencies, two more inputs for each.
struct TimeInput {
  enum class Kind { none, scalar, fourier };
  Kind kind = Kind::none;
  std::vector<double> frequencies;

  std::int64_t width() const;
  /// (times × width).
  Tensor features(std::span<const double> times) const;
};

/// A Neural ODE (Chen et al. 2018): the network is the rate, f(x, t) = network(x, features(t)).
class NeuralOde : public Field {
 public:
  NeuralOde(std::int64_t n, const std::vector<std::int64_t>& hidden, TimeInput time, double gain,
            std::uint64_t seed);
  using Field::rate;
  Tensor rate(const Tensor& x, std::span<const double> times) const override;
  std::vector<Tensor> parameters() const override { return network_.parameters(); }

 private:
  TimeInput time_;
  Network network_;
};

/// A Hamiltonian neural network (Greydanus et al. 2019): the network is an energy H(q, p), and
/// q̇ = ∂H/∂p, ṗ = −∂H/∂q, so that the exact flow conserves H. A state is (q, p), half and half.
///
/// ∇H is written out, the chain rule from the last layer to the first, so that training differentiates
/// once and not twice; the tests compare it with autograd's gradient and second derivatives.
class HamiltonianNetwork : public Field {
 public:
  HamiltonianNetwork(std::int64_t n, const std::vector<std::int64_t>& hidden, double gain,
                     std::uint64_t seed);
  using Field::rate;
  Tensor rate(const Tensor& x, std::span<const double> times) const override;
  std::vector<Tensor> parameters() const override { return network_.parameters(); }
  /// H (rows × 1).
  Tensor energy(const Tensor& x) const { return network_(x); }

 private:
  Network network_;
  Tensor rotation_;
};

}  // namespace lgn::neural
