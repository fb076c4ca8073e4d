#include "lgn/identify/ambient/canonical_realisation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/decompositions.h"
#include "lgn/core/stop.h"

namespace lgn {
namespace {

constexpr Index most_kept = 200;

/// Blocks R(first + down·i + across·j).
Matrix blocks_of(const std::vector<Matrix>& r, Index horizon, Index first, Index down,
                 Index across) {
  const Index l = r.front().rows();
  Matrix result(l * horizon, l * horizon);
  for (Index i = 0; i < horizon; ++i)
    for (Index j = 0; j < horizon; ++j) {
      const Index lag = first + down * i + across * j;
      const Matrix& block = r[static_cast<std::size_t>(std::abs(lag))];
      if (lag >= 0)
        result.block(l * i, l * j, l, l) = block;
      else
        result.block(l * i, l * j, l, l) = block.transpose();
    }
  return result;
}

}  // namespace

CanonicalRealisation::CanonicalRealisation(const std::vector<Matrix>& correlations, Index horizon) {
  const Index l = correlations.front().rows(), rows = l * horizon;
  stop_point(10 * std::pow(static_cast<double>(rows), 3));
  // The past is y(t−1), y(t−2), …, the future y(t), y(t+1), …
  std::vector<Matrix> r = correlations;
  Matrix past, future;
  for (double noise = 1e-9; noise < 1; noise *= 10) {
    r.front().diagonal() = correlations.front().diagonal() * (1 + noise);
    past = cholesky(blocks_of(r, horizon, 0, -1, 1));
    future = cholesky(blocks_of(r, horizon, 0, 1, -1));
    if (past.allFinite() && future.allFinite()) break;
  }
  if (!past.allFinite() || !future.allFinite()) return;
  const Matrix across = blocks_of(r, horizon, 1, 1, 1);
  const auto [u, s, v] = singular_value_decomposition(
      solve_lower(past, solve_lower(future, across).transpose()).transpose());
  // x = J p of variance one.
  const Matrix j = solve_lower_transposed(past, v.leftCols(std::min(most_kept, v.cols())));
  Matrix before(rows, l);
  for (Index i = 0; i < horizon; ++i)
    before.middleRows(l * i, l) = r[static_cast<std::size_t>(i)].transpose();
  phi_ = j.transpose() * blocks_of(r, horizon, 1, -1, 1) * j;
  c_ = across.topRows(l) * j;
  g_ = j.transpose() * before;
}

std::optional<StochasticRealisation> CanonicalRealisation::realise(
    Index n, double step, const std::vector<Index>& lags) const {
  if (n < 1 || n > phi_.rows()) return {};
  const Eigensystem system = eigensystem(phi_.topLeftCorner(n, n));
  if (!system.left.allFinite()) return {};
  const ComplexMatrix shapes = c_.leftCols(n) * system.right;
  const ComplexMatrix moved = system.left.adjoint() * g_.topRows(n);
  std::vector<ShapedPole> modes;
  const auto add = [&](double decay, double turn, const ComplexVector& shape) {
    constexpr double least = 1e-3;
    modes.push_back({Complex(std::log(std::max(least, decay)), turn) / step, shape});
  };
  std::vector<Index> alternating;
  for (Index k = 0; k < n; ++k) {
    const Complex value = system.values[k];
    if (value.imag() > 0) add(std::abs(value), std::arg(value), shapes.col(k));
    if (value.imag() == 0 && value.real() >= 0) add(value.real(), 0, shapes.col(k));
    if (value.imag() == 0 && value.real() < 0) alternating.push_back(k);
  }
  // Two that change their sign with every sample are a pair at half the sampling rate. Not quite: there the frequency would not
  // matter to first order.
  constexpr double beside = 0.01;
  while (alternating.size() > 1) {
    const Index one = alternating.back(), other = alternating[alternating.size() - 2];
    alternating.resize(alternating.size() - 2);
    add(std::sqrt(std::abs(system.values[one] * system.values[other])), std::numbers::pi - beside,
        shapes.col(other) + Complex(0, 1) * shapes.col(one));
  }
  for (const Index k : alternating) add(std::abs(system.values[k]), 0, shapes.col(k));
  constexpr double least_damping = 1e-6;
  StochasticRealisation result{stable_realisation(std::move(modes), least_damping / step), {}};
  for (const Index lag : lags) {
    const ComplexVector powers = system.values.array().pow(static_cast<double>(lag - 1));
    result.correlations.push_back((shapes * powers.asDiagonal() * moved).real());
  }
  return result;
}

}  // namespace lgn
