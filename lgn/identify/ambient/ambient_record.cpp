#include "lgn/identify/ambient/ambient_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/error.h"
#include "lgn/core/fourier.h"
#include "lgn/core/stop.h"
#include "lgn/identify/realisation/uniform_runs.h"

namespace lgn {
namespace {

constexpr Index fewest_samples = 64;
constexpr Index spoiled_lines = 2;  ///< the lowest, by trends
constexpr double rounding = 1e-12;  ///< what is left of a straight line, relative to it

/// Less the straight line of least squares, channel by channel.
void take_trend_out(Matrix& run) {
  const double n = static_cast<double>(run.cols());
  const Eigen::RowVectorXd t = Eigen::RowVectorXd::LinSpaced(run.cols(), -1, 1);
  const Vector mean = run.rowwise().sum() / n, slope = run * t.transpose() / t.squaredNorm();
  run.colwise() -= mean;
  run.noalias() -= slope * t;
}

double line_spacing(double step, Index samples) {
  return 2 * std::numbers::pi / (step * static_cast<double>(samples));
}

}  // namespace

AmbientRecord::AmbientRecord(const Dataset& data) {
  UniformRuns uniform = uniform_runs(data);
  step_ = uniform.step;
  Vector levels = Vector::Zero(data.dimension());  // squares, trends included
  for (Matrix& run : uniform.runs) {
    if (run.cols() < fewest_samples) continue;
    const Index kept = smooth_below(run.cols());
    run.conservativeResize(Eigen::NoChange, kept);
    levels += run.rowwise().squaredNorm();
    take_trend_out(run);
    samples_ = std::max(samples_, kept);
    all_samples_ += kept;
    runs_.push_back(std::move(run));
  }
  if (runs_.empty())
    throw NotIdentified(
        fmt::format("a record of random vibration needs {} samples in a row at least",
                    fewest_samples),
        "record for longer");
  if (!uniform.exact) notes_.push_back("samples interpolated to a uniform grid");
  notes_.push_back("linear trends removed");
  Vector power = Vector::Zero(data.dimension());
  for (const Matrix& run : runs_) power += run.rowwise().squaredNorm();
  if ((power.array() <= rounding * rounding * levels.array()).all())
    throw NotIdentified("nothing moves: every channel keeps its value, but for a linear trend",
                        "a system at rest shows nothing of its dynamics");
  sizes_ = (power / static_cast<double>(all_samples_)).cwiseSqrt();
  sizes_ = (sizes_.array() > 0).select(sizes_, 1.0);
  const Index lines = samples_ / 2 + 1;
  Matrix above = Matrix::Zero(channels(), lines);  // power at each line, of the longest runs
  for (Matrix& run : runs_) {
    run = sizes_.cwiseInverse().asDiagonal() * run;
    ComplexMatrix y(channels(), run.cols() / 2 + 1);
    for (Index c = 0; c < channels(); ++c) {
      y.row(c) =
          fourier(run.row(c).transpose()).transpose() / std::sqrt(static_cast<double>(run.cols()));
      stop_point(20.0 * static_cast<double>(run.cols()));
    }
    if (run.cols() == samples_) above += y.cwiseAbs2();
    coefficients_.push_back(std::move(y));
  }
  constexpr double nothing = 1e-6;
  Index top = lines - 1;
  const Vector total = above.rightCols(lines - 1).rowwise().sum();
  for (Vector sum = Vector::Zero(channels()); top > lines / 16; --top) {
    sum += above.col(top);
    if ((sum.array() > nothing * total.array()).any()) break;
  }
  constexpr double margin = 1.1;
  const double nyquist = std::numbers::pi / step_;
  band_ = std::min(nyquist, margin * static_cast<double>(top) * line_spacing(step_, samples_));
  if (band_ < 0.9 * nyquist)
    notes_.push_back(fmt::format(
        "spectrum used up to {:.4g} of the Nyquist frequency, above which there is no power",
        band_ / nyquist));
}

AmbientRecord AmbientRecord::of_channels(const std::vector<Index>& channels) const {
  AmbientRecord result = *this;
  result.sizes_ = sizes_(channels);
  for (Matrix& run : result.runs_) run = run(channels, Eigen::all).eval();
  for (ComplexMatrix& y : result.coefficients_) y = y(channels, Eigen::all).eval();
  return result;
}

std::vector<SpectralCell> AmbientRecord::cells(const ComplexVector& poles, double width) const {
  const double spacing = line_spacing(step_, samples_);
  const double widest = band_ / 200;
  const auto wide = [&](double w) {
    double distance = widest / width;
    for (const Complex& pole : poles)
      distance =
          std::min(distance, std::abs(Complex(0, w) - Complex(pole.real(), std::abs(pole.imag()))));
    return std::max(spacing, width * distance);
  };
  // Edges in frequency; those of the longest run stand between its lines.
  std::vector<double> edges{(static_cast<double>(spoiled_lines) + 0.5) * spacing};
  while (edges.back() < band_) {
    const double lines = std::floor(wide(edges.back()) / spacing);
    edges.push_back(edges.back() + std::max(1.0, lines) * spacing);
  }
  std::vector<SpectralCell> all(edges.size() - 1);
  for (auto& cell : all) cell.periodogram = ComplexMatrix::Zero(channels(), channels());
  for (const ComplexMatrix& y : coefficients_) {
    // The last line of an even number of samples is real.
    const Index lines = y.cols() - 1;
    const double own = std::numbers::pi / (step_ * static_cast<double>(lines));
    std::size_t place = 0;
    for (Index j = spoiled_lines + 1; j < lines; ++j) {
      const double w = own * static_cast<double>(j);
      if (w < edges.front()) continue;
      while (place + 1 < edges.size() && w >= edges[place + 1]) ++place;
      if (place + 1 >= edges.size()) break;
      SpectralCell& cell = all[place];
      cell.frequency += w;
      cell.lines += 1;
      cell.periodogram.noalias() += y.col(j) * y.col(j).adjoint();
    }
  }
  std::erase_if(all, [](const SpectralCell& cell) { return cell.lines == 0; });
  // Channels that are sums of others would have no density.
  constexpr double floor = 1e-9;
  for (SpectralCell& cell : all) {
    cell.frequency /= cell.lines;
    cell.periodogram /= cell.lines;
    cell.periodogram.diagonal().array() += floor;
  }
  return all;
}

std::vector<Matrix> AmbientRecord::correlations(Index most) const {
  const Index l = channels();
  std::vector<Matrix> sums(static_cast<std::size_t>(most) + 1, Matrix::Zero(l, l));
  std::vector<double> pairs(sums.size(), 0.0);
  for (const Matrix& run : runs_) {
    const Index n = run.cols(), lags = std::min(most, n - 1);
    const Index padded = smooth_above(n + lags);
    std::vector<ComplexVector> y;
    for (Index c = 0; c < l; ++c) {
      Vector samples = Vector::Zero(padded);
      samples.head(n) = run.row(c).transpose();
      y.push_back(fourier(samples));
      stop_point(40.0 * static_cast<double>(padded));
    }
    for (Index a = 0; a < l; ++a)
      for (Index b = 0; b < l; ++b) {
        const Vector products = inverse_fourier(
            y[static_cast<std::size_t>(a)].cwiseProduct(y[static_cast<std::size_t>(b)].conjugate()),
            padded);
        for (Index k = 0; k <= lags; ++k) sums[static_cast<std::size_t>(k)](a, b) += products[k];
        stop_point(40.0 * static_cast<double>(padded));
      }
    for (Index k = 0; k <= lags; ++k)
      pairs[static_cast<std::size_t>(k)] += static_cast<double>(n - k);
  }
  for (std::size_t k = 0; k < sums.size(); ++k)
    if (pairs[k] > 0) sums[k] /= pairs[k];
  return sums;
}

}  // namespace lgn
