#pragma once

#include <optional>
#include <string>

#include "lgn/data/dataset.h"
#include "lgn/identify/fit.h"

namespace lgn {

/// A correlation of residuals with inputs that come after them.
struct Feedback {
  std::string input, channel;
  Index lag = 0;           ///< samples from the residual to the input
  double correlation = 0;  ///< of what cannot be told from the inputs before it
};

/// Residuals that later inputs know of: noise of a sensor that a controller answered to. Inputs are whitened by
/// an autoregression of at most twenty lags first, so that what a residual owes to earlier inputs does not reach later ones; the largest of
/// the correlations with the next twenty inputs counts where it is beyond its standard error 1/√N by chance in one record of
/// a hundred, all lags, inputs and channels together, and larger than all with the twenty before. Nothing where there
/// are fewer than sixty samples. O(K (20 m l + 20² m)).
std::optional<Feedback> find_feedback(const Fit& fit, const Dataset& data);

/// What a fit leaves that follows a square of an input or of a channel.
struct Nonlinearity {
  std::string signal;  ///< the input or the channel
  bool even =
      false;  ///< its square, else its square with its sign: a gain that depends on amplitude
  double share = 0;  ///< what it explains as part of the signal, as root mean squares
};

/// The strongest nonlinearity in the residuals of a fit: s = u², |u| u, ŷ² or |ŷ| ŷ as one more input of the system, with a
/// column of B and of D of its own, lowers the misfit by more than chance does in one record of a thousand (Fisher's F, all
/// signals together, widened for autocorrelated residuals), and explains a thousandth of the signal at least. Beside signals
/// of channels the channel itself is an input too, so that linear dynamics that are missing do not count; poles follow for three steps. Nothing where the
/// system is too large for that. O(K l (n m)²) for each signal.
std::optional<Nonlinearity> find_nonlinearity(const Fit& fit, const Dataset& data);

}  // namespace lgn
