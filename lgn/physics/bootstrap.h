#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/identify/fit.h"
#include "lgn/identify/nonlinear/law_fit.h"
#include "lgn/identify/progress.h"
#include "lgn/physics/uncertainty.h"

namespace lgn {

/// How to repeat a fit.
struct BootstrapOptions {
  Index repeats = 1000;
  std::uint64_t seed = 1;
  int threads = 1;
  bool estimate_initial_states = true;
  /// Called now and then; returning false ends the bootstrap with the fits made so far.
  FitObserver observe = {};
};

/// Parameters of fits to artificial data: the model's own trajectories at the times of the data, gaps
/// included, with fresh Gaussian noise of these sizes (one per channel). Column b holds θ of fit b.
///
/// A check of standard errors that does not linearise: it sees bounds and curvature. Each fit starts
/// from the model and takes the exact gradient with the model's own Hessian, so that it costs a few
/// gradients. Fit b depends on the seed and b alone, not on the number of threads; columns of fits
/// that were not made are left out.
Matrix bootstrap(const Fit& fit, const Dataset& data, const Vector& noise,
                 const BootstrapOptions& options = {});

/// The same for a nonlinear law, with its terms, its inputs (`timing`), and its windows where it was fitted over these: of θ that moves zero
/// elsewhere, and ȳ below it where that was estimated. Of windows initial states are estimated again, from the data less ȳ.
Matrix bootstrap(const LawFit& fit, const Dataset& data, const InputTiming& timing,
                 const BootstrapOptions& options = {});

/// Poles of the generators that belong to the columns of θ, each in the place of the pole at `theta` that it belongs to.
ComplexMatrix matched_poles(const std::function<Matrix(const Vector&)>& generator,
                            const Vector& theta, const Matrix& samples);

/// Covariances of the poles over the columns around their mean.
PoleCovariances covariances_of(const ComplexMatrix& poles);

}  // namespace lgn
