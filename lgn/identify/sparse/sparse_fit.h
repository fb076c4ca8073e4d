#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "lgn/identify/fit_options.h"
#include "lgn/identify/sparse/sparse_errors.h"
#include "lgn/identify/sparse/sparse_problem.h"
#include "lgn/identify/sparse/sparse_start.h"

namespace lgn {

/// A large network fitted to data by maximum likelihood.
struct SparseFit {
  std::shared_ptr<const NetworkStructure> structure;
  Vector theta;
  Vector
      theta_errors;  ///< standard errors; empty where there was no time or they are too many, NaN at a bound
  SparsePoles poles;      ///< a few of the slowest; none where there are no standard errors
  Matrix initial_states;  ///< one column per run; as channels show them
  Vector offset;          ///< empty: none
  Vector noise;           ///< σ of each channel
  Vector squares, count;  ///< of the residuals of each channel
  Vector kept;            ///< zero for each parameter of the start that has been left out
  std::shared_ptr<const Partition> partition;  ///< in which the structure and θ lie
  Index unknowns = 0;
  int iterations = 0;
  bool converged = false, stopped = false;
};

/// Values of a network on a known topology: the weak form (sparse_start.h), then Gauss–Newton steps by preconditioned
/// conjugate gradients on products with JᵀWJ over elements, initial states and offsets at once (sparse_problem.h). Losses
/// that the data do not show, below three standard errors, are taken out on the way.
///
/// Converged means that a further step would change the misfit by less than a hundredth for each unknown: the estimate is then within
/// 1.005 of the error that the data allow. Throws NotIdentified where the data are too few.
SparseFit fit_on_topology(const Dataset& data, bool mechanical, const FitOptions& options);

/// The same in a partition, for the data of own rows, from starts by windows of several widths. Vectors and matrices of the result are
/// those of the whole on the process that writes and empty on others; the structure is that of this process. Where the options
/// have a checkpoint the search is kept there after every step, for any partition.
SparseFit fit_from_starts(const Dataset& data, const FitOptions& options,
                          const std::function<SparseStart(double width)>& start_at);

/// The most likely initial states under a known network, one column per run, with noise of these sizes.
Matrix sparse_initial_states(const NetworkStructure& structure, const Vector& theta,
                             const Dataset& data, const Vector& noise, const Vector& offset,
                             int threads = 1);

}  // namespace lgn
