#pragma once

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// Correlation of what a model leaves over with itself some samples later, channel by channel: what
/// noise does not have and a wrong model does.
///
///     r_c(l) = Σ_k e_c(k) e_c(k + l) / Σ_k e_c(k)²,        l = 0 … lags,
///
/// over pairs of which neither is missing (NaN), scaled to their number. Runs are added one after the
/// other, and no pair spans two. O(lags · values).
class Autocorrelation {
 public:
  Autocorrelation(Index channels, Index lags);

  /// Residuals of one run; a row is a channel.
  void add(const Matrix& residuals);

  Index lags() const { return products_.cols() - 1; }
  /// r_c(l) in row c and column l; NaN where there are no pairs, zero beyond lag 0 where nothing is left over.
  Matrix values() const;
  /// Half-width of the interval around zero that holds r_c(l) of noise with a probability of 95%:
  /// 1.96/√(pairs).
  Vector band() const;
  /// Whether the correlations of channel c are what noise has by chance: Σ_l N r(l)² is χ² for white noise (Box & Pierce,
  /// J. Am. Stat. Assoc. 65:1509, 1970), and is in that distribution's bulk. Of all channels of white noise together, one
  /// fails in one of a hundred cases.
  bool white(Index channel) const;

 private:
  Matrix products_, pairs_;
};

}  // namespace lgn
