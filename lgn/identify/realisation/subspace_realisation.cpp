#include "lgn/identify/realisation/subspace_realisation.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/core/stop.h"
#include "lgn/identify/realisation/hankel_factor.h"
#include "lgn/identify/realisation/uniform_runs.h"

namespace lgn {
namespace {

constexpr Index most_past_rows = 480;  ///< of the matrix of past and future
/// A decay by this share over the longest run is none that data show.
constexpr double least_driven_decay = 0.01;

/// Inputs as channels after the outputs, so that both are put on one grid.
Dataset with_input_channels(const Dataset& data) {
  std::vector<std::string> channels;
  const Index all = data.dimension() + static_cast<Index>(data.inputs().size());
  for (Index c = 0; c < all; ++c) channels.push_back(std::to_string(c));
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs()) {
    Matrix values(all, run.samples());
    values << run.states(), run.inputs();
    runs.emplace_back(run.label(), run.times(), std::move(values));
  }
  return Dataset(std::move(channels), std::move(runs));
}

/// Root mean squares about the mean, one where nothing moves.
Vector sizes_of(const std::vector<Matrix>& runs) {
  Vector sum = Vector::Zero(runs.front().rows()), squares = sum;
  double count = 0;
  for (const auto& run : runs) {
    sum += run.rowwise().sum();
    squares += run.rowwise().squaredNorm();
    count += static_cast<double>(run.cols());
  }
  const Vector variance = squares / count - (sum / count).cwiseAbs2();
  return variance.unaryExpr([](double v) { return v > 0 ? std::sqrt(v) : 1.0; });
}

/// The rows of a factor, which come lag by lag, as [U_f; U_p; Y_p; Y_f] for l outputs before m inputs at each of 2i lags.
Matrix past_and_future(const Matrix& factor, Index l, Index m, Index i) {
  Matrix result(factor.rows(), factor.cols());
  Index row = 0;
  const auto take = [&](Index first_lag, Index first, Index count) {
    for (Index k = 0; k < i; ++k, row += count)
      result.middleRows(row, count) = factor.middleRows((first_lag + k) * (l + m) + first, count);
  };
  take(i, l, m);
  take(0, l, m);
  take(0, 0, l);
  take(i, 0, l);
  return result;
}

LagLattice neighbours(Index count) { return lag_lattice(count - 1, count); }

}  // namespace

SubspaceRealisation::SubspaceRealisation(const Dataset& data) {
  UniformRuns uniform = uniform_runs(with_input_channels(data));
  if (uniform.runs.empty()) return;
  step_ = uniform.step;
  const Index l = data.dimension(), m = static_cast<Index>(data.inputs().size());
  const Vector sizes = sizes_of(uniform.runs);
  channels_ = sizes.head(l).asDiagonal();
  Index longest = 0;
  for (auto& run : uniform.runs) {
    run = sizes.cwiseInverse().asDiagonal() * run;
    longest = std::max(longest, run.cols());
  }
  least_damping_ = least_driven_decay / static_cast<double>(longest);
  for (const Index i : {4, 7, 12, 20, 30, 45, 60, 90, 120}) {
    const Index rows = 2 * i * (l + m);
    if (rows > most_past_rows) break;
    const Matrix factor = hankel_factor(uniform.runs, neighbours(2 * i), true);
    // Where columns are not more than rows, nothing is left over to explain.
    if (factor.cols() < rows || !factor.allFinite()) break;
    stop_point(2 * std::pow(static_cast<double>(rows), 3));
    const Matrix triangle = qr_triangle(past_and_future(factor, l, m, i).transpose()).transpose();
    const Index inputs = m * i, instruments = (l + m) * i;
    auto [left, strength, right] = singular_value_decomposition(
        triangle.block(inputs + instruments, inputs, l * i, instruments));
    if (!(strength[0] > 0)) continue;
    if (strength.size() > singular_values_.size() && spaces_.size() < 4)
      singular_values_ = strength;
    spaces_.push_back({neighbours(i), std::move(left)});
  }
}

std::optional<Realisation> SubspaceRealisation::realise_by(Index matrix, Index order) const {
  if (matrix >= matrices()) return {};
  return spaces_[static_cast<std::size_t>(matrix)].realise(order, step_, least_damping_, channels_);
}

}  // namespace lgn
