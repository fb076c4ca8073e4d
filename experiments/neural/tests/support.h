#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "experiments/neural/training.h"

namespace lgn::neural::testing {

/// ẋ = A x, whose flow is known: x(t) = exp(A t) x₀.
class LinearField : public Field {
 public:
  explicit LinearField(Tensor a) : a_(std::move(a)) {}
  using Field::rate;
  Tensor rate(const Tensor& x, std::span<const double>) const override {
    return torch::mm(x, a_.t());
  }
  std::vector<Tensor> parameters() const override { return {a_}; }
  /// (times × batch × n).
  Tensor flow(const Tensor& x0, const std::vector<double>& times) const {
    std::vector<Tensor> states;
    for (const double t : times)
      states.push_back(torch::mm(x0, torch::matrix_exp(a_ * (t - times[0])).t()));
    return torch::stack(states);
  }

 private:
  Tensor a_;
};

/// q̇ = p, ṗ = −q − γ p: the paper's LC (γ = 0) and RLC (γ = 0.1) oscillators.
inline LinearField oscillator(double gamma) {
  return LinearField(torch::tensor({{0.0, 1.0}, {-1.0, -gamma}}, real()));
}

inline Tensor start() { return torch::tensor({{1.0, 0.0}}, real()); }

/// 0, step, 2 step, … below end.
inline std::vector<double> grid(double end, double step = 0.1) {
  std::vector<double> times;
  for (int k = 0; k * step < end - step / 2; ++k) times.push_back(k * step);
  return times;
}

/// One run of a linear field with its rates.
inline Batch run_of(const LinearField& field, const Tensor& x0, const std::vector<double>& times) {
  const Tensor states = field.flow(x0, times);
  return {
      .times = times, .states = states, .rates = torch::matmul(states, field.parameters()[0].t())};
}

/// RMSE over the RMS of the truth.
inline double nrmse(const Tensor& predicted, const Tensor& truth) {
  return ((predicted - truth).norm() / truth.norm()).item<double>();
}

}  // namespace lgn::neural::testing
