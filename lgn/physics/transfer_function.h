#pragma once

#include <vector>

#include "lgn/physics/driven_system.h"

namespace lgn {

/// H(s) = (C (s I − A)⁻¹ B + D) e^(−s delay), and how it moves with the matrices:
///     dH = C (s I − A)⁻¹ dA (s I − A)⁻¹ B + C (s I − A)⁻¹ dB + dC (s I − A)⁻¹ B + dD, times e^(−s delay),
/// so that the covariance of their entries becomes that of H (delta method; theory, Eq. 73). The delay counts as known.
///
/// A is brought to its Schur form once, O(n³); every s then costs O(n² (inputs + outputs)), and O(entries of R) for the errors of a
/// pair. Where s is a pole the values are infinite or NaN. Throws Error where an entry is not finite or sizes disagree.
class TransferFunction {
 public:
  explicit TransferFunction(DrivenSystem system, SystemErrors errors = {});

  const DrivenSystem& system() const { return system_; }
  const SystemErrors& errors() const { return errors_; }
  const ComplexVector& poles() const { return poles_; }
  /// From one input to one output, with the errors that matter there. O(n²).
  TransferFunction pair(Index output, Index input) const;

  /// H at one s, with what its derivatives are made of.
  struct Point {
    Complex s;
    ComplexMatrix value;        ///< outputs × inputs
    ComplexMatrix slope;        ///< dH/ds
    ComplexMatrix left, right;  ///< C (s I − A)⁻¹ and (s I − A)⁻¹ B
    Complex shift;              ///< e^(−s delay)
  };
  Point at(Complex s) const;
  /// The value alone, for a third of the cost.
  ComplexMatrix value(Complex s) const;
  Point on_axis(double omega) const { return at({0, omega}); }
  /// How H_ij moves along the columns of R, one after the other; empty where errors are not known.
  ComplexVector moves(const Point& point, Index output, Index input) const;

 private:
  DrivenSystem system_;
  SystemErrors errors_;
  ComplexMatrix u_, t_, b_, c_;  ///< A = U T Uᴴ, Uᴴ B and C U
  ComplexVector poles_;
};

/// H_ij(iω) on a grid of ω, in radians per unit of time.
struct FrequencyResponse {
  Vector omega;
  ComplexVector values;
  Matrix covariance;  ///< of (Re H, Im H): rows var Re, cov, var Im; empty where not known

  /// Standard errors of |H| and of arg H (radians); empty where not known.
  Vector magnitude_errors() const;
  Vector phase_errors() const;
  /// arg H in radians without jumps from one point to the next, first in (−π, π].
  Vector phases() const;
};

/// All pairs: that of output i and input j at place j outputs + i. O(n³ + points n² (inputs + outputs)), and errors.
std::vector<FrequencyResponse> frequency_responses(const TransferFunction& transfer,
                                                   const Vector& omega);

/// ω from `low` to `high` (0 < low < high) for curves over a logarithmic axis: `points` evenly, and more where a lightly damped
/// pole or zero makes H change within its half-width.
Vector frequency_grid(const ComplexVector& poles_and_zeros, double low, double high, Index points);

}  // namespace lgn
