#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "lgn/flow/uniform_flow.h"

namespace lgn {

/// The flow of ẋ = A x at many evenly spaced times, a block of samples at a time: nothing is as large as all of them but
/// what is asked for.
///
/// Block b begins with Φ^(bB), and ∂Φ^(bB) goes on from block to block by the product rule; within a block samples
/// follow as in UniformFlow. Derivatives are quickest in the order of time. One thread uses it.
class UniformBlocks {
 public:
  /// For p parameters; nothing where there are so few samples, or so many states, that one block is better.
  static std::unique_ptr<const UniformBlocks> plan(const Matrix& a, double step, Index samples,
                                                   Index parameters);
  UniformBlocks(const Matrix& a, double step, Index samples, Index block);

  Index block() const { return block_; }
  /// The states that follow the starts (columns): K n × m, samples below one another.
  Matrix states(const Matrix& starts) const;
  /// Φ^k of `count` samples from `first` on, which begins a block, below one another: count n × n.
  Matrix maps(Index first, Index count) const;
  /// Derivatives of these samples of every start along E_1 … E_p (below one another, the same at every call), transposed:
  /// p m × count n, as those of UniformFlow.
  Matrix derivatives(const Matrix& directions, const Matrix& starts, Index first,
                     Index count) const;
  /// The flow of a block, or of the shorter one at the end.
  const UniformFlow& within(Index count) const { return count == block_ ? whole_ : rest_; }
  /// Φ^(bB), where block b begins.
  const Matrix& reached(Index b) const { return reached_[static_cast<std::size_t>(b)]; }
  /// Derivatives of Φ^(bB) along each direction, below one another.
  const Matrix& reached_derivatives(const Matrix& directions, std::size_t b) const;

 private:
  Index samples_, block_;
  UniformFlow whole_, rest_;  ///< of a block, and of the last one
  Exponential step_map_;
  double step_;
  Matrix jump_;                  ///< Φ^B
  std::vector<Matrix> reached_;  ///< Φ^(bB) of every block
  struct Carried {
    std::size_t b = 0;
    Matrix derivatives, jump;
  };
  mutable std::optional<Carried> carried_;
};

}  // namespace lgn
