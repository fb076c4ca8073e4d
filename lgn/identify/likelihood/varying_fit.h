#pragma once

#include <memory>
#include <string>

#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/likelihood/varying_likelihood.h"
#include "lgn/identify/residuals.h"

namespace lgn {

/// How to fit a generator that varies in time.
struct VaryingOptions {
  /// Starts, loss, limits, observer and checkpoint as for a constant generator.
  LikelihoodOptions likelihood = {};
  MagnusOptions magnus = {};
};

/// A generator that varies in time, and the model that it makes.
struct VaryingFit {
  std::shared_ptr<const VaryingStructure> structure;
  std::string method = "mle";
  Vector theta;
  Matrix starts = {};                ///< one column per run
  Vector noise = {};                 ///< σ of each channel
  std::vector<Matrix> factors = {};  ///< weight of each sample of each run; empty: all one
  MagnusOptions magnus = {};
  int iterations = 0;
  bool converged = false;
  bool stopped = false;  ///< by the observer

  /// x(t_k) in column k, from x₀ at the first time.
  Matrix propagate(const Vector& x0, const Vector& times) const;
};

/// The most likely θ near a start, with the starts of all runs: as maximum_likelihood() for a constant
/// generator, with steps of the flow chosen anew in every round. Throws NotIdentified when the start
/// has no finite trajectory.
VaryingFit fit_varying(const Dataset& data, std::shared_ptr<const VaryingStructure> structure,
                       const Vector& theta, const VaryingOptions& options = {});

/// What the data know about θ with the starts eliminated, under this noise and the fit's factors: the
/// information matrix.
Matrix varying_information(const Dataset& data, const VaryingFit& fit, const Vector& noise,
                           const std::optional<Matrix>& starts = {});

/// The starts of all runs that fit the samples best under the model.
Matrix varying_starts(const Dataset& data, const VaryingStructure& structure, const Vector& theta,
                      const MagnusOptions& magnus);

/// What the fit leaves over; where samples have factors, outliers count as three times the noise.
FitResiduals find_residuals(const VaryingFit& fit, const Dataset& data);

}  // namespace lgn
