#pragma once

#include <memory>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/data/run_groups.h"
#include "lgn/flow/sparse_flow.h"

namespace lgn {

/// The misfit of a large network, ½ Σ ((ȳ + x(t_k; θ, x₀) − y_k)/σ)² over the samples that are present, with θ, all initial
/// states and, where wanted, offsets ȳ as unknowns side by side: none is eliminated, since that takes matrices of n × n.
///
/// In a partition (core/partition.h) data are those of own rows, and so are initial states and offsets. Unknowns are one vector: θ, then x₀ of every run (relative to ȳ), then ȳ. Data, structure's pattern and threads must outlive it.
class SparseProblem {
 public:
  SparseProblem(const Dataset& data, std::shared_ptr<const OrderedPattern> pattern, bool offset,
                WorkerThreads& threads);

  Index unknowns() const { return first_offset() + (offset_ ? n_ : 0); }
  Index first_state() const { return pattern_->generator().parameters(); }
  Index first_offset() const { return first_state() + n_ * runs_; }
  const Partition& partition() const { return pattern_->partition(); }
  bool has_offset() const { return offset_; }
  const GeneratorPattern& generator() const { return pattern_->generator(); }
  Index states() const { return n_; }
  Index runs() const { return runs_; }

  /// θ with initial states that are the first samples, or the first that is present; offsets zero.
  Vector start(const Vector& theta) const;

  /// The misfit, its gradient, and the sums of squared residuals of each channel with how many there are.
  struct Misfit {
    double value = 0;
    Vector gradient;
    Vector squares, count;
  };
  /// O(products with A): about three times the states.
  Misfit misfit(const Vector& unknowns, const Vector& noise) const;
  /// The value alone: as much work as the states.
  double value(const Vector& unknowns, const Vector& noise) const;

  /// Products with JᵀWJ at one point, in single precision: they steer an iteration whose gradient is exact. Terms of the
  /// series are kept where they take at most `kept_bytes`, over all processes.
  class Curvature {
   public:
    Curvature(const SparseProblem& problem, const Vector& unknowns, const Vector& noise,
              double kept_bytes = 1.5e9);
    Vector product(const Vector& change) const;
    const Partition& partition() const { return problem_.partition(); }

   private:
    const SparseProblem& problem_;
    Vector theta_, weights_;
    std::vector<SparseFlow<float>> flows_;
    std::vector<SparseFlow<float>::Course> courses_;
  };

 private:
  template <class Scalar>
  using BlockOf = typename SparseFlow<Scalar>::Block;
  /// Initial states of a group as a block in the order of the pattern, and back into the vector of unknowns.
  template <class Scalar>
  BlockOf<Scalar> gather(const Vector& unknowns, const RunGroup& group) const;
  template <class Scalar>
  void scatter(const BlockOf<Scalar>& block, const RunGroup& group, Vector& unknowns) const;
  double sample(const RunGroup& group, Index run, Index state, Index k) const {
    return data_.runs()[static_cast<std::size_t>(group.runs[static_cast<std::size_t>(run)])]
        .states()(state, k);
  }

  const Dataset& data_;
  std::shared_ptr<const OrderedPattern> pattern_;
  bool offset_, gaps_ = false;
  WorkerThreads& threads_;
  Index n_, runs_;
  std::vector<RunGroup> groups_;
};

}  // namespace lgn
