#include "lgn/physics/residuals.h"

#include <cmath>

#include "lgn/flow/propagate.h"

namespace lgn {

FitResiduals find_residuals(const Matrix& a, const Matrix& starts, const Dataset& data,
                            const Vector& limit) {
  FitResiduals result;
  const Index n = data.dimension();
  result.channel_squares = result.channel_power = result.channel_count = Vector::Zero(n);
  double power = 0, products = 0, pairs = 0, squares = 0, present = 0;
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const auto& run = data.runs()[r];
    Matrix e = run.states() - propagate(a, starts.col(static_cast<Index>(r)), run.times());
    for (Index c = 0; c < limit.size(); ++c)
      for (Index k = 0; k < e.cols(); ++k)
        if (std::abs(e(c, k)) > limit[c]) e(c, k) = std::copysign(limit[c], e(c, k));
    for (Index k = 0; k < e.cols(); ++k)
      for (Index c = 0; c < e.rows(); ++c) {
        if (Trajectory::missing(e(c, k))) continue;
        squares += e(c, k) * e(c, k);
        power += run.states()(c, k) * run.states()(c, k);
        present += 1;
        result.channel_squares[c] += e(c, k) * e(c, k);
        result.channel_power[c] += run.states()(c, k) * run.states()(c, k);
        result.channel_count[c] += 1;
        if (k == 0 || Trajectory::missing(e(c, k - 1))) continue;
        products += e(c, k) * e(c, k - 1);
        pairs += 1;
      }
  }
  result.sum_of_squares = squares;
  result.pairs = pairs;
  result.nrmse = std::sqrt(squares / power);
  if (squares > 0 && pairs > 0) result.correlation = (products / pairs) / (squares / present);
  return result;
}

double holdout_nrmse(const Matrix& a, const Matrix& starts, const Split& split) {
  double error = 0, power = 0;
  for (std::size_t r = 0; r < split.train.runs().size(); ++r) {
    const auto& train = split.train.runs()[r];
    const auto& held = split.holdout.runs()[r];
    Vector times(train.samples() + held.samples());
    times << train.times(), held.times();
    const Matrix predicted =
        propagate(a, starts.col(static_cast<Index>(r)), times).rightCols(held.samples());
    const auto missing = held.states().array().isNaN();
    error += missing.select(0.0, predicted - held.states()).squaredNorm();
    power += missing.select(0.0, held.states()).squaredNorm();
  }
  return std::sqrt(error / power);
}

}  // namespace lgn
