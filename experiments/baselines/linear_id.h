#pragma once

#include "lgn/data/dataset.h"
#include "lgn/identify/regression/closed_form.h"

namespace lgn::studies {

/// How Linear-ID estimates ẋ from samples.
enum class Differences {
  /// numpy.gradient: (x_(k+1) − x_(k−1))/2h inside, and differences of first order at both ends of
  /// every run.
  as_authors,
  /// Central differences at the inner samples alone.
  interior
};

/// States and derivatives of all runs side by side. Throws Error for a run that is uneven, has gaps
/// or, for `interior`, fewer than three samples.
Regression difference_runs(const Dataset& data, Differences differences);

/// The paper's Linear-ID: min ‖A X − Y‖ over all A on those derivatives.
///
/// The shortest solution, as numpy.linalg.lstsq finds it: singular values of X below ε max(n, K) of
/// the largest count as zero, K samples. O(n² K + n³).
Matrix linear_id(const Dataset& data, Differences differences = Differences::as_authors);

}  // namespace lgn::studies
