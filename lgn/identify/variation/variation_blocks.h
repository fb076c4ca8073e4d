#pragma once

#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// Unknowns that come and go together.
using Block = std::vector<Index>;

/// These rows and columns.
Matrix part(const Matrix& m, const Block& rows, const Block& columns);

/// The quadratic model ℓ(x + s) ≈ ℓ(x) + 2 gᵀs + sᵀHs of a sum of squares in units of its noise, as
/// seen by blocks of new unknowns, with those that are there already at their best for any s.
class BlockModel {
 public:
  /// `old`: unknowns that are there already; those in neither are left alone. O(p³).
  BlockModel(const Matrix& information, const Vector& gradient, const Block& old,
             const std::vector<Block>& blocks);

  /// How much the model falls when all blocks join.
  double total_gain() const;
  /// How much it falls when this block alone joins.
  double gain(std::size_t block) const;
  /// Blocks chosen one by one, each the one with most gain beside those before, as long as it gains
  /// at least `price` for each of its unknowns.
  std::vector<std::size_t> choose(double price) const;

 private:
  Matrix information_;  ///< of the new unknowns, old ones eliminated
  Vector gradient_;
  Vector scale_;               ///< information that a new unknown would have alone
  std::vector<Block> blocks_;  ///< as places in the above
};

/// cᵀ(DCDᵀ)⁻¹c with c = Dx: how many variances x is away from Dx = 0, C its covariance. Infinite
/// where the variance vanishes.
double wald_statistic(const Vector& x, const Matrix& covariance, const Matrix& contrast);

}  // namespace lgn
