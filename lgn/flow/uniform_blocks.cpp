#include "lgn/flow/uniform_blocks.h"

#include <algorithm>

#include "lgn/core/stop.h"

namespace lgn {
namespace {

/// Samples of the last block.
Index rest_of(Index samples, Index block) {
  const Index rest = samples % block;
  return rest == 0 ? block : rest;
}

}  // namespace

std::unique_ptr<const UniformBlocks> UniformBlocks::plan(const Matrix& a, double step,
                                                         Index samples, Index parameters) {
  // What a block needs stays in the cache of a core; long enough for what every block costs beforehand.
  constexpr Index numbers = 125'000, shortest = 1024, longest = 16384, most_states = 32, fewest = 8;
  const Index n = a.rows();
  Index block = longest;
  while (block > shortest && block * n * std::max(parameters, n) > numbers) block /= 2;
  if (n > most_states || samples < fewest * block) return nullptr;
  return std::make_unique<const UniformBlocks>(a, step, samples, block);
}

UniformBlocks::UniformBlocks(const Matrix& a, double step, Index samples, Index block)
    : samples_(samples),
      block_(block),
      whole_(a, step, block),
      rest_(a, step, rest_of(samples, block)),
      step_map_(step * a),
      step_(step),
      jump_(step_map_.value()) {
  for (Index reach = 1; reach < block; reach *= 2) jump_ = (jump_ * jump_).eval();
  reached_.push_back(Matrix::Identity(a.rows(), a.rows()));
  for (Index first = block; first < samples; first += block)
    reached_.emplace_back(jump_ * reached_.back());
}

Matrix UniformBlocks::states(const Matrix& starts) const {
  const Index n = jump_.rows(), runs = starts.cols();
  Matrix result(samples_ * n, runs);
  for (Index first = 0; first < samples_; first += block_) {
    const Index count = std::min(block_, samples_ - first);
    const Matrix now = reached_[static_cast<std::size_t>(first / block_)] * starts;
    for (Index r = 0; r < runs; ++r)
      result.col(r).segment(first * n, count * n).reshaped(n, count) =
          within(count).states(now.col(r));
  }
  return result;
}

Matrix UniformBlocks::maps(Index first, Index count) const {
  return within(count).maps() * reached_[static_cast<std::size_t>(first / block_)];
}

const Matrix& UniformBlocks::reached_derivatives(const Matrix& directions, std::size_t b) const {
  const Index n = jump_.rows(), p = directions.rows() / n;
  if (!carried_) {
    // Of Φ², Φ⁴ … by the product rule.
    carried_ = Carried{0, Matrix::Zero(p * n, n), Matrix(p * n, n)};
    for (Index q = 0; q < p; ++q) {
      stop_point(1000);
      Matrix power = step_map_.value();
      Matrix change = step_map_.derivative(step_ * directions.middleRows(q * n, n));
      for (Index reach = 1; reach < block_; reach *= 2) {
        change = (change * power + power * change).eval();
        power = (power * power).eval();
      }
      carried_->jump.middleRows(q * n, n) = change;
    }
  }
  if (carried_->b > b) {
    carried_->b = 0;
    carried_->derivatives.setZero();
  }
  for (; carried_->b < b; ++carried_->b) {
    const Matrix& before = reached_[carried_->b];
    Matrix next = carried_->jump * before;
    for (Index q = 0; q < p; ++q)
      next.middleRows(q * n, n).noalias() += jump_ * carried_->derivatives.middleRows(q * n, n);
    carried_->derivatives.swap(next);
  }
  return carried_->derivatives;
}

Matrix UniformBlocks::derivatives(const Matrix& directions, const Matrix& starts, Index first,
                                  Index count) const {
  const Index n = jump_.rows(), p = directions.rows() / n, runs = starts.cols();
  const auto b = static_cast<std::size_t>(first / block_);
  const Matrix& reached = reached_derivatives(directions, b);
  Matrix changes(p * runs, n);
  for (Index r = 0; r < runs; ++r)
    changes.middleRows(r * p, p) = (reached * starts.col(r)).reshaped(n, p).transpose();
  const UniformFlow& flow = within(count);
  return flow.derivatives(directions, flow.states(reached_[b] * starts), changes);
}

}  // namespace lgn
