#pragma once

#include <cstdint>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/dynamics/structure.h"
#include "lgn/identify/progress.h"
#include "lgn/physics/uncertainty.h"

namespace lgn {

/// How to repeat a fit.
struct BootstrapOptions {
  Index repeats = 1000;
  std::uint64_t seed = 1;
  int threads = 1;
  bool estimate_starts = true;
  /// Called now and then; returning false ends the bootstrap with the fits made so far.
  FitObserver observe = {};
};

/// Poles of fits to artificial data: the model's own trajectories at the times of the data, gaps
/// included, with fresh Gaussian noise of these sizes (one per channel). Column b holds the poles of
/// fit b, each in the place of the model's pole that it belongs to.
///
/// A check of standard errors that does not linearise: it sees bounds and curvature. Each fit starts
/// from the model and takes the exact gradient with the model's own Hessian, so that it costs a few
/// gradients. Fit b depends on the seed and b alone, not on the number of threads; columns of fits
/// that were not made are left out.
ComplexMatrix bootstrap_poles(const Structure& structure, const Vector& theta, const Matrix& starts,
                              const Dataset& data, const Vector& noise,
                              const BootstrapOptions& options = {});

/// Covariances of the poles over the columns around their mean.
PoleCovariances covariances_of(const ComplexMatrix& poles);

}  // namespace lgn
