#pragma once

#include "lgn/data/windows.h"

namespace lgn {

/// What a model leaves unexplained of the data, over the samples that are present.
struct FitResiduals {
  Vector squares, power, count;  ///< Σ r², Σ x² and samples of each channel
  double products = 0;           ///< Σ r_k r_(k+1) over neighbours of a channel
  double pairs = 0;              ///< and how many there are

  double sum_of_squares() const { return squares.sum(); }
  double nrmse() const;
  /// Mean correlation of neighbouring residuals of a channel: near 0 for noise, near 1 where the
  /// model is wrong.
  double correlation() const;
};

/// Residuals of exp(A(t − t_0)) x₀, x₀ one column of `starts` per run. Those of channel c beyond
/// `limit[c]`, where that is given, count as just that large: outliers say nothing about the rest.
FitResiduals find_residuals(const Matrix& a, const Matrix& starts, const Dataset& data,
                            const Vector& limit = {});

/// The same over the part of each run that was held out, predicted on from the start of the training
/// part.
FitResiduals holdout_residuals(const Matrix& a, const Matrix& starts, const Split& split);

}  // namespace lgn
