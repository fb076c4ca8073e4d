#include "experiments/baselines/linear_id.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "experiments/baselines/even_step.h"
#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"

namespace lgn::studies {
namespace {

/// ẋ at all samples, one-sided at both ends.
Matrix gradient_of(const Matrix& x, double step) {
  const Index last = x.cols() - 1;
  Matrix y(x.rows(), x.cols());
  y.col(0) = (x.col(1) - x.col(0)) / step;
  y.middleCols(1, last - 1) = (x.rightCols(last - 1) - x.leftCols(last - 1)) / (2 * step);
  y.col(last) = (x.col(last) - x.col(last - 1)) / step;
  return y;
}

}  // namespace

Regression difference_runs(const Dataset& data, Differences differences) {
  const Index cut = differences == Differences::interior ? 1 : 0;
  const Index samples = data.samples() - 2 * cut * static_cast<Index>(data.runs().size());
  Regression regression{Matrix(data.dimension(), samples), Matrix(data.dimension(), samples)};
  Index column = 0;
  for (const Trajectory& run : data.runs()) {
    const Index used = run.samples() - 2 * cut;
    if (used < 1)
      throw Error(fmt::format("run {} has no inner samples", run.label()),
                  "central differences need three samples in every run");
    const Matrix derivatives = gradient_of(run.states(), even_step(run));
    regression.states.middleCols(column, used) = run.states().middleCols(cut, used);
    regression.derivatives.middleCols(column, used) = derivatives.middleCols(cut, used);
    column += used;
  }
  return regression;
}

Matrix linear_id(const Dataset& data, Differences differences) {
  const Regression regression = difference_runs(data, differences);
  const Matrix rows = regression.states.transpose();
  const SingularValues svd = singular_value_decomposition(rows);
  const double least = std::numeric_limits<double>::epsilon() *
                       static_cast<double>(std::max(rows.rows(), rows.cols())) * svd.s.maxCoeff();
  const Vector inverse = svd.s.unaryExpr([&](double s) { return s > least ? 1 / s : 0.0; });
  return regression.derivatives * svd.u * inverse.asDiagonal() * svd.v.transpose();
}

}  // namespace lgn::studies
