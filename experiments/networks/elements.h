#pragma once

#include <cstdint>

#include "experiments/networks/truth.h"

namespace lgn::studies {

/// A ladder of unequal sections, channels v1, i1, …: every L, C and R beside the true one.
struct ElementsOptions {
  Index sections = 20, runs = 3;
  double spread = 10;   ///< of the values, largest over smallest
  double noise = 0.02;  ///< of each channel
  std::uint64_t seed = 1;
};

struct Elements {
  WiringErrors wiring;
  Index values = 0;    ///< L, C and R that were found with a standard error
  double worst = 0;    ///< the largest error of those, in its standard errors
  double median = 0;   ///< relative error
  double largest = 0;  ///< relative error
  double fastest = 0;  ///< the largest |λ|: how coarse the step is
  double seconds = 0;
};
Elements study_elements(const ElementsOptions& options = {});

}  // namespace lgn::studies
