#pragma once

#include <vector>

#include "lgn/dynamics/network.h"

namespace lgn {

/// The states of a network that follow each initial state (a column of x0) at increasing times: a matrix of n × K for each,
/// on the pattern alone (sparse_flow.h). Throws Error where stiffnesses have either sign.
std::vector<Matrix> propagate_sparse(const NetworkStructure& network, const Vector& theta,
                                     const Matrix& x0, const Vector& times, int threads = 1);

}  // namespace lgn
