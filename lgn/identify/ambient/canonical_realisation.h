#pragma once

#include <optional>
#include <vector>

#include "lgn/identify/realisation/modal_realisation.h"

namespace lgn {

/// A stationary process of n states by its modes, and its correlation functions.
struct StochasticRealisation {
  Realisation modes;
  std::vector<Matrix> correlations;  ///< at the lags that were asked for
};

/// States of a stationary process by canonical variates (Larimore, Proc. American Control Conference 445, 1983): the n combinations of past samples that tell
/// most of the future ones, as many samples of each as the horizon has. Where correlation functions are those of a process, so are these of every n
/// states: the spectrum is positive, and no pole grows. Estimates are nearly as good as the most likely ones (Bauer, Automatica 41:359, 2005).
class CanonicalRealisation {
 public:
  /// `correlations`[k] is the mean of y(t + k) y(t)ᵀ, at lags up to twice the horizon. What is not positive in them is
  /// made so by a share of noise. O((horizon · channels)³).
  CanonicalRealisation(const std::vector<Matrix>& correlations, Index horizon);

  /// Nothing where there are not so many states. Two real poles that change their sign with every sample are written as a pair at half the sampling rate,
  /// and a single one as if it did not. Poles are per unit of time, for samples `step` apart. O(n³ + n² lags).
  std::optional<StochasticRealisation> realise(Index n, double step,
                                               const std::vector<Index>& lags) const;

 private:
  // Of all states, the strongest first: x(t + 1) by x(t), y(t) by x(t), and the mean of x(t + 1) y(t)ᵀ.
  Matrix phi_, c_, g_;
};

}  // namespace lgn
