#pragma once

#include <vector>

#include "lgn/flow/time_steps.h"
#include "lgn/identify/training/run_group.h"

namespace lgn {

/// Runs whose times are not on a grid.
///
/// With few distinct steps: one exponential each, run by run. With many: in the eigenvectors of A,
/// where x̂(t) = V e^(Λt) V⁻¹ x₀ and
///     ∂ℓ/∂A = V⁻ᴴ M Vᴴ,  M_ij = conj(z_j) Σ_k (Vᴴ r_k)_i conj(φ_ij(t_k)),  z = V⁻¹ x₀,
///     φ_ij(t) = (e^(λ_i t) − e^(λ_j t))/(λ_i − λ_j),
/// (theory, Eq. 22), which costs one product for all samples of a run; unless V is too
/// ill-conditioned to be trusted. States are held in units of w^(−½), in which all weights are 1:
/// channels of very different size would spoil V.
class UnevenRuns final : public RunGroup {
 public:
  struct Run {
    Index run;  ///< its index in the data
    Vector times;
    Matrix states;
  };
  UnevenRuns(std::vector<Run> runs, const Vector& weights);
  double evaluate(const Matrix& a, const Matrix& starts, LossGradient* gradient) const override;

 private:
  struct Eigenvectors {
    ComplexVector values;
    ComplexMatrix right, inverse;
  };
  /// The same in the units of unit_.
  double evaluate_scaled(const Matrix& a, const Matrix& starts, LossGradient* gradient) const;
  double step_by_step(const Matrix& a, const Matrix& starts, LossGradient* gradient) const;
  double by_eigenvectors(const Eigenvectors& v, const Matrix& starts, LossGradient* gradient) const;

  std::vector<Run> runs_;
  std::vector<std::vector<std::size_t>>
      which_;                   ///< for each run, the step that leads to each next sample
  std::vector<double> length_;  ///< distinct steps of all runs
  Vector unit_;                 ///< of each channel
  Vector weights_;              ///< in these units: 1, or 0 for a channel that does not count
};

}  // namespace lgn
