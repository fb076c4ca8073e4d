#pragma once

#include "lgn/core/linear_algebra.h"

namespace lgn::studies {

/// Two runs of the ladder of three sections with faults in the measurement.
struct OutlierOptions {
  enum class Fault {
    spikes,  ///< values replaced by ± 10 to 50 standard deviations of the signal
    stuck    ///< one channel of each run repeats its value for a stretch of samples
  } fault = Fault::spikes;
  double fraction = 0.02;  ///< of the values, or of one channel's samples
  double noise = 0.01;
  Index runs = 2, samples = 300;
  double step = 0.1;
  int seeds = 10;
};

/// Means over the seeds of mean |Δλ|/|λ|.
struct OutlierStudy {
  double clean_squares = 0;  ///< least squares, the same data without faults
  double huber = 0;
  double squares = 0;
};
OutlierStudy study_outliers(const OutlierOptions& options = {});

}  // namespace lgn::studies
