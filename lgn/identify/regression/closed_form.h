#pragma once

#include "lgn/data/dataset.h"
#include "lgn/dynamics/structure.h"

namespace lgn {

/// States and their time derivatives, A X ≈ Y (theory, Eq. 30); one column per sample.
struct Regression {
  Matrix states;       ///< X
  Matrix derivatives;  ///< Y
};

/// Central differences of order 2·half (theory, Eq. 31) wherever 2·half + 1 samples of a run are
/// evenly spaced and complete.
Regression central_differences(const Dataset& data, int half);

/// min ‖A X − Y‖ over A = S − diag(d), Sᵀ = −S, d ≥ 0, without iterating on A.
///
/// With X = U Σ Vᵀ and Z = UᵀYV the skew part has one unknown for each pair of singular directions,
/// and can be eliminated pair by pair (theory, Eq. 33); n(n+1)/2 equations in d alone are left
/// (theory, Eq. 34), solved by non-negative least squares. X Xᵀ, which would square the condition
/// number, is never formed. A pair is badly determined only where both singular values are small:
/// that is what the structure buys. O(n² K + n⁴) for K samples, and n³/2 numbers of memory.
Matrix regress_sd(const Regression& regression);
/// The same with d = 0.
Matrix regress_skew(const Regression& regression);
/// min ‖A X − Y‖ over A = S − P, Sᵀ = −S, P ⪰ 0.
///
/// With S eliminated as above, Σ_ij h_ij (P̃_ij − F_ij)² is left for P̃ = UᵀPU, where h_ij is the
/// harmonic mean of σ_i² and σ_j² and F that of least squares without a constraint. F is the answer
/// where F ⪰ 0; otherwise a convex problem is solved by iteration, well scaled in Q = Σ^½ P̃ Σ^½
/// (semidefinite_least_squares.h). P ⪰ 0 holds up to the rounding of the product U P̃ Uᵀ. O(n² K)
/// and O(n³) for each of up to 400 iterations; tens are enough unless X is nearly singular.
Matrix regress_psd(const Regression& regression);
/// min ‖A X − Y‖ over all A; the shortest solution where the data leave some open.
Matrix regress_full(const Regression& regression);

/// The generator in the structure (skew, sd, psd or full) by regression: on differences of order 2
/// to 12 where samples are evenly spaced and complete, and on weak forms (weak_form.h) with windows
/// from six steps to one and a half periods. The one that predicts the data best over short windows
/// is taken (short_predictions.h). Exact data on a grid give many digits in milliseconds, and weak
/// forms are not needed; noise of 1 to 10%, uneven times and missing cells leave a generator that
/// is about as good as the data, though not of maximum likelihood. Steps of more than about half a
/// radian of the fastest mode need another start (step_map_start.h).
///
/// Throws Error for another structure, NotIdentified when every value is zero, or when no stretch
/// of samples is dense enough for a derivative or an integral.
Matrix closed_form(const Dataset& data, const ConstantStructure& structure);

}  // namespace lgn
