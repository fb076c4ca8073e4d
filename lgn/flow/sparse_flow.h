#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "lgn/core/partition.h"
#include "lgn/core/worker_threads.h"
#include "lgn/dynamics/generator_pattern.h"
#include "lgn/flow/chebyshev_series.h"

namespace lgn {

/// A generator on its pattern, with states in an order in which those that couple stand close together in memory: what sparse
/// flows of one structure share.
class OrderedPattern {
 public:
  explicit OrderedPattern(std::shared_ptr<const GeneratorPattern> generator,
                          std::shared_ptr<const Partition> partition = one_part());

  const GeneratorPattern& generator() const { return *generator_; }
  const SparsePattern& pattern() const { return ordered_.pattern; }
  const Partition& partition() const { return *partition_; }
  /// Rows that are this process' own, among all that are here: those of blocks.
  Partition::Range own() const { return partition_->own(ordered_.pattern.n); }
  /// The state, of those that are this process' own, that row k of a block holds.
  const std::vector<Index>& order() const { return order_; }
  /// Numbers on the structure's pattern as numbers on the ordered one, and back.
  Vector to_ordered(const Vector& values) const;
  Vector from_ordered(const Vector& values) const;

 private:
  std::shared_ptr<const GeneratorPattern> generator_;
  std::shared_ptr<const Partition> partition_;
  std::vector<Index> order_;
  SparsePattern::Reordered ordered_;
};

/// The flow of a sparse generator, ẋ = A(θ) x, at one θ and K increasing times, with its exact adjoint and products with
/// JᵀWJ: what `Flow` is where matrices of n × n, and all states at once, have no place.
///
/// States of m runs are blocks of n × m, row by row, in the order of the pattern; in a partition of own rows alone, and terms of the
/// series have those of neighbours too, which are asked for before every product. A Chebyshev series with dense output
/// (chebyshev_series.h) serves all samples of a superstep, about twenty, so that a sample costs about two products with A.
/// The adjoint is that of the series itself, term by term:
///     φ̄_m = Σ_j C_jm r_j,  w_m = φ̄_m + k (A − c)ᵀ w_(m+1) + b w_(m+2),  ∂ℓ/∂A_ij = Σ_m k w_(m+1),i φ_m,j
/// on the pattern alone; states are kept where a superstep begins, and the rest is computed again. Results do not
/// depend on the number of threads. `Scalar` is double, or float where products with JᵀWJ only steer an iteration.
template <class Scalar>
class SparseFlow {
 public:
  using Block = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  /// Is called with the place of a sample, last samples first where it comes from an adjoint, and the states there, which it may
  /// change: into ∂ℓ/∂x where an adjoint asks for that.
  using Visit = std::function<void(Index sample, Eigen::Ref<Block> states)>;

  /// `times` begin at the time of the initial states. The threads must outlive the flow.
  SparseFlow(std::shared_ptr<const OrderedPattern> pattern, const Vector& theta,
             const Vector& times, WorkerThreads& threads, double tolerance = 1e-13);

  Index samples() const { return samples_; }
  /// Products with A that all samples take, and in each superstep.
  Index products() const { return static_cast<Index>(steps_.size()) * series_.degree; }
  Index degree() const { return series_.degree; }

  /// Visits the states at all times.
  void states(const Block& x0, const Visit& visit) const;

  /// States where supersteps begin and, where `kept_bytes` allow, the terms φ of all of them.
  struct Course {
    std::vector<Block> begin;
    std::vector<Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>> terms;
  };
  Course course(const Block& x0, double kept_bytes = 0) const;

  /// ∂ℓ/∂A on the structure's pattern, and ∂ℓ/∂x₀; `pull` turns states into ∂ℓ/∂x. About three times the work of `states`.
  struct Gradient {
    Vector values;
    Block x0;
  };
  Gradient gradient(const Course& course, const Visit& pull) const;
  /// Jᵀ W J (δA, δx₀) for a change of A on the structure's pattern and of x₀; `weigh` turns a change of the states at a
  /// sample into W times it.
  Gradient curvature(const Course& course, const Vector& values_change, const Block& x0_change,
                     const Visit& weigh) const;

 private:
  using Terms =
      Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;  ///< n m × terms, or × samples
  /// Samples first … first + count − 1 are those of this superstep, the last at its end unless it only leads on.
  struct Superstep {
    Index first = 0, count = 0;
    std::size_t table = 0;
  };
  void plan(const Vector& times, const SpectralBox& box, double tolerance);

  /// Terms over all rows that are here, with these in the first column.
  void begin_terms(const Block& x, Terms& terms) const;
  void fill_terms(const Block& x, Terms& terms) const;
  void fill_tangent(const Block& x, const std::vector<Scalar>& change, const Terms& terms,
                    Terms& tangent) const;
  /// ∂ℓ/∂φ of ∂ℓ/∂ of the samples; then ∂ℓ/∂x, adding to g.
  void pull_samples(const Terms& residuals, const Terms& table, Terms& bar) const;
  Block pull_terms(Terms& bar, const Terms& terms, std::vector<Scalar>& g) const;
  Terms at_samples(const Terms& terms, const Terms& coefficients) const;
  void at_end(const Terms& terms, const Superstep& step, Block& x) const;
  const Terms& terms_of(const Course& course, std::size_t step, Terms& memory) const;

  std::shared_ptr<const OrderedPattern> pattern_;
  WorkerThreads& threads_;
  ChebyshevSeries series_;
  Index samples_;
  std::vector<Superstep> steps_;
  /// Of every kind of superstep: a column for each sample and, where the last is not at the end, one for that.
  std::vector<Terms> tables_;
  std::vector<Scalar> forth_, back_;  ///< k (A − c) and its transpose on the ordered pattern
};

extern template class SparseFlow<double>;
extern template class SparseFlow<float>;

}  // namespace lgn
