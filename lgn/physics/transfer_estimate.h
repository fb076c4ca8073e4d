#pragma once

#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/flow/input_course.h"

namespace lgn {

/// The transfer function that the data themselves show, without a model.
struct TransferEstimate {
  Vector omega;  ///< radians per unit of time, without zero; empty where there is no estimate
  std::vector<ComplexVector> values;  ///< of output i and input j at place j outputs + i
  Matrix coherence;    ///< outputs × ω: the part of an output's power that goes with the inputs
  Index segments = 0;  ///< that were averaged
  std::string reason = {};  ///< why there is no estimate
};

/// By Welch's method: with S_uu and S_yu the spectral densities of the inputs and between outputs and inputs,
/// averaged over segments that overlap by half, less the mean of their run, with Hann's window, two ninths of all samples long (eight segments of one run),
///     Ĥ = S_yu S_uu⁻¹,   γ²_i = [S_yu S_uu⁻¹ S_uy]_ii / [S_yy]_ii,
/// over what the hold does to an input between its samples, (1 − e^(−iωh))/(iωh) for zoh and its square with zero phase for foh, so that it
/// compares with H(iω) below the Nyquist frequency (Bendat & Piersol, Random Data, ch. 7). Frequencies at which the inputs have no power are left
/// out. Runs at uneven times, with gaps or shorter than a segment do not count; where none is left, or there are fewer segments than three for each
/// input, `reason` says so. O(samples log samples).
TransferEstimate estimate_transfer(const Dataset& data, Hold hold);

}  // namespace lgn
