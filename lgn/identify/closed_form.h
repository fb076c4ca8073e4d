#pragma once

#include "lgn/data/dataset.h"
#include "lgn/dynamics/structure.h"

namespace lgn {

/// States and their time derivatives, A X ≈ Y; one column per sample.
struct Regression {
  Matrix states;       ///< X
  Matrix derivatives;  ///< Y
};

/// Central differences of order 2·half wherever 2·half + 1 samples of a run are evenly spaced and
/// complete.
Regression central_differences(const Dataset& data, int half);

/// min ‖A X − Y‖ over A = S − diag(d), Sᵀ = −S, d ≥ 0, without iterating on A.
///
/// With X = U Σ Vᵀ and Z = UᵀYV the skew part has one unknown for each pair of singular directions,
/// and can be eliminated pair by pair; n(n+1)/2 equations in d alone are left, solved by
/// non-negative least squares. X Xᵀ, which would square the condition number, is never formed. A
/// pair is badly determined only where both singular values are small: that is what the structure
/// buys. O(n² K + n⁴) for K samples, and n³/2
/// numbers of memory.
Matrix regress_sd(const Regression& regression);
/// The same with d = 0.
Matrix regress_skew(const Regression& regression);
/// min ‖A X − Y‖ over all A; the shortest solution where the data leave some open.
Matrix regress_full(const Regression& regression);

/// The generator in the structure (skew, sd or full) by regression on derivatives; the order of the
/// differences, 2 to 12, is the one whose generator predicts the data best over short windows.
/// Exact data give it to many digits in milliseconds; noise is amplified, so noisy data need
/// training. Throws Error for another structure, NotIdentified when there are no evenly spaced,
/// complete stretches of samples.
Matrix closed_form(const Dataset& data, const Structure& structure);

}  // namespace lgn
