#pragma once

#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/data/dataset.h"

namespace lgn {

/// The values of one channel, run by run.
std::vector<Vector> runs_of(const Dataset& data, Index channel);

/// How much of a channel no smooth signal explains: σ of independent noise that makes the differences of orders two, three, four and
/// five of its runs; as many as there are samples for. White noise has the same in all, what is smooth less in each.
std::vector<double> noise_by_differences(const std::vector<Vector>& runs);

/// The least of these; zero where there are none.
double noise_of(const std::vector<Vector>& runs);

/// σ of a channel where it is that of white noise; zero where smooth motion may have made it.
double white_noise_in(const std::vector<Vector>& runs);

}  // namespace lgn
