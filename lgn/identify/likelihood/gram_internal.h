#pragma once

// Shared by the parts of a problem; not installed.

#include <algorithm>

#include "lgn/core/linear_algebra.h"
#include "lgn/core/stop.h"

namespace lgn {

/// Adds x xᵀ to the lower triangle of a sum, in parts between which the work may stop.
template <class Columns>
void add_gram(Matrix& sum, const Columns& x) {
  constexpr Index most = 200'000'000;
  const Index rows = x.rows(), part = std::max<Index>(1, most / (rows * rows + 1));
  for (Index first = 0; first < x.cols(); first += part) {
    const Index count = std::min(part, x.cols() - first);
    stop_point(0.1 * static_cast<double>(rows * rows) * static_cast<double>(count));
    sum.selfadjointView<Eigen::Lower>().rankUpdate(x.middleCols(first, count));
  }
}

}  // namespace lgn
