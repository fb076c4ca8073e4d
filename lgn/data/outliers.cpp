#include "lgn/data/outliers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/median.h"

namespace lgn {
namespace {

/// |x − median of its neighbours|, itself not among them; NaN where a sample is missing.
Matrix local_differences(const Matrix& states) {
  constexpr Index half = 3;
  Matrix differences(states.rows(), states.cols());
  for (Index c = 0; c < states.rows(); ++c)
    for (Index k = 0; k < states.cols(); ++k) {
      std::vector<double> around;
      for (Index j = std::max<Index>(0, k - half); j <= std::min(states.cols() - 1, k + half); ++j)
        if (j != k && !Trajectory::missing(states(c, j))) around.push_back(states(c, j));
      differences(c, k) = std::abs(states(c, k) - median(std::move(around)));
    }
  return differences;
}

}  // namespace

Dataset without_outliers(const Dataset& data) {
  constexpr double limit = 10 * 1.4826;
  std::vector<Matrix> differences;
  for (const auto& run : data.runs()) differences.push_back(local_differences(run.states()));
  Vector usual(data.dimension());
  for (Index c = 0; c < data.dimension(); ++c) {
    std::vector<double> all;
    for (const Matrix& d : differences)
      for (const double value : d.row(c))
        if (!Trajectory::missing(value)) all.push_back(value);
    usual[c] = median(std::move(all));
  }
  std::vector<Trajectory> runs;
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const auto& run = data.runs()[r];
    Matrix states = run.states();
    for (Index c = 0; c < states.rows(); ++c)
      for (Index k = 0; k < states.cols(); ++k)
        if (usual[c] > 0 && differences[r](c, k) > limit * usual[c])
          states(c, k) = std::numeric_limits<double>::quiet_NaN();
    runs.emplace_back(run.label(), run.times(), std::move(states), run.inputs());
  }
  return Dataset(data.channels(), std::move(runs), data.inputs());
}

}  // namespace lgn
