#pragma once

#include <vector>

#include "lgn/identify/training/run_group.h"

namespace lgn {

/// Samples of one run on a uniform grid: column j of `states` is the sample at t_0 + j h, NaN where
/// there is none.
struct GriddedRun {
  Index run;  ///< its index in the data
  Matrix states;
};

/// Runs with one common step h, propagated with Φ = exp(hA).
///
/// Runs are cut into blocks of B samples. Block starts follow one another by Φ^B; then all blocks
/// of all runs advance together, so that nearly all work is in products with wide matrices. The
/// adjoint recursion λ_k = Φᵀ λ_(k+1) + ∂ℓ/∂x̂_k takes the same way back, with a first pass that
/// finds each block's contribution.
class UniformRuns final : public RunGroup {
 public:
  UniformRuns(double step, std::vector<GriddedRun> runs, const Vector& weights);
  double evaluate(const Matrix& a, const Matrix& starts, LossGradient* gradient) const override;

 private:
  Matrix forward(const Matrix& map, const Matrix& block_map, const Matrix& starts) const;
  /// The loss of these states; fills `pull` with ∂ℓ/∂x̂.
  double residuals(const Matrix& states, Matrix& pull) const;
  /// Sample i of every block.
  auto slice(auto& m, Index i) const { return m.middleCols(i * columns_, columns_); }

  double step_;
  Index n_ = 0;
  Index block_ = 1;            ///< B, samples in a block (a power of two)
  std::vector<Index> run_;     ///< runs, longest first
  std::vector<Index> length_;  ///< samples of each
  std::vector<Index> active_;  ///< active_[b]: how many runs reach block b
  std::vector<Index> first_;   ///< first_[b]: column of block b of the longest run within a slice
  Index columns_ = 0;          ///< columns of a slice: all blocks of all runs
  Matrix target_;              ///< slice i (columns_ columns) holds sample i of every block
  Matrix weight_;              ///< w_c where the sample is present, else 0
};

}  // namespace lgn
