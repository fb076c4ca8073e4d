#pragma once

#include "lgn/data/windows.h"

namespace lgn {

/// What a model leaves unexplained of the data, over the samples that are present.
struct FitResiduals {
  double sum_of_squares = 0;
  double nrmse = 0;
  /// Mean correlation of neighbouring residuals of a channel: near 0 for noise, near 1 where the
  /// model is wrong.
  double correlation = 0;
  double pairs = 0;  ///< neighbours that this mean is taken over
  Vector channel_squares, channel_power, channel_count;  ///< Σ r², Σ x² and samples of each channel
};

/// Residuals of exp(A(t − t_0)) x₀, x₀ one column of `starts` per run. Those of channel c beyond
/// `limit[c]`, where that is given, count as just that large: outliers say nothing about the rest.
FitResiduals find_residuals(const Matrix& a, const Matrix& starts, const Dataset& data,
                            const Vector& limit = {});

/// NRMSE over the part of each run that was held out, predicted on from the start of the training
/// part.
double holdout_nrmse(const Matrix& a, const Matrix& starts, const Split& split);

}  // namespace lgn
