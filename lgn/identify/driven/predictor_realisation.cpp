#include "lgn/identify/driven/predictor_realisation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/decompositions.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/flow/exponential.h"
#include "lgn/identify/realisation/modal_realisation.h"

namespace lgn {
namespace {

/// X of least ‖X Z − Y‖ for rows of Z below one another.
Matrix regression(const Matrix& z, const Matrix& y) {
  stop_point(4.0 * static_cast<double>(z.rows() * z.rows() * z.cols()));
  return solve_minimum_norm(z.transpose(), y.transpose()).transpose();
}

Matrix stacked(const Matrix& a, const Matrix& b) {
  Matrix result(a.rows() + b.rows(), b.cols());
  result << a, b;
  return result;
}

Vector row_sizes(const Matrix& rows) {
  return rows.rowwise().norm().unaryExpr([](double s) { return s > 0 ? 1 / s : 0.0; });
}

}  // namespace

PredictorRealisation::PredictorRealisation(const Dataset& data, double step)
    : step_(step),
      sizes_(channel_amplitudes(data).unaryExpr([](double s) { return s > 0 ? s : 1.0; })),
      inputs_(static_cast<Index>(data.inputs().size())),
      channels_(data.dimension()) {
  const Index width = inputs_ + channels_;
  Vector mean = Vector::Zero(width), size = Vector::Zero(width), count = Vector::Zero(width);
  for (const auto& run : data.runs()) {
    values_.push_back(stacked(run.inputs(), run.states()));
    for (Index c = 0; c < width; ++c)
      for (const double value : values_.back().row(c))
        if (!Trajectory::missing(value)) {
          mean[c] += value;
          size[c] += value * value;
          count[c] += 1;
        }
  }
  mean = mean.cwiseQuotient(count.cwiseMax(1));
  size = (size.cwiseQuotient(count.cwiseMax(1)) - mean.cwiseAbs2()).cwiseMax(0).cwiseSqrt();
  for (double& s : size) s = s > 0 ? s : 1.0;
  size.tail(channels_) = sizes_;
  for (Matrix& run : values_) run = size.cwiseInverse().asDiagonal() * (run.colwise() - mean);
  double least = std::numeric_limits<double>::infinity();
  Matrix coefficients;
  for (const Index order : {4, 6, 8, 10, 12, 15, 20, 25, 30}) {
    Rows tried = rows(order);
    const auto samples = static_cast<double>(tried.sample.cols());
    const auto unknowns = static_cast<double>(tried.past.rows() + inputs_);
    if (!(samples > 4 * unknowns)) break;
    const Matrix regressors = stacked(tried.input, tried.past);
    const Matrix found = regression(regressors, tried.sample);
    const Matrix left = tried.sample - found * regressors;
    double criterion = unknowns * static_cast<double>(channels_) * std::log(samples);
    for (Index c = 0; c < channels_; ++c)
      criterion += samples * std::log(left.row(c).squaredNorm() / samples + 1e-24);
    if (!(criterion < least)) continue;
    least = criterion;
    order_ = order;
    rows_ = std::move(tried);
    coefficients = found.rightCols(order * width);
  }
  if (order_ == 0) return;
  // What the past tells of the samples 0, 1, … p − 1 steps on, if nothing new comes.
  Matrix outlook = Matrix::Zero(order_ * channels_, order_ * width);
  for (Index ahead = 0; ahead < order_; ++ahead)
    outlook.block(ahead * channels_, 0, channels_, (order_ - ahead) * width) =
        coefficients.rightCols((order_ - ahead) * width);
  Matrix spread = rows_.past * rows_.past.transpose() / static_cast<double>(rows_.past.cols());
  spread.diagonal().array() += 1e-12 * spread.trace();
  const SingularValues strongest = singular_value_decomposition(outlook * cholesky(spread));
  directions_ = strongest.u.transpose() * outlook;
}

PredictorRealisation::Rows PredictorRealisation::rows(Index order) const {
  const Index width = inputs_ + channels_;
  Rows result;
  std::vector<std::pair<std::size_t, Index>> places;
  for (std::size_t r = 0; r < values_.size(); ++r)
    for (Index k = order; k < values_[r].cols(); ++k)
      if (!values_[r].middleCols(k - order, order + 1).hasNaN()) places.emplace_back(r, k);
  const auto count = static_cast<Index>(places.size());
  result.past.resize(order * width, count);
  result.input.resize(inputs_, count);
  result.sample.resize(channels_, count);
  for (Index j = 0; j < count; ++j) {
    const auto& [r, k] = places[static_cast<std::size_t>(j)];
    for (Index i = 0; i < order; ++i)
      result.past.col(j).segment(i * width, width) = values_[r].col(k - 1 - i);
    result.input.col(j) = values_[r].col(k).head(inputs_);
    result.sample.col(j) = values_[r].col(k).tail(channels_);
    result.follows.push_back(
        j > 0 && places[static_cast<std::size_t>(j - 1)] == std::pair(r, k - 1) ? 1 : 0);
  }
  return result;
}

std::optional<PredictorRealisation::Start> PredictorRealisation::realise(Index states) const {
  if (states < 1 || states > directions_.rows() || rows_.sample.cols() < 4 * states) return {};
  Matrix x = directions_.topRows(states) * rows_.past;
  const Vector scale = row_sizes(x);
  if ((scale.array() == 0).any()) return {};
  x = (std::sqrt(static_cast<double>(x.cols())) * scale).asDiagonal() * x;
  const Matrix seen = stacked(rows_.input, x);
  const Matrix by_sample = regression(seen, rows_.sample);
  const Matrix errors = rows_.sample - by_sample * seen, c = by_sample.rightCols(states);
  std::vector<Index> now, next;
  for (std::size_t j = 1; j < rows_.follows.size(); ++j)
    if (rows_.follows[j] != 0) {
      now.push_back(static_cast<Index>(j) - 1);
      next.push_back(static_cast<Index>(j));
    }
  if (static_cast<Index>(now.size()) < 4 * states) return {};
  Matrix from(2 * inputs_ + states + channels_, static_cast<Index>(now.size()));
  from << rows_.input(Eigen::all, now), rows_.input(Eigen::all, next), errors(Eigen::all, now),
      x(Eigen::all, now);
  const Matrix moves = regression(from, x(Eigen::all, next));
  const Matrix phi = moves.rightCols(states), k = moves.middleCols(2 * inputs_, channels_);
  if (!phi.allFinite() || !k.allFinite()) return {};
  const Eigensystem modes = eigensystem(phi);
  std::vector<ShapedPole> found;
  for (Index i = 0; i < states; ++i) {
    const Complex z = modes.values[i];
    if (z.imag() < 0) continue;
    // A pole on the negative axis has no logarithm that is real.
    const Complex rate =
        z.imag() > 0 ? std::log(z) : Complex(std::log(std::max(std::abs(z), 1e-6)));
    found.push_back({rate / step_, sizes_.asDiagonal() * (c * modes.right.col(i))});
  }
  const Realisation stable = stable_realisation(found, 0);
  Start start{modal_system(stable.poles, stable.shapes, sizes_), {}};
  // The gain whose effects on the samples are the same: C Φʲ K in both coordinates.
  const Matrix own = exponential(step_ * start.system.structure->generator(start.system.theta));
  Matrix row = start.system.structure->observation(start.system.theta).matrix();
  const Index count = 2 * states;
  Matrix shown(count * channels_, states), effects(count * channels_, channels_);
  Matrix moved = k;
  for (Index j = 0; j < count; ++j) {
    shown.middleRows(j * channels_, channels_) = row;
    effects.middleRows(j * channels_, channels_) =
        sizes_.asDiagonal() * (c * moved) * sizes_.cwiseInverse().asDiagonal();
    row = (row * own).eval();
    moved = (phi * moved).eval();
  }
  if (!effects.allFinite()) return {};
  start.gain = solve_minimum_norm(shown, effects);
  return start;
}

}  // namespace lgn
