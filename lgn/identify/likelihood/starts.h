#pragma once

#include "lgn/data/dataset.h"

namespace lgn {

/// The start x₀ of every run (one column each) that brings exp(A(t − t_0)) x₀ closest to its
/// samples, by linear least squares; directions that the samples do not show are left at zero. O(K
/// n³) for K samples.
Matrix fitted_starts(const Matrix& a, const Dataset& data);

/// First guess of every run's start: the first sample, a missing cell replaced by the next present
/// one of that channel, or by zero.
Matrix measured_starts(const Dataset& data);

}  // namespace lgn
