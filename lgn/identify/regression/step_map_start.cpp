#include "lgn/identify/regression/step_map_start.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "lgn/core/decompositions.h"
#include "lgn/core/leading_eigenvectors.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"

namespace lgn {
namespace {

constexpr std::size_t most_generators = 40;
/// Directions this far below the strongest are rounding.
constexpr double rounding = 1e-13;

/// Times are often written with three digits. For a start their rounding is small noise.
constexpr double step_tolerance = 1e-2;

/// Neighbouring samples: column k of `now` and of `next` are one step apart.
struct SamplePairs {
  double step = 0;
  Matrix now, next;
};

/// Nothing where no one step is that of most samples.
std::optional<SamplePairs> find_pairs(const Dataset& data) {
  const double step = median_step(data);
  std::vector<double> now, next;
  double steps = 0, like = 0, sum = 0;
  for (const auto& run : data.runs())
    for (Index k = 0; k + 1 < run.samples(); ++k) {
      const double length = run.times()[k + 1] - run.times()[k];
      steps += 1;
      if (std::abs(length - step) > step_tolerance * step) continue;
      like += 1;
      sum += length;
      const auto pair = run.states().middleCols(k, 2);
      if (pair.array().isNaN().any()) continue;
      now.insert(now.end(), pair.col(0).begin(), pair.col(0).end());
      next.insert(next.end(), pair.col(1).begin(), pair.col(1).end());
    }
  if (!(like > steps / 2)) return std::nullopt;
  const Index n = data.dimension(), count = static_cast<Index>(now.size()) / n;
  return SamplePairs{sum / like, Eigen::Map<const Matrix>(now.data(), n, count),
                     Eigen::Map<const Matrix>(next.data(), n, count)};
}

/// Singular values and right vectors of [X_k; X_(k+1)]ᵀ, which are those of R, too.
SingularValues decomposed(const Matrix& now, const Matrix& next) {
  Matrix both(now.cols(), 2 * now.rows());
  both << now.transpose(), next.transpose();
  return singular_value_decomposition(qr_triangle(both));
}

/// Φ by total least squares.
std::optional<Matrix> step_map(const Matrix& now, const Matrix& next) {
  const Index n = now.rows();
  if (now.cols() < n) return std::nullopt;
  const auto [left, strength, v] = decomposed(now, next);
  if (!(strength[n - 1] > rounding * strength[0])) return std::nullopt;
  const Matrix now_part = v.topLeftCorner(n, n).transpose();
  const Matrix next_part = v.bottomLeftCorner(n, n).transpose();
  const auto transposed = solve_well_conditioned(now_part, next_part, rounding);
  if (!transposed) return std::nullopt;
  return transposed->transpose();
}

/// The parts of log Φ: real eigenvalues, and planes in which Φ turns and shrinks.
struct Logarithm {
  ComplexMatrix vectors;
  ComplexVector values;
  std::vector<Index> planes;  ///< of each conjugate pair the one with Im λ > 0, fastest first
};

/// Gives two negative eigenvalues of Φ a plane: half a turn, in orthogonal coordinates of the plane
/// for want of better ones, and the mean decay.
void join(Logarithm& log, Index i, Index j) {
  const Vector first = log.vectors.col(i).real();
  Vector second = log.vectors.col(j).real();
  second -= first.dot(second) * first;
  second.normalize();
  log.vectors.col(i).imag() = second;
  log.vectors.col(j) = log.vectors.col(i).conjugate();
  log.values[i] = {0.5 * (log.values[i] + log.values[j]).real(), std::numbers::pi};
  log.values[j] = std::conj(log.values[i]);
}

Logarithm logarithm(const Matrix& map) {
  const Eigensystem system = eigensystem(map);
  Logarithm log{system.right, system.values.array().log(), {}};
  std::vector<Index> negative;
  for (Index k = 0; k < log.values.size(); ++k) {
    const Complex value = system.values[k];
    if (value.imag() > 0) log.planes.push_back(k);
    if (value.imag() != 0 || value.real() > 0) continue;
    log.values[k] = std::log(std::abs(value));
    negative.push_back(k);
  }
  // Neighbours in size are the likeliest to have been one pair: Eigensystem has them in that order.
  for (std::size_t k = 0; k + 1 < negative.size(); k += 2) {
    join(log, negative[k], negative[k + 1]);
    log.planes.push_back(negative[k]);
  }
  std::stable_sort(log.planes.begin(), log.planes.end(),
                   [&](Index a, Index b) { return log.values[a].imag() > log.values[b].imag(); });
  return log;
}

}  // namespace

std::vector<Matrix> step_map_generators(const Dataset& data) {
  // A part of a long record is enough to begin with.
  constexpr Index most_samples = 200'000, together = 2'000;
  if (data.samples() > most_samples)
    if (const Dataset part = spread_windows(data, together, most_samples);
        part.samples() <= most_samples)
      return step_map_generators(part);
  const auto pairs = find_pairs(data);
  if (!pairs) return {};
  const Vector unit = channel_amplitudes(data);
  const Vector inverse = unit.cwiseInverse();
  const auto map = step_map(inverse.asDiagonal() * pairs->now, inverse.asDiagonal() * pairs->next);
  if (!map) return {};
  const Logarithm log = logarithm(*map);
  const auto [left, reciprocal_condition] = complex_inverse(log.vectors);
  if (!log.values.allFinite() || !(reciprocal_condition > rounding)) return {};

  // A pair that turns the other way adds −2πi v wᴴ and its conjugate: 4π Im(v wᴴ).
  const double turn = 2 * std::numbers::pi;
  const auto in_units = [&](const Matrix& scaled) -> Matrix {
    return unit.asDiagonal() * scaled * inverse.asDiagonal() / pairs->step;
  };
  const Matrix principal = in_units((log.vectors * log.values.asDiagonal() * left).real());
  std::vector<Matrix> change;
  for (const Index k : log.planes)
    change.push_back(in_units(2 * turn * (log.vectors.col(k) * left.row(k)).imag()));

  std::vector<Matrix> generators{principal};
  const auto add = [&](const Matrix& a) {
    if (generators.size() < most_generators) generators.push_back(a);
  };
  for (const auto& one : change) add(principal + one);
  for (std::size_t j = 1; j < change.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) add(principal + change[i] + change[j]);
  return generators;
}

namespace {

/// The step map without noise is told from one with it by what the singular values after the n-th are beside the first.
constexpr double without_noise = 1e-9;
/// Rows of the matrices of several lags.
constexpr Index most_rows = 1500, most_lags = 6;

/// The part of the samples that stands out: vectors [C; C e^(Ah); …] T, lags below one another.
struct SignalSpace {
  Matrix vectors;
  double noise = 0;  ///< relative to the strongest direction
};

/// How many singular values stand out of rounding and noise: `after_n` is the sum of squares of those that no signal of n states
/// has, of a matrix of so many rows and columns. Those of noise of size σ are below σ(√columns + √(rows − n)).
Index standing_out(const Vector& strength, Index n, double after_n, Index rows, Index columns) {
  double floor = rounding * strength[0];
  constexpr double beyond_chance = 1.05, enough = 1.2;
  if (static_cast<double>(columns) > enough * static_cast<double>(n)) {
    const double k = static_cast<double>(columns), d = static_cast<double>(rows - n);
    const double sigma = std::sqrt(after_n / ((k - static_cast<double>(n)) * d));
    floor = std::max(floor, beyond_chance * sigma * (std::sqrt(k) + std::sqrt(d)));
  }
  return std::min<Index>(n, (strength.array() > floor).count());
}

std::optional<SignalSpace> space_of_pairs(const Matrix& now, const Matrix& next) {
  const Index n = now.rows();
  const auto [left, strength, v] = decomposed(now, next);
  const double after_n = strength.tail(n).squaredNorm();
  const Index r = standing_out(strength, n, after_n, 2 * n, now.cols());
  if (r == 0) return {};
  return SignalSpace{v.leftCols(r), std::sqrt(after_n) / strength[0]};
}

/// The same of more lags than two, which average the noise; nothing where runs are not complete on one grid, or too short.
std::optional<SignalSpace> space_of_lags(const Dataset& data, const Vector& inverse, double step) {
  const Index n = data.dimension();
  Index lags = std::min(most_lags, most_rows / n), columns = 0;
  for (const auto& run : data.runs()) lags = std::min(lags, run.samples() / 4);
  if (lags < 3 || data.present() < data.samples() * n) return {};
  for (const auto& run : data.runs()) {
    for (Index k = 1; k < run.samples(); ++k)
      if (std::abs(run.times()[k] - run.times()[k - 1] - step) > step_tolerance * step) return {};
    columns += run.samples() - lags + 1;
  }
  const Index rows = lags * n;
  if (columns <= n) return {};
  Matrix gram = Matrix::Zero(rows, rows);
  for (const auto& run : data.runs()) {
    const Index count = run.samples() - lags + 1;
    const Matrix states = inverse.asDiagonal() * run.states();
    Matrix hankel(rows, count);
    for (Index lag = 0; lag < lags; ++lag)
      hankel.middleRows(lag * n, n) = states.middleCols(lag, count);
    stop_point(0.05 * static_cast<double>(rows * rows) * static_cast<double>(count));
    gram.selfadjointView<Eigen::Lower>().rankUpdate(hankel);
  }
  stop_point(0.3 * static_cast<double>(rows * rows) * static_cast<double>(rows));
  const double all = gram.trace();
  const SymmetricEigen leading = leading_eigenvectors(std::move(gram), n);
  const Vector squares = leading.values.cwiseMax(0.0);
  const Vector strength = squares.cwiseSqrt();
  const double after_n = std::max(0.0, all - squares.sum());
  const Index r = standing_out(strength, n, after_n, rows, columns);
  if (r == 0) return {};
  return SignalSpace{leading.vectors.leftCols(r), std::sqrt(after_n) / strength[0]};
}

}  // namespace

std::optional<StepMapModes> step_map_modes(const Dataset& data) {
  const auto pairs = find_pairs(data);
  const Index n = data.dimension();
  if (!pairs || pairs->now.cols() < n) return {};
  const Vector unit = channel_amplitudes(data), inverse = unit.cwiseInverse();
  auto space =
      space_of_pairs(inverse.asDiagonal() * pairs->now, inverse.asDiagonal() * pairs->next);
  if (!space) return {};
  if (space->noise > without_noise)
    if (auto more = space_of_lags(data, inverse, pairs->step)) space = std::move(more);
  const Index rest = space->vectors.rows() - n;
  const Logarithm log =
      logarithm(solve_minimum_norm(space->vectors.topRows(rest), space->vectors.bottomRows(rest)));
  if (!log.values.allFinite() || !log.vectors.allFinite()) return {};
  return StepMapModes{
      log.values / pairs->step,
      unit.asDiagonal() * (space->vectors.topRows(n).cast<Complex>() * log.vectors)};
}

}  // namespace lgn
