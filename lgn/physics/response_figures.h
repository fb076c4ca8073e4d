#pragma once

#include <limits>
#include <vector>

#include "lgn/physics/transfer_function.h"

namespace lgn {

/// A number that follows from a model, with its standard error; NaN where there is none.
struct Estimated {
  double value = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::quiet_NaN();
};

/// A zero of H_ij, with the standard errors of its parts.
struct EstimatedZero {
  Complex value;
  double re_error = std::numeric_limits<double>::quiet_NaN();
  double im_error = std::numeric_limits<double>::quiet_NaN();
};

/// What people read off a Bode plot, of one input and one output. Frequencies are ω in radians per unit of time; margins are those of the loop
/// that H_ij closes with unit negative feedback.
struct ResponseFigures {
  Index output = 0, input = 0;
  Estimated static_gain;           ///< H(0) = D − C A⁻¹ B; NaN where A has a pole there
  Estimated bandwidth;             ///< the first ω at which |H| falls below |H(0)|/√2
  Estimated peak, peak_frequency;  ///< the largest |H|; at ω = 0 where that is the static gain
  /// 1/|H| where H is real and negative, and that ω: of all such crossings the one whose factor is nearest to 1.
  Estimated gain_margin, gain_crossing;
  /// π + arg H in radians where |H| = 1, in (−π, π], and that ω: of all such crossings the one of the least angle.
  Estimated phase_margin, phase_crossing;
  std::vector<EstimatedZero> zeros;  ///< of H_ij alone
};

/// Those of all pairs (that of output i and input j at place j outputs + i), looked for between the first and the last ω of a
/// grid, with standard errors by the delta method: a crossing f(ω; θ) = 0 moves by dω = −∂f/∂θ/∂f/∂ω (theory, Eq. 74).
/// Nothing is said of what lies beyond the grid. O(points n² (inputs + outputs)) and O(n³) for the zeros of each pair.
std::vector<ResponseFigures> response_figures(const TransferFunction& transfer,
                                              const Vector& omega);

/// Transmission zeros of the whole system, with errors where it has as many outputs as inputs.
std::vector<EstimatedZero> estimated_zeros(const TransferFunction& transfer);

}  // namespace lgn
