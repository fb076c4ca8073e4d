#pragma once

#include <string>

#include "lgn/dynamics/varying_law.h"
#include "lgn/identify/estimate.h"
#include "lgn/identify/variation/variation.h"

namespace lgn {

/// How a generator may vary, and how to find it.
struct VaryingEstimateOptions {
  /// harmonics, spline, fourier, or auto: harmonics and splines, the better by the Bayesian information
  /// criterion (fourier for adam). Laws have their own.
  std::string basis = "auto";
  MagnusOptions magnus = {};
  Index most_harmonics = VariationOptions{}.most_harmonics;
  Index most_splines = VariationOptions{}.most_splines;
  /// θ of a law to start from; by default what the law says, and multiples of its positive constants where
  /// that leads nowhere.
  std::optional<Vector> theta = {};
  /// auto, mle or adam; starts, loss, limits, training.
  EstimateOptions estimate = {};
};

/// Whether a structure of this name varies in time: ltv-skew, ltv-sd, ltv-psd, ltv-full,
/// parametric:LAW with such a law; ltv-parametric and ltv-parametric:LAW mean the same as the latter.
bool varies_in_time(const std::string& name);

/// The law of such a name, for n states. Throws Error for a name without a law.
std::shared_ptr<const VaryingParametric> find_varying_parametric(const std::string& name,
                                                                 Index dimension);

/// Finds the variation of a structure in the data: by maximum likelihood from the constant generator
/// (variation.h), from the law's constants, or by Adam on the paper's features. Throws Error for names and
/// methods that there are not.
VaryingFit estimate_varying(const Dataset& data, const std::string& structure,
                            const VaryingEstimateOptions& options = {});

/// The same for a law.
VaryingFit estimate_varying(const Dataset& data, std::shared_ptr<const VaryingParametric> law,
                            const VaryingEstimateOptions& options = {});

/// Whether the data need a generator that varies: nothing where the constant generator `found` leaves
/// only noise, where the information criterion does not clearly ask for variation, or where variation
/// does not explain what is left, which then has another cause: it must leave only noise, or a third at
/// most. Else the variation, in the first of `bases` that leaves only noise, or in the best of them by
/// the criterion.
std::optional<VaryingFit> needed_variation(
    const Dataset& data, const Estimate& found,
    const std::vector<std::shared_ptr<const Structure>>& bases,
    const VaryingEstimateOptions& options = {});

}  // namespace lgn
