#pragma once

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// RMS of (predicted − truth) over RMS of the truth (theory, Eq. 60), over the values of the truth
/// that are not missing (NaN). NaN when there is no such value or all of them are zero.
double nrmse(const Matrix& predicted, const Matrix& truth);

/// E_k = ½ x_kᵀ Q x_k for every column of `states`.
Vector energies(const Matrix& states, const Matrix& q);

/// The power that ½ xᵀQx loses under ẋ = A(t) x, channel by channel (theory, Eq. 51), for every column
/// x_k of `states` and A_1, A_2 … side by side in `generators`, or A alone where it is constant: row i
/// at time k is −½ x_i ((QA_k + A_kᵀQ) x_k)_i. The sum over i is −x_kᵀQA_k x_k, negative where energy is
/// gained. With losses in the channels alone, as of skew minus a diagonal, row i is what channel i loses.
Matrix channel_dissipation(const Matrix& states, const Matrix& generators, const Matrix& q);

/// Viol(E): fraction of steps with E_(k+1) > E_k + tolerance; 0 for fewer than two samples. The
/// paper's 1e-6 is for energies of order one.
double energy_violations(const Vector& energy, double tolerance = 1e-6);

/// σ_E: standard deviation of the energy over its mean; zero where it is conserved.
double energy_spread(const Vector& energy);

}  // namespace lgn
