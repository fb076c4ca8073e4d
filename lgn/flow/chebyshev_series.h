#pragma once

#include "lgn/core/linear_algebra.h"
#include "lgn/dynamics/generator_pattern.h"

namespace lgn {

/// exp(tA) x for all t in [0, length] from one recursion of `degree` products with A:
///     φ_0 = x,  φ_1 = (k/2)(A − c) x,  φ_(m+1) = k (A − c) φ_m + b φ_(m−1),
///     exp(tA) x = Σ_m C_m(t) φ_m,  C_m(t) = e^(ct) (2 − δ_m0) J_m(γt),  k = 2/γ
/// for b = 1, Chebyshev polynomials with foci on the imaginary axis (circuits, springs); with I_m instead of J_m for b = −1, foci on the
/// real axis (heat). φ does not depend on t: so many samples share it.
///
/// The error is below `tolerance` times ‖x‖, in the inner product of the energy, where the numerical range of A is in the box
/// (ellipses of Bernstein through its corners).
struct ChebyshevSeries {
  double shift = 0, focus = 1;  ///< c and γ
  int sign = 1;                 ///< b
  Index degree = 0;

  /// The series of least degree for this box, with no term so large that rounding shows beside the tolerance. There may be
  /// none for a box that is nearly a square, unless `length` is short: the degree is then zero.
  ChebyshevSeries(const SpectralBox& box, double length, double tolerance);

  double factor() const { return 2 / focus; }  ///< k
  /// C_m(t): a row for each time, degree + 1 columns.
  Matrix coefficients(const Vector& times) const;
};

/// J_0(x) … J_count−1(x), or exp(−x) I_0(x) …, for x ≥ 0, to rounding: by Miller's recurrence downwards.
Vector bessel_j(double x, Index count);
Vector scaled_bessel_i(double x, Index count);

}  // namespace lgn
