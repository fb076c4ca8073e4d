#pragma once

#include <algorithm>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// Autocorrelation of a model's residuals, channel by channel: white noise has none, and unmodelled
/// dynamics do.
///
///     r_c(l) = Σ_k e_c(k) e_c(k + l) / Σ_k e_c(k)²,        l = 0 … lags,
///
/// over pairs of which neither is missing (NaN), scaled to their number. Runs are added one after the
/// other, and no pair spans two. O(lags · values).
class Autocorrelation {
 public:
  Autocorrelation(Index channels, Index lags);
  /// As many lags as runs of that length can show: a quarter of it, 25 at the most.
  static Index useful_lags(Index samples) { return std::min<Index>(25, samples / 4); }

  /// Residuals of one run; a row is a channel.
  void add(const Matrix& residuals);

  Index lags() const { return products_.cols() - 1; }
  /// r_c(l) in row c and column l; NaN where there are no pairs, zero beyond lag 0 where all residuals are zero.
  Matrix values() const;
  /// Half-width, lag by lag from 1 on, of the interval around zero that holds r_c(l) of noise with a
  /// probability of 95%: 1.96/√(pairs), of the channel that has fewest.
  Vector band() const;
  /// Whether the correlations of channel c are what noise has by chance: Σ_l N r(l)² is χ² for white noise (Box & Pierce,
  /// J. Am. Stat. Assoc. 65:1509, 1970), and is in that distribution's bulk: for long runs, one in a hundred sets of
  /// channels of white noise is not. Residuals of a model whose initial states were fitted to runs of N samples have
  /// autocorrelations of −1/N; twice of that is taken off |r| first.
  bool white(Index channel) const;

 private:
  Matrix products_, pairs_;
  double runs_ = 0, samples_ = 0;
};

}  // namespace lgn
