#pragma once

#include <functional>
#include <vector>

#include "lgn/identify/likelihood/problem.h"

namespace lgn {

/// What the residuals of a fit say about the errors of its parameters.
struct ErrorRoot {
  /// R with R Rᵀ the covariance of θ. It may have more columns than rows.
  Matrix root;
  /// By how much autocorrelated residuals and runs that disagree widen the least certain combination of parameters; 1: not at all.
  double widening = 1;
  /// How far the likelihood's maximum is from θ, in standard errors of the combination that is worst off. R contains it.
  double distance = 0;
};

/// The covariance of θ with the initial states and the offset eliminated, F⁻¹ M F⁻¹ with
///     M = Σ_c Σ_|k| w_k ρ_c(k) Σ_t J_ct J_c(t+k)ᵀ,
/// ρ_c(k) the autocorrelation of channel c's residuals, J the weighted Jacobian (theory, Eq. 62): the sandwich of White (Econometrica 48:817,
/// 1980) for residuals that neighbours share, whatever made them so. Lags count as long as correlations stand out of
/// chance, and fade out over as many again (flat-top window: Politis, J. Nonparam. Stat. 15:517, 2003). White residuals leave
/// F⁻¹, and no combination of parameters gets a smaller error than that. Where runs want parameters that differ by more
/// than chance, as those of a nonlinear system do, errors are wider by that; many runs replace the correlations within them. `normal` is the problem linearised
/// there; parameters at a bound that they press against do not count as away from the maximum. O(values p (p + lags)).
///
/// Of any sum of squares: `information` and half the `gradient` of its parameters, all that is estimated beside them eliminated.
struct WeightedResiduals {
  std::vector<Matrix> residuals;  ///< of every run: channels × samples, zero where missing
  /// What parameters do to those of a run, all that is estimated beside them projected out: parameters × samples, channel by
  /// channel.
  std::function<Matrix(Index run)> jacobian;
};
ErrorRoot error_root(const WeightedResiduals& residuals, const Matrix& information,
                     const Vector& gradient);
ErrorRoot error_root(const Problem& problem, const Problem::Profile& profile,
                     const Problem::Normal& normal);

}  // namespace lgn
