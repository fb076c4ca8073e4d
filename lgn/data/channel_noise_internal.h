#pragma once

// How much of a channel no smooth signal explains; private to the inspection of data.

#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn::inspection_internal {

/// σ of independent noise that makes the differences of orders two, three, four and five of the runs of one channel; as many as there
/// are samples for. White noise has the same in all, what is smooth less in each.
std::vector<double> noise_by_differences(const std::vector<Vector>& runs);

/// The least of these; zero where there are none.
double noise_of(const std::vector<Vector>& runs);

}  // namespace lgn::inspection_internal
