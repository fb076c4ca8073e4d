#include "lgn/identify/training/uniform_runs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lgn/flow/exponential.h"

namespace lgn {
namespace {

/// Work of one product of an n × n matrix with c columns, in flops: narrow products run at the
/// speed of memory, and every call has a fixed price.
double product_cost(double n, double c) { return 2 * n * n * std::max(c, 12.0) + 2e4; }

/// The block length that makes a gradient cheapest: longer blocks need more squarings to reach Φ^B,
/// shorter ones more narrow products.
Index choose_block(Index n, Index runs, Index longest, Index samples) {
  const double size = static_cast<double>(n);
  Index best = 1;
  double best_cost =
      2 * static_cast<double>(longest) * product_cost(size, static_cast<double>(runs));
  for (Index squarings = 1; squarings <= 10; ++squarings) {
    const double block = std::ldexp(1.0, static_cast<int>(squarings));
    if (block >= static_cast<double>(longest)) break;
    const double wide = std::ceil(static_cast<double>(samples) / block);
    const double cost =
        static_cast<double>(squarings) * product_cost(size, size) +
        2 * static_cast<double>(longest) / block * product_cost(size, static_cast<double>(runs)) +
        3 * block * product_cost(size, wide);
    if (cost < best_cost) {
      best_cost = cost;
      best = static_cast<Index>(block);
    }
  }
  return best;
}

}  // namespace

UniformRuns::UniformRuns(double step, std::vector<GriddedRun> runs, const Vector& weights)
    : step_(step), n_(weights.size()) {
  std::stable_sort(runs.begin(), runs.end(), [](const GriddedRun& a, const GriddedRun& b) {
    return a.states.cols() > b.states.cols();
  });
  Index samples = 0;
  for (const auto& run : runs) {
    run_.push_back(run.run);
    length_.push_back(run.states.cols());
    samples += run.states.cols();
  }
  block_ = choose_block(n_, static_cast<Index>(runs.size()), length_.front(), samples);
  for (Index b = 0; b * block_ < length_.front(); ++b) {
    const auto reach = std::count_if(length_.begin(), length_.end(),
                                     [&](Index length) { return length > b * block_; });
    first_.push_back(columns_);
    active_.push_back(reach);
    columns_ += reach;
  }
  target_ = Matrix::Zero(n_, columns_ * block_);
  weight_ = Matrix::Zero(n_, columns_ * block_);
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (Index j = 0; j < length_[r]; ++j) {
      const Index column = (j % block_) * columns_ + first_[static_cast<std::size_t>(j / block_)] +
                           static_cast<Index>(r);
      for (Index c = 0; c < n_; ++c) {
        const double value = runs[r].states(c, j);
        if (Trajectory::missing(value)) continue;
        target_(c, column) = value;
        weight_(c, column) = weights[c];
      }
    }
}

Matrix UniformRuns::forward(const Matrix& map, const Matrix& block_map,
                            const Matrix& starts) const {
  Matrix states(n_, columns_ * block_);
  for (std::size_t r = 0; r < run_.size(); ++r)
    states.col(static_cast<Index>(r)) = starts.col(run_[r]);
  for (std::size_t b = 1; b < first_.size(); ++b)
    states.middleCols(first_[b], active_[b]).noalias() =
        block_map * states.middleCols(first_[b - 1], active_[b]);
  for (Index i = 1; i < block_; ++i) slice(states, i).noalias() = map * slice(states, i - 1);
  return states;
}

double UniformRuns::residuals(const Matrix& states, Matrix& pull) const {
  double loss = 0;
  for (Index i = 0; i < block_; ++i) {
    const auto weight = slice(weight_, i).array();
    auto residual = slice(pull, i).array();
    // A padded sample may have overflowed; its weight is zero and it must not count.
    residual = (weight > 0).select(slice(states, i) - slice(target_, i), 0.0);
    loss += (weight * residual.square()).sum();
    residual *= 2.0 * weight;
  }
  return loss;
}

double UniformRuns::evaluate(const Matrix& a, const Matrix& starts, LossGradient* gradient) const {
  const Exponential exponential(step_ * a);
  const Matrix& map = exponential.value();
  Matrix block_map = map;
  for (Index b = 1; b < block_; b *= 2) block_map = (block_map * block_map).eval();

  const Matrix states = forward(map, block_map, starts);
  Matrix adjoint(n_, columns_ * (block_ + 1));  // ∂ℓ/∂x̂, which the second pass back turns into λ
  const double loss = residuals(states, adjoint);
  if (gradient == nullptr) return loss;

  // Products with a transposed factor are slower.
  const Matrix back = map.transpose();
  Matrix first = slice(adjoint, block_ - 1), next(n_, columns_);
  for (Index i = block_ - 2; i >= 0; --i) {
    next = slice(adjoint, i);
    next.noalias() += back * first;
    first.swap(next);
  }
  // first is λ at each block's start from its own samples; add what later blocks send back.
  for (std::size_t b = first_.size() - 1; b > 0; --b)
    first.middleCols(first_[b - 1], active_[b]).noalias() +=
        block_map.transpose() * first.middleCols(first_[b], active_[b]);
  for (std::size_t r = 0; r < run_.size(); ++r)
    gradient->starts.col(run_[r]) += first.col(static_cast<Index>(r));

  // The λ that follows a block is the first of the next block.
  slice(adjoint, block_).setZero();
  for (std::size_t b = 1; b < first_.size(); ++b)
    slice(adjoint, block_).middleCols(first_[b - 1], active_[b]) =
        first.middleCols(first_[b], active_[b]);
  Matrix map_gradient = Matrix::Zero(n_, n_);
  for (Index i = block_; i > 0; --i) {
    map_gradient.noalias() += slice(adjoint, i) * slice(states, i - 1).transpose();
    if (i > 1) slice(adjoint, i - 1).noalias() += back * slice(adjoint, i);
  }
  gradient->generator += step_ * exponential.adjoint(map_gradient);
  return loss;
}

}  // namespace lgn
