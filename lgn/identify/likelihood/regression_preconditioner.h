#pragma once

#include "lgn/dynamics/structure.h"

namespace lgn {

/// Roughly the inverse of the Hessian of a trajectory fit in θ: that of the regression A X ≈ Ẋ on
/// the same states, which is diagonal in the singular directions X = U Σ Vᵀ. There the entry (i, j)
/// of a change of A weighs σ_j², and where structure ties it to the entry (j, i) the pair weighs σ_i²
/// + σ_j².
class RegressionPreconditioner {
 public:
  /// `second_moment`: X Xᵀ. The structure must outlive the preconditioner.
  RegressionPreconditioner(const ConstantStructure& structure, const Vector& theta,
                           const Matrix& second_moment);
  /// O(n³).
  Vector apply(const Vector& gradient) const;

 private:
  const ConstantStructure& structure_;
  Vector theta_;
  Vector size_;  ///< ‖∂A/∂θ_q‖², where directions do not overlap
  Matrix u_;
  Matrix scale_;  ///< divides entry (i, j) in the singular directions
};

}  // namespace lgn
