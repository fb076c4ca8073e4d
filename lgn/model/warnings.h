#pragma once

#include "lgn/data/amplitude_frequency.h"
#include "lgn/data/distortion.h"
#include "lgn/data/inspection.h"
#include "lgn/identify/driven/late_inputs.h"
#include "lgn/identify/driven/residual_checks.h"
#include "lgn/identify/residuals.h"
#include "lgn/model/model.h"

namespace lgn {

/// What the warnings of a fit are judged by.
struct FitFacts {
  FitResiduals residuals;
  Index unknowns = 0, values = 0;
  bool evenly_sampled = true;   ///< nearly all steps are alike
  bool growing = false;         ///< the end of a run is plainly larger than all before
  bool stopped = false;         ///< something was asked to end before its end
  bool errors_skipped = false;  ///< standard errors were not computed because of their cost
  bool unrefined = false;       ///< they are those of a better estimate
  double distance = 0;          ///< from the best estimate, in standard errors
  std::optional<AmplitudeFrequency> amplitude_frequency = {};
  std::optional<double> density =
      {};  ///< part of all pairs that couple, where a network was asked for
           ///< and that is too many for one
  std::optional<Index> excitation =
      {};  ///< states that the inputs can tell apart, where that is fewer than there are
  std::vector<Complex> unseen_poles = {};  ///< whose gain from the inputs cannot be told from zero
  std::vector<ChannelInspection> damaged =
      {};                         ///< channels and inputs that are clipped, stuck or have outliers
  bool robust_by_itself = false;  ///< huber was taken because of these
  std::optional<Feedback> feedback = {};
  std::vector<Distortion> distortion = {};
  std::optional<Nonlinearity> nonlinearity = {};
  LateInputs late_inputs = {};
  double bootstrap_ratio = 1;  ///< between standard errors by bootstrap and by Fisher information
};

/// Everything a user should know about the model, each with a code and a remedy. Modes above the
/// Nyquist frequency, those near it that may be aliased, and those of channels of which less than half was explained are
/// marked as not determined.
///
/// Codes: underdetermined, stopped, not-converged, not-at-optimum, poor-fit, aliasing, unstable, growing, ill-conditioned-poles,
/// undetermined-modes, spurious-modes, idle-channel, weak-excitation, clipped, stuck, outliers, repeated-channels (identify.h), not-passive, late-input, feedback, nonlinear, errors-skipped, errors-disagree, not-sparse.
/// Where the generator varies in time, the poles of its mean are not judged (no aliasing,
/// ill-conditioned-poles, undetermined-modes); unstable means that Floquet's largest multiplier is
/// above one, and frequency-not-seen that the data are shorter than the slowest period.
std::vector<Warning> find_warnings(Model& model, const FitFacts& facts);

}  // namespace lgn
