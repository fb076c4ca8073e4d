#include "lgn/flow/uniform_flow.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/balanced_norm.h"
#include "lgn/core/gauss_legendre.h"
#include "lgn/core/stop.h"

namespace lgn {
namespace {

/// Work of a product of an n × n matrix with c columns, in flops: narrow ones run at the speed of
/// memory, and every call has a fixed price.
double product_cost(Index n, Index c) {
  return 2 * static_cast<double>(n * n) * static_cast<double>(std::max<Index>(c, 12)) + 2e4;
}

/// About as many nanoseconds as it takes, as stop_point() counts.
double product_work(Index n, Index c) {
  return 0.2 * static_cast<double>(n * n) * static_cast<double>(c) + 300;
}

/// How often to double before blocks follow.
std::size_t choose_doublings(Index n, Index samples) {
  std::size_t best = 0;
  double best_cost = static_cast<double>(samples) * product_cost(n, 1);
  for (std::size_t doublings = 1; (Index{1} << doublings) < 2 * samples; ++doublings) {
    const Index block = Index{1} << doublings;
    // A square, and its derivative.
    const double cost = static_cast<double>(doublings) * 3 * product_cost(n, n) +
                        static_cast<double>((samples + block - 1) / block) * product_cost(n, block);
    if (cost >= best_cost) continue;
    best_cost = cost;
    best = doublings;
  }
  return best;
}

/// Points of Gauss's rule that integrate exp((h − s)A) E exp(sA) over a step to rounding, for
/// z = 2h‖A‖: the rule's error with G points is at most z^(2G) (G!)⁴/((2G + 1) (2G)!³) of it. 0 where
/// too many would be needed.
Index points_for(double z) {
  constexpr double rounding = 1e-16;
  double bound = 1;
  for (Index g = 1; g <= 10; ++g) {
    // (G!)⁴/(2G)!³ from that of G − 1.
    const double d = static_cast<double>(g);
    bound *= z * z * std::pow(d, 4) / std::pow(2 * d * (2 * d - 1), 3);
    if (bound / (2 * d + 1) < rounding) return g;
  }
  return 0;
}

}  // namespace

UniformFlow::UniformFlow(const Matrix& a, double step, Index samples)
    : a_(a), step_(step), samples_(samples), exponential_(step * a) {
  const std::size_t doublings = choose_doublings(a.rows(), samples);
  const Index block = Index{1} << doublings;
  for (Index to = 1; to < samples;) {
    const std::size_t power = std::min(moves_.size(), doublings);
    const Index from = to - (Index{1} << power);
    const Index count = std::min(std::min(to, block), samples - to);
    moves_.push_back({from, to, count, power});
    to += count;
  }
  powers_.push_back(exponential_.value());
  while (!moves_.empty() && powers_.size() <= moves_.back().power)
    powers_.emplace_back(powers_.back() * powers_.back());
}

Matrix UniformFlow::maps() const {
  const Index n = powers_.front().rows();
  Matrix result(samples_ * n, n);
  result.topRows(n).setIdentity();
  for (const Move& move : moves_) {
    stop_point(product_work(n, move.count * n));
    result.middleRows(move.to * n, move.count * n).noalias() =
        result.middleRows(move.from * n, move.count * n) * powers_[move.power];
  }
  return result;
}

Matrix UniformFlow::states(const Matrix& starts) const {
  const Index runs = starts.cols();
  Matrix result(starts.rows(), samples_ * runs);
  result.leftCols(runs) = starts;
  for (const Move& move : moves_) {
    stop_point(product_work(starts.rows(), move.count * runs));
    result.middleCols(move.to * runs, move.count * runs).noalias() =
        powers_[move.power] * result.middleCols(move.from * runs, move.count * runs);
  }
  return result;
}

Matrix UniformFlow::derivative(const Matrix& e, const Matrix& states) const {
  const Index runs = states.cols() / samples_;
  Matrix result(states.rows(), states.cols());
  result.leftCols(runs).setZero();
  Matrix map_derivative = exponential_.derivative(step_ * e);
  std::size_t power = 0;
  for (const Move& move : moves_) {
    stop_point(2 * product_work(states.rows(), move.count * runs));
    for (; power < move.power; ++power)
      map_derivative = (map_derivative * powers_[power] + powers_[power] * map_derivative).eval();
    auto to = result.middleCols(move.to * runs, move.count * runs);
    const Index from = move.from * runs, count = move.count * runs;
    to.noalias() = powers_[power] * result.middleCols(from, count);
    to.noalias() += map_derivative * states.middleCols(from, count);
  }
  return result;
}

Matrix UniformFlow::derivatives(const Matrix& directions, const Matrix& states,
                                const Matrix& changes) const {
  // A direction with more entries than this, on average, is better treated as dense.
  const Index n = states.rows(), most_entries = n / 8;
  const Index points = points_for(2 * step_ * balanced_norm(a_));
  const bool sparse =
      points > 0 && (directions.array() != 0).count() * n <= most_entries * directions.rows();
  const Matrix from =
      changes.size() > 0
          ? changes
          : Matrix(Matrix::Zero(directions.rows() / n * (states.cols() / samples_), n));
  return sparse ? sparse_derivatives(directions, states, from, points)
                : dense_derivatives(directions, states, from);
}

Matrix UniformFlow::sparse_derivatives(const Matrix& directions, const Matrix& states,
                                       const Matrix& changes, Index points) const {
  const Index n = states.rows(), p = directions.rows() / n, runs = states.cols() / samples_;
  struct Entry {
    Index q, row, col;
    double value;
  };
  std::vector<Entry> entries;
  for (Index q = 0; q < p; ++q)
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        if (const double value = directions(q * n + i, j); value != 0)
          entries.push_back({q, i, j, value});
  // States at the points of every step, and what a push at one of them is worth at its end.
  const GaussRule rule = gauss_legendre(points);
  Matrix maps(n, n * points), between(points * n, states.cols());
  for (Index g = 0; g < points; ++g)
    maps.middleCols(g * n, n) = exponential(0.5 * step_ * (1 + rule.points[g]) * a_);
  for (Index g = 0; g < points; ++g)
    between.middleRows(g * n, n).noalias() =
        0.5 * step_ * rule.weights[g] * maps.middleCols(g * n, n) * states;

  Matrix result(p * runs, samples_ * n);
  auto by_state = result.reshaped(p * runs * samples_, n);
  Matrix now = changes.transpose(), next(n, p * runs);
  by_state.topRows(p * runs) = changes;
  const double step_work = product_work(n, p * runs) + static_cast<double>(n * points * runs) *
                                                           static_cast<double>(entries.size());
  for (Index k = 0; k + 1 < samples_; ++k) {
    stop_point(step_work);
    next.noalias() = exponential_.value() * now;
    for (const auto& [q, row, col, value] : entries)
      for (Index r = 0; r < runs; ++r)
        for (Index g = 0; g < points; ++g)
          next.col(r * p + q) +=
              (value * between(g * n + col, k * runs + r)) * maps.col((points - 1 - g) * n + row);
    by_state.middleRows((k + 1) * p * runs, p * runs) = next.transpose();
    now.swap(next);
  }
  return result;
}

Matrix UniformFlow::dense_derivatives(const Matrix& directions, const Matrix& states,
                                      const Matrix& changes) const {
  const Index n = states.rows(), p = directions.rows() / n, runs = states.cols() / samples_;
  // Column i n + j holds entry (i, j) of the derivative of Φ^m along every direction.
  Matrix map_derivatives(p, n * n), squared(p, n * n);
  for (Index q = 0; q < p; ++q) {
    stop_point(10 * product_work(n, n));
    map_derivatives.row(q) = exponential_.derivative(step_ * directions.middleRows(q * n, n))
                                 .transpose()
                                 .reshaped()
                                 .transpose();
  }
  Matrix result(p * runs, samples_ * n);
  auto by_state = result.reshaped(p * runs * samples_, n);
  by_state.topRows(p * runs) = changes;
  std::size_t power = 0;
  for (const Move& move : moves_) {
    stop_point(2 * product_work(n, p * runs * move.count));
    for (; power < move.power; ++power) {
      stop_point(2 * product_work(n, p * n));
      squared.reshaped(p * n, n).noalias() =
          map_derivatives.reshaped(p * n, n) * powers_[power].transpose();
      for (Index i = 0; i < n; ++i)
        squared.middleCols(i * n, n).noalias() +=
            map_derivatives.middleCols(i * n, n) * powers_[power];
      map_derivatives.swap(squared);
    }
    const Index rows = p * runs * move.count;
    by_state.middleRows(p * runs * move.to, rows).noalias() =
        by_state.middleRows(p * runs * move.from, rows) * powers_[power].transpose();
    const auto from = states.middleCols(move.from * runs, move.count * runs);
    for (Index i = 0; i < n; ++i)
      by_state.col(i).segment(p * runs * move.to, rows).reshaped(p, runs * move.count).noalias() +=
          map_derivatives.middleCols(i * n, n) * from;
  }
  return result;
}

Matrix UniformFlow::adjoint_starts(Matrix pull) const {
  const Index runs = pull.cols() / samples_;
  for (auto move = moves_.rbegin(); move != moves_.rend(); ++move) {
    stop_point(product_work(pull.rows(), move->count * runs));
    pull.middleCols(move->from * runs, move->count * runs).noalias() +=
        powers_[move->power].transpose() * pull.middleCols(move->to * runs, move->count * runs);
  }
  return pull.leftCols(runs);
}

UniformFlow::Pulled UniformFlow::adjoint(const Matrix& states, Matrix pull) const {
  const Index n = states.rows(), runs = states.cols() / samples_;
  std::vector<Matrix> map_pull(powers_.size(), Matrix::Zero(n, n));
  for (auto move = moves_.rbegin(); move != moves_.rend(); ++move) {
    stop_point(2 * product_work(n, move->count * runs));
    const auto to = pull.middleCols(move->to * runs, move->count * runs);
    map_pull[move->power].noalias() +=
        to * states.middleCols(move->from * runs, move->count * runs).transpose();
    pull.middleCols(move->from * runs, move->count * runs).noalias() +=
        powers_[move->power].transpose() * to;
  }
  for (std::size_t power = powers_.size() - 1; power > 0; --power) {
    const Matrix& root = powers_[power - 1];
    map_pull[power - 1].noalias() += map_pull[power] * root.transpose();
    map_pull[power - 1].noalias() += root.transpose() * map_pull[power];
  }
  return {step_ * exponential_.adjoint(map_pull.front()), pull.leftCols(runs)};
}

}  // namespace lgn
