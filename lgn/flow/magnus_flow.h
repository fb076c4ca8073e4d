#pragma once

#include <memory>
#include <vector>

#include "lgn/flow/flow.h"

namespace lgn {

/// A structure at the nodes of a grid: what all flows over it share.
class MagnusPlan final : public FlowPlan {
 public:
  /// `structure` must outlive it.
  MagnusPlan(const Structure& structure, MagnusGrid grid);

  std::unique_ptr<const Flow> at(const Vector& theta) const override;
  const MagnusGrid* grid() const override { return &grid_; }

  const Structure& structure() const { return structure_; }
  const Vector& times() const { return times_; }
  const SampledStructure& sampled() const { return *sampled_; }
  /// Where the nodes of a step are among the times: one after the other from here.
  Index first_node(std::size_t step) const { return first_node_[step]; }

 private:
  const Structure& structure_;
  MagnusGrid grid_;
  std::vector<Index> first_node_;
  Vector times_;
  std::unique_ptr<const SampledStructure> sampled_;
};

/// The flow of ẋ = A(t; θ) x at the times of a grid, with its exact derivatives: those of the steps
/// that were taken, commutators included. The plan must outlive the flow.
///
/// States cost O(steps (m n² + n³)), as tangent and adjoint do; the jacobian O(steps m (n⁴ + p n²)).
class MagnusFlow final : public Flow {
 public:
  MagnusFlow(const MagnusPlan& plan, const Vector& theta);
  ~MagnusFlow() override;

  Index samples() const override { return plan_.grid()->times.size(); }
  Matrix states(const Matrix& x0) const override;
  Matrix maps() const override;
  Matrix jacobian(const Matrix& x0) const override;
  Matrix tangent(const Vector& delta, const Matrix& x0) const override;
  Gradient adjoint(const Matrix& states, const Matrix& pull) const override;
  Matrix adjoint_x0(const Matrix& pull) const override;
  const Observation& observation() const override { return observation_; }

 private:
  template <int N>
  class Kernel;

  const MagnusPlan& plan_;
  Observation observation_;
  std::unique_ptr<const GeneratorCourse> course_;
};

}  // namespace lgn
