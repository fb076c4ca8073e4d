#pragma once

#include <string>
#include <vector>

#include "lgn/dynamics/systems.h"

namespace lgn::studies {

/// A structure of many states, all measured, beside dynamic mode decomposition of the same samples.
struct DenseSystemsOptions {
  std::string name;
  System system;
  Index runs = 4, samples = 300;
  double noise = 0.01, step = 0.1;
  std::uint64_t seed = 1;
};

struct DenseStudy {
  double seconds = 0;     ///< of processor time, all of `identify`
  std::string structure;  ///< that was chosen
  bool converged = false;
  double step_map_median = 0,
         step_map_rms = 0;     ///< |Δλ| of the logarithm of the least-squares step map
  double median = 0, rms = 0;  ///< of the model
  Index with_errors = 0;       ///< poles whose standard errors are below half their size
  double covered = 0;          ///< part of their Re λ and Im λ within 95% intervals
};
DenseStudy study_dense(const DenseSystemsOptions& options);

}  // namespace lgn::studies
