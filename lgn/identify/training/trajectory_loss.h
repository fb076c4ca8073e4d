#pragma once

#include <memory>
#include <vector>

#include "lgn/data/dataset.h"

namespace lgn {

/// ℓ and its derivatives with respect to the generator and to every run's start.
struct LossGradient {
  double loss = 0;
  Matrix generator;  ///< ∂ℓ/∂A, n × n
  Matrix starts;     ///< ∂ℓ/∂x₀, one column per run
};

class RunGroup;

/// ℓ(A, X₀) = Σ_runs Σ_k Σ_c w_c (x̂_c(t_k) − x_c(t_k))² over the samples that are present,
/// x̂(t) = exp(A (t − t_0)) x₀.
///
/// All runs that share a step are propagated at once with one exponential, gaps included; runs with
/// uneven times need one exponential per distinct step, or the eigenvectors of A when there are
/// many. The gradient is exact: one sweep backwards (theory, Eq. 20) and one adjoint of the
/// exponential (theory, Eq. 21). Cost O(n³ + K n²) for K samples in all; O(K n³) for uneven times
/// where the eigenvectors cannot be trusted.
class TrajectoryLoss {
 public:
  /// Copies the samples of `data`. `weights`: one per channel, all 1 when empty.
  explicit TrajectoryLoss(const Dataset& data, const Vector& weights = {});
  ~TrajectoryLoss();
  TrajectoryLoss(TrajectoryLoss&&) noexcept;

  Index dimension() const { return dimension_; }
  Index runs() const { return runs_; }

  /// `starts` has one column per run: the state at its first sample.
  double value(const Matrix& a, const Matrix& starts) const;
  LossGradient gradient(const Matrix& a, const Matrix& starts) const;

 private:
  Index dimension_, runs_;
  std::vector<std::unique_ptr<RunGroup>> groups_;
};

}  // namespace lgn
