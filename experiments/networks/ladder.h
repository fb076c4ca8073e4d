#pragma once

#include "experiments/networks/truth.h"

namespace lgn::studies {

/// The ladder of equal sections under noise, starts unknown, wiring unknown.
struct LadderOptions {
  Index sections = 50, runs = 3, samples = 300;
  double step = 0.1;
  double noise = 0.01;  ///< σ relative to the standard deviation of the clean data
  double test_end = 100;
  bool named = false;  ///< channels v1, i1, …: the program then knows what couples by ±1
  int seeds = 10;      ///< data sets, each from starts of its own
};

/// Sums of what is wrong in the wirings, and means over the data sets.
struct LadderStudy {
  WiringErrors wiring;
  int lawful = 0;    ///< models whose couplings are ±1 and that give every storage
  double error = 0;  ///< mean |Δλ| over poles
  double bound = 0;  ///< mean over poles of E|Δλ| at the Cramér–Rao bound of the true network
  /// Mean over poles of √(trace of the covariance) there: the root of a mean square, which is more
  /// than the mean of a modulus.
  double deviation = 0;
  double nrmse = 0, worst_nrmse = 0;  ///< of the prediction from e₁ + ½e₂
  double seconds = 0;                 ///< of a fit
  int not_converged = 0;
};
LadderStudy study_ladder(const LadderOptions& options = {});

}  // namespace lgn::studies
