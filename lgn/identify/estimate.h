#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/identify/fit.h"
#include "lgn/identify/fit_options.h"

namespace lgn {

/// Where an estimate may begin, besides what the method finds for itself.
struct EstimateStart {
  /// θ to start from; nothing else is tried.
  std::optional<Vector> theta = {};
  /// Generators that maximum likelihood may start from, too.
  std::vector<Matrix> generators = {};
  /// As LikelihoodStart::sizes.
  Vector sizes = {};
};

/// Whether maximum likelihood would take more memory than is sensible; then the closed form stands.
bool too_large_for_likelihood(const Dataset& data);

/// The initial states of all runs at θ and an offset, as channels show them: the most likely ones under noise of these sizes (one per channel; empty: in
/// proportion to the channels' amplitudes, or alike where the structure knows one unit only), or the first samples.
Matrix initial_states_of(const Structure& structure, const Vector& theta, const Dataset& data,
                         bool estimated = true, const Vector& noise = {},
                         const MagnusOptions& magnus = {}, const Vector& offset = {});

/// Finds θ of a constant structure in the data.
///
/// Closed forms exist for skew, sd, psd and full; other structures take the member near that of
/// full. `metric` contains every stable generator, so it is estimated as full, which has no gauge to
/// drift in, and gets its Q by certificate; only where the best generator is not stable the bound is
/// felt, and the parameters of metric itself are searched. Where steps are too long for derivatives,
/// logarithms of the step map are tried as starts.
/// Throws NotIdentified when there is no start.
Fit estimate(const Dataset& data, std::shared_ptr<const ConstantStructure> structure,
             const FitOptions& options = {}, const EstimateStart& start = {});

}  // namespace lgn
