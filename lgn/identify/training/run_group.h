#pragma once

#include "lgn/identify/training/trajectory_loss.h"

namespace lgn {

/// Runs that are propagated together; the parts that TrajectoryLoss adds up.
class RunGroup {
 public:
  virtual ~RunGroup() = default;
  /// The loss of these runs; adds its derivatives to `gradient` where that is not null.
  virtual double evaluate(const Matrix& a, const Matrix& starts, LossGradient* gradient) const = 0;
};

}  // namespace lgn
