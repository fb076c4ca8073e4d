#pragma once

#include <memory>
#include <string>

#include "lgn/data/dataset.h"
#include "lgn/dynamics/structure.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/training/training.h"

namespace lgn {

/// How to find the parameters of a structure.
struct EstimateOptions {
  /// auto: closed form, then maximum likelihood. closed-form, mle, adam: that alone (mle takes its
  /// start from the closed form; adam is the paper's training from a random start).
  std::string method = "auto";
  /// θ to start from; by default what the method finds for itself.
  std::optional<Vector> theta = {};
  /// Generators that mle may start from besides its own.
  std::vector<Matrix> also = {};
  LikelihoodOptions likelihood = {};
  TrainingOptions training = {};
};

/// Parameters, and the model that they make.
struct Estimate {
  std::shared_ptr<const Structure> structure;
  std::string method;  ///< closed-form, mle or adam: what was done
  Vector theta;
  Matrix generator;
  Matrix starts;  ///< one column per run
  int iterations = 0;
  bool converged = false;
  bool stopped = false;  ///< ended early, by the observer
  Vector noise = {};     ///< σ of each channel as the method saw it; empty: it did not
};

/// Throws Error for a method that there is not.
void check_method(const std::string& method);

/// Whether maximum likelihood would take more memory than is sensible; then the closed form stands.
bool too_large_for_likelihood(const Dataset& data);

/// The starts of all runs under A: fitted to the samples, or the first ones.
Matrix starts_of(const Matrix& a, const Dataset& data, bool estimated);

/// Finds θ of the structure in the data.
///
/// Closed forms exist for skew, sd, psd and full; other structures take the member near that of
/// full. `metric` contains every stable generator, so it is estimated as full, which has no gauge to
/// drift in, and gets its Q by certificate; only where the best generator is not stable the bound is
/// felt, and the parameters of metric itself are searched. Where steps are too long for derivatives,
/// logarithms of the step map are tried as starts.
/// Throws Error for an unknown method, NotIdentified when there is no start.
Estimate estimate(const Dataset& data, std::shared_ptr<const Structure> structure,
                  const EstimateOptions& options = {});

}  // namespace lgn
