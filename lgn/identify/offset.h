#pragma once

#include <memory>

#include "lgn/data/dataset.h"
#include "lgn/identify/fit_structure.h"

namespace lgn {

/// x̄ of ẋ = A (x − x̄) by regression: that of a generator with a constant beside it. Directions in which the data hardly
/// move are left at zero, and the mean is taken where regression finds nothing. O(K n²) for K samples.
Vector guess_offset(const Dataset& data);

/// A fit to data whose channels may show an offset.
struct OffsetFit {
  StructureFit found;
  /// What was fitted: the samples less `centre`, or those that were given where that is zero, which must outlive it then. The fit's own
  /// offset comes on top of that.
  std::shared_ptr<const Dataset> data;
  Vector centre;
};

/// Fits the structure as `fit_structure` does, with the offset that the options ask for. Where the choice is left to
/// the data, an offset is estimated if regression suggests one or the fit without leaves one, and it stays if the Bayesian
/// information criterion wants it.
OffsetFit fit_with_offset(const Dataset& data, const FitOptions& options);

/// The offsets that the options give. Throws Error where their number is not that of the channels.
Vector given_offset(const FitOptions& options, Index channels);

/// Covariance of ȳ, B and D of a fit, in this order, those of a matrix column by column, θ estimated with them, under noise of
/// these sizes; empty where there is none of them.
Matrix shared_covariance(const Fit& fit, const Dataset& data, const Vector& noise,
                         bool estimate_initial_states);

}  // namespace lgn
