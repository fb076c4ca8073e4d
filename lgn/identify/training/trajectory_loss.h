#pragma once

#include <memory>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/flow/flow.h"

namespace lgn {

/// ℓ and its derivatives with respect to the parameters and to every run's initial state.
struct LossGradient {
  double loss = 0;
  Vector theta;           ///< ∂ℓ/∂θ
  Matrix initial_states;  ///< ∂ℓ/∂x₀, one column per run
};

/// ℓ(θ, X₀) = Σ_runs Σ_k Σ_c w_c (x̂_c(t_k) − x_c(t_k))² over the samples that are present,
/// x̂(t) the flow of a structure from x₀.
///
/// Runs that are sampled at the same times are propagated at once. The gradient is exact: one sweep backwards (theory,
/// Eq. 20) and one adjoint of the exponential (theory, Eq. 21) for each step length. Cost O(n³ + K n²) for K samples in
/// all where A is constant.
///
///     const FullStructure full(n);             // θ is A itself
///     const TrajectoryLoss loss(data, full);
///     const Matrix by_a = loss.gradient(a.reshaped(), x0).theta.reshaped(n, n);
class TrajectoryLoss {
 public:
  /// Copies the samples of `data`; `structure` must outlive it. `weights`: one per channel, all 1 when empty.
  /// `scheme`: one step of this method from sample to sample where A varies in time; null: as many as it needs.
  TrajectoryLoss(const Dataset& data, const Structure& structure, const Vector& weights = {},
                 const MagnusScheme* scheme = nullptr);

  Index runs() const { return runs_; }

  /// `x0` has one column per run: the state at its first sample.
  double value(const Vector& theta, const Matrix& x0) const;
  LossGradient gradient(const Vector& theta, const Matrix& x0) const;

 private:
  struct Group {
    std::vector<Index> runs;
    Vector times;
    Matrix target, weight;  ///< samples below one another, a column per run; zero where missing
    std::shared_ptr<const FlowPlan> plan;
  };
  double evaluate(const Vector& theta, const Matrix& x0, LossGradient* gradient) const;

  const Structure& structure_;
  Index runs_;
  std::vector<Group> groups_;
};

}  // namespace lgn
