#include "lgn/physics/transfer_function.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/stop.h"

namespace lgn {

TransferFunction::TransferFunction(DrivenSystem system, SystemErrors errors)
    : system_(std::move(system)), errors_(std::move(errors)) {
  const Index n = system_.states(), m = system_.inputs(), l = system_.outputs();
  if (system_.b.rows() != n || system_.c.cols() != n || system_.d.rows() != l ||
      system_.d.cols() != m)
    throw Error("A, B, C and D of a system have sizes that disagree");
  ComplexSchur schur = complex_schur(system_.a);
  u_ = std::move(schur.u);
  t_ = std::move(schur.t);
  b_ = u_.adjoint() * system_.b.cast<Complex>();
  c_ = system_.c.cast<Complex>() * u_;
  poles_ = eigenvalues(system_.a);
}

TransferFunction TransferFunction::pair(Index output, Index input) const {
  TransferFunction result = *this;
  result.system_ = system_.pair(output, input);
  result.b_ = b_.col(input);
  result.c_ = c_.row(output);
  result.errors_.entries.clear();
  std::vector<Index> kept;
  for (std::size_t e = 0; e < errors_.entries.size(); ++e) {
    auto [matrix, row, column] = errors_.entries[e];
    const bool from = matrix == 'B' || matrix == 'D', to = matrix == 'C' || matrix == 'D';
    if ((from && column != input) || (to && row != output)) continue;
    result.errors_.entries.push_back({matrix, to ? 0 : row, from ? 0 : column});
    kept.push_back(static_cast<Index>(e));
  }
  if (errors_.known()) result.errors_.root = errors_.root(kept, Eigen::all).eval();
  return result;
}

ComplexMatrix TransferFunction::value(Complex s) const {
  ComplexMatrix shifted = -t_;
  shifted.diagonal().array() += s;
  return std::exp(-s * system_.delay) * (c_ * solve_upper(shifted, b_) + system_.d.cast<Complex>());
}

TransferFunction::Point TransferFunction::at(Complex s) const {
  ComplexMatrix shifted = -t_;
  shifted.diagonal().array() += s;
  Point point{s, {}, {}, {}, {}, std::exp(-s * system_.delay)};
  point.left = solve_upper_from_right(c_, shifted) * u_.adjoint();
  point.right = u_ * solve_upper(shifted, b_);
  point.value = point.shift * (point.left * system_.b.cast<Complex>() + system_.d.cast<Complex>());
  point.slope = -point.shift * (point.left * point.right) - system_.delay * point.value;
  return point;
}

ComplexVector TransferFunction::moves(const Point& point, Index output, Index input) const {
  if (!errors_.known()) return {};
  Matrix gradient(std::ssize(errors_.entries), 2);
  for (Index e = 0; e < gradient.rows(); ++e) {
    const auto& [matrix, row, column] = errors_.entries[static_cast<std::size_t>(e)];
    Complex change = 0;
    if (matrix == 'A') change = point.left(output, row) * point.right(column, input);
    if (matrix == 'B' && column == input) change = point.left(output, row);
    if (matrix == 'C' && row == output) change = point.right(column, input);
    if (matrix == 'D' && row == output && column == input) change = 1;
    change *= point.shift;
    gradient(e, 0) = change.real();
    gradient(e, 1) = change.imag();
  }
  const Matrix moved = errors_.root.transpose() * gradient;
  ComplexVector result(moved.rows());
  result.real() = moved.col(0);
  result.imag() = moved.col(1);
  return result;
}

Vector FrequencyResponse::magnitude_errors() const {
  Vector result(covariance.cols());
  for (Index k = 0; k < result.size(); ++k) {
    const double size = std::abs(values[k]);
    const double re = size > 0 ? values[k].real() / size : 1,
                 im = size > 0 ? values[k].imag() / size : 0;
    result[k] =
        std::sqrt(std::max(0.0, re * re * covariance(0, k) + 2 * re * im * covariance(1, k) +
                                    im * im * covariance(2, k)));
  }
  return result;
}

Vector FrequencyResponse::phase_errors() const {
  Vector result(covariance.cols());
  for (Index k = 0; k < result.size(); ++k) {
    const double square = std::norm(values[k]);
    const double re = -values[k].imag() / square, im = values[k].real() / square;
    result[k] =
        std::sqrt(std::max(0.0, re * re * covariance(0, k) + 2 * re * im * covariance(1, k) +
                                    im * im * covariance(2, k)));
  }
  return result;
}

Vector FrequencyResponse::phases() const {
  constexpr double turn = 2 * std::numbers::pi;
  Vector result(values.size());
  for (Index k = 0; k < result.size(); ++k) {
    result[k] = std::arg(values[k]);
    if (k > 0 && std::isfinite(result[k - 1]))
      result[k] -= turn * std::round((result[k] - result[k - 1]) / turn);
  }
  return result;
}

std::vector<FrequencyResponse> frequency_responses(const TransferFunction& transfer,
                                                   const Vector& omega) {
  const Index l = transfer.system().outputs(), m = transfer.system().inputs();
  const bool known = transfer.errors().known();
  const FrequencyResponse empty{omega, ComplexVector(omega.size()),
                                Matrix(known ? 3 : 0, known ? omega.size() : 0)};
  std::vector<FrequencyResponse> result(static_cast<std::size_t>(l * m), empty);
  const double work = static_cast<double>(transfer.system().a.size() * (l + m) +
                                          l * m * transfer.errors().root.size());
  for (Index k = 0; k < omega.size(); ++k) {
    stop_point(work);
    if (!known) {
      const ComplexMatrix value = transfer.value({0, omega[k]});
      for (Index p = 0; p < l * m; ++p)
        result[static_cast<std::size_t>(p)].values[k] = value(p % l, p / l);
      continue;
    }
    const TransferFunction::Point point = transfer.on_axis(omega[k]);
    for (Index j = 0; j < m; ++j)
      for (Index i = 0; i < l; ++i) {
        FrequencyResponse& one = result[static_cast<std::size_t>(j * l + i)];
        one.values[k] = point.value(i, j);
        const ComplexVector moved = transfer.moves(point, i, j);
        one.covariance.col(k) << moved.real().squaredNorm(), moved.real().dot(moved.imag()),
            moved.imag().squaredNorm();
      }
  }
  return result;
}

Vector frequency_grid(const ComplexVector& poles_and_zeros, double low, double high, Index points) {
  if (!(low > 0 && low < high && std::isfinite(high)))
    throw Error("frequencies must be positive, and the last above the first");
  const double ratio = std::log(high / low);
  std::vector<double> all;
  for (Index k = 0; k < points; ++k)
    all.push_back(low * std::exp(ratio * static_cast<double>(k) / static_cast<double>(points - 1)));
  all.back() = high;
  for (const Complex& root : poles_and_zeros) {
    const double at = root.imag(), width = std::abs(root.real());
    if (!(at > 0 && width > 0) || width > 0.1 * at) continue;
    // In half-widths, where a resonance bends.
    for (const double away : {0.0, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.4, 2.0, 3.0, 5.0, 8.0, 13.0})
      for (const double sign : {-1.0, 1.0})
        if (const double omega = at + sign * away * width; omega > low && omega < high)
          all.push_back(omega);
  }
  std::sort(all.begin(), all.end());
  all.erase(
      std::unique(all.begin(), all.end(), [](double a, double b) { return b - a <= 1e-12 * b; }),
      all.end());
  return Eigen::Map<const Vector>(all.data(), std::ssize(all));
}

}  // namespace lgn
