#pragma once

#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/flow/time_steps.h"

namespace lgn {

/// exp(A (t_(k+1) − t_k)) for k = 0, 1, … in turn: one exponential per distinct step, kept only until its last use, so
/// that uneven times need no memory per sample.
class StepMaps {
 public:
  /// `a` must outlive the maps.
  StepMaps(const Matrix& a, const Vector& times);
  /// The map from sample k to k + 1; valid until the next call. Each k is asked for once, in order.
  const Matrix& next();

 private:
  const Matrix& a_;
  TimeSteps steps_;
  std::vector<Matrix> maps_;
  std::vector<Index> uses_;  ///< how often each map is still needed
  std::size_t sample_ = 0;
  Matrix last_;  ///< a map handed out for the last time
};

}  // namespace lgn
