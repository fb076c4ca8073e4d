#include "lgn/physics/spectrum.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/fourier.h"

namespace lgn {
namespace {

constexpr double turn = 2 * std::numbers::pi;

/// Values at grid points between samples that are present; those beyond the ends are the ends'.
Vector interpolated(const Vector& times, const Vector& values, const Vector& grid) {
  std::vector<Index> present;
  for (Index k = 0; k < values.size(); ++k)
    if (!Trajectory::missing(values[k])) present.push_back(k);
  Vector result(grid.size());
  std::size_t next = 0;
  for (Index k = 0; k < grid.size(); ++k) {
    while (next < present.size() && times[present[next]] < grid[k]) ++next;
    if (next == 0 || next == present.size()) {
      result[k] = values[next == 0 ? present.front() : present.back()];
      continue;
    }
    const Index after = present[next], before = present[next - 1];
    const double part = (grid[k] - times[before]) / (times[after] - times[before]);
    result[k] = (1 - part) * values[before] + part * values[after];
  }
  return result;
}

Vector frequencies_of(Index samples, double step) {
  const double spacing = 1 / (static_cast<double>(samples) * step);
  return spacing * Vector::LinSpaced(samples / 2 + 1, 0, static_cast<double>(samples / 2));
}

}  // namespace

std::vector<EvenRun> even_runs(const Dataset& data, Index channels, double step) {
  std::vector<EvenRun> result;
  for (Index r = 0; r < std::ssize(data.runs()); ++r) {
    const Trajectory& run = data.runs()[static_cast<std::size_t>(r)];
    const Matrix values = run.states().topRows(channels);
    const auto present = (!values.array().isNaN()).cast<Index>().rowwise().sum().eval();
    if ((present < 2).any()) continue;
    const double length = run.times()[run.samples() - 1] - run.times()[0];
    const auto count = static_cast<Index>(std::floor(length / step * (1 + 1e-9))) + 1;
    const Vector number = Vector::LinSpaced(count, 0, static_cast<double>(count - 1));
    EvenRun even{r, run.times()[0] + (step * number).array(), Matrix(channels, count)};
    const bool as_it_is = count == run.samples() && !values.array().isNaN().any() &&
                          (even.times - run.times()).cwiseAbs().maxCoeff() < 0.01 * step;
    for (Index c = 0; c < channels && !as_it_is; ++c)
      even.values.row(c) =
          interpolated(run.times(), values.row(c).transpose(), even.times).transpose();
    if (as_it_is) even.values = values;
    result.push_back(std::move(even));
  }
  return result;
}

Spectrum amplitude_spectrum(const std::vector<EvenRun>& runs, double step, const Vector& offset) {
  Index longest = 2;
  for (const EvenRun& run : runs) longest = std::max(longest, run.times.size());
  constexpr Index few = 50'000, finer = 4;
  const Index samples = smooth_above(longest < few ? finer * longest : longest);
  const Index channels = offset.size();
  Spectrum result{frequencies_of(samples, step), Matrix::Zero(channels, samples / 2 + 1)};
  for (const EvenRun& run : runs)
    for (Index c = 0; c < channels; ++c) {
      Vector padded = Vector::Zero(samples);
      padded.head(run.times.size()) = run.values.row(c).transpose().array() - offset[c];
      result.values.row(c) += fourier(padded).cwiseAbs2().transpose();
    }
  result.values =
      step * (result.values / std::max(1.0, static_cast<double>(runs.size()))).cwiseSqrt();
  return result;
}

Vector hann_window(Index samples) {
  return Vector::NullaryExpr(samples, [&](Index k) {
    return 0.5 - 0.5 * std::cos(turn * static_cast<double>(k) / static_cast<double>(samples));
  });
}

Spectrum welch_density(const std::vector<EvenRun>& runs, double step) {
  constexpr Index fewest = 256, most = 16'384, parts = 12;
  Index longest = 2;
  for (const EvenRun& run : runs) longest = std::max(longest, run.times.size());
  const Index samples = smooth_below(
      std::max<Index>(2, std::min(longest, std::clamp(longest / parts, fewest, most))));
  const Vector window = hann_window(samples);
  const Index channels = runs.empty() ? 0 : runs.front().values.rows();
  Spectrum result{frequencies_of(samples, step), Matrix::Zero(channels, samples / 2 + 1)};
  double segments = 0;
  for (const EvenRun& run : runs) {
    const Vector mean = run.values.rowwise().mean();
    for (Index first = 0; first + samples <= run.times.size();
         first += std::max<Index>(1, samples / 2)) {
      ++segments;
      for (Index c = 0; c < channels; ++c) {
        const Vector part = run.values.row(c).segment(first, samples).transpose().array() - mean[c];
        result.values.row(c) += fourier(part.cwiseProduct(window)).cwiseAbs2().transpose();
      }
    }
  }
  result.values *= 2 * step / (window.squaredNorm() * std::max(1.0, segments));
  return result;
}

Matrix model_density(const Matrix& a, const Matrix& c, const Matrix& g, const Matrix& variance,
                     double step, const Vector& frequencies) {
  const Eigensystem system = eigensystem(a);
  // Of every pole and channel, what stands over e^{iωh} − e^{λh}.
  const ComplexVector moved = (step * system.values).array().exp();
  const ComplexMatrix shown = c.cast<Complex>() * system.right;
  const ComplexMatrix driven = system.left.adjoint() * g.cast<Complex>();
  const ComplexMatrix residues = shown.cwiseProduct(driven.transpose()) * moved.asDiagonal();
  Matrix density(c.rows(), frequencies.size());
  for (Index k = 0; k < frequencies.size(); ++k) {
    const Complex z = std::polar(1.0, turn * frequencies[k] * step);
    const ComplexVector sum = residues * (z - moved.array()).inverse().matrix();
    density.col(k) = 2 * step * (variance.diagonal() + 2 * sum.real());
  }
  return density;
}

}  // namespace lgn
