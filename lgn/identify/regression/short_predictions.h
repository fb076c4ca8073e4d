#pragma once

#include <vector>

#include "lgn/data/dataset.h"

namespace lgn {

/// Samples in a window of four radians of the data: a wrong generator shows in it, and has not yet lost the data's phase. At
/// least five of each channel are present.
Index telling_samples(const Dataset& data);

/// How well generators predict data over short windows, each from the start that suits it best:
///     e(A)² = Σ_windows min over x₀ of Σ_k Σ_c (x̂_c(t_k) − x_c(t_k))²/a_c² / number of values,
/// x̂(t) = exp(A (t − t_0)) x₀, a_c the amplitude of channel c. A wrong generator shows within a
/// radian or two, where its trajectory has not yet lost the data's phase; starts that are fitted do
/// not pass the noise of one sample on to a whole window.
///
/// Windows with the same times and the same gaps share their exponentials and the matrix of the
/// normal equations: O(L n³ + K n²) for K samples in windows of L on a common grid. Otherwise each
/// window costs O(L n³), and only as many as stay below about a second are looked at.
class ShortPredictions {
 public:
  /// Cuts the data into windows of `samples` samples.
  ShortPredictions(const Dataset& data, Index samples);

  /// e(A); infinite where exp leaves the range of a double.
  double error(const Matrix& a) const;

 private:
  /// Windows with common times and gaps.
  struct Group {
    Vector times;
    Matrix present;              ///< 1 where there is a sample, else 0; one column per time
    std::vector<Index> members;  ///< the windows
    std::vector<Matrix> target;  ///< for each time, one column per window; 0 where missing
  };
  static double squares(const Group& group, const Matrix& a);

  Vector unit_;  ///< a_c, in which states are held: channels of very different size would spoil the
                 ///< normal equations
  std::vector<Group> groups_;
  double values_ = 0;
};

}  // namespace lgn
