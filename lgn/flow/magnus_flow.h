#pragma once

#include <memory>
#include <vector>

#include "lgn/flow/magnus_grid.h"

namespace lgn {

/// A structure at the nodes of a grid: what all flows over it share.
class MagnusNodes {
 public:
  /// `structure` must outlive it.
  MagnusNodes(const VaryingStructure& structure, MagnusGrid grid);

  const VaryingStructure& structure() const { return structure_; }
  const MagnusGrid& grid() const { return grid_; }
  const Vector& times() const { return times_; }
  const SampledStructure& sampled() const { return *sampled_; }
  /// Where the nodes of a step are among the times: one after the other from here.
  Index first_node(std::size_t step) const { return first_node_[step]; }

 private:
  const VaryingStructure& structure_;
  MagnusGrid grid_;
  std::vector<Index> first_node_;
  Vector times_;
  std::unique_ptr<const SampledStructure> sampled_;
};

/// The flow of ẋ = A(t; θ) x at the times of a grid, with its exact derivatives: those of the steps
/// that were taken, commutators included.
///
/// States of all samples stand below one another: row k n + i of a column is x_i(t_k), as in
/// SampledFlow. The nodes must outlive the flow.
class MagnusFlow {
 public:
  MagnusFlow(const MagnusNodes& nodes, const Vector& theta);
  ~MagnusFlow();

  Index samples() const { return nodes_.grid().times.size(); }

  /// The states that follow each start (a column): K n × m. O(steps m n² + steps n³).
  Matrix states(const Matrix& starts) const;
  /// The maps from the first time to every time: states of the unit vectors.
  Matrix maps() const;
  /// Derivatives of the states along θ for all m starts together, transposed: p m × K n. Row r p + q
  /// and column i K + k hold ∂x_i(t_k)/∂θ_q of start r. O(steps m (n⁴ + p n²)).
  Matrix transposed_derivatives(const Matrix& starts) const;

  /// For a scalar ℓ with ∂ℓ/∂states = `pull` (K n × m), at states that `states` has returned: ∂ℓ/∂θ
  /// and ∂ℓ/∂starts. O(steps (m n² + n³)).
  struct Pulled {
    Vector theta;
    Matrix starts;
  };
  Pulled adjoint(const Matrix& states, const Matrix& pull) const;

 private:
  template <int N>
  class Kernel;

  const MagnusNodes& nodes_;
  std::unique_ptr<const GeneratorCourse> course_;
};

/// x(t_k) = column k of the result, for x(t_0) = x0 and increasing times.
Matrix propagate(const VaryingStructure& structure, const Vector& theta, const Vector& x0,
                 const Vector& times, const MagnusOptions& options = {});

}  // namespace lgn
