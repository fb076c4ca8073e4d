#pragma once

#include <memory>
#include <vector>

#include "lgn/dynamics/modal.h"
#include "lgn/flow/flow.h"

namespace lgn {

/// A modal structure at increasing times.
class ModalPlan final : public FlowPlan {
 public:
  /// `structure` must outlive it.
  ModalPlan(const ModalStructure& structure, const Vector& times);
  std::unique_ptr<const Flow> at(const Vector& theta) const override;

  const ModalStructure& structure() const { return structure_; }
  /// Since the first.
  const Vector& times() const { return times_; }
  /// Where all steps are equal: that step; else 0.
  double step() const { return step_; }

 private:
  const ModalStructure& structure_;
  Vector times_;
  double step_;
};

/// exp(A t) of every block and its derivatives in closed form, for free samples at a time: outputs cost O(K l n), their
/// derivatives O(K l p), and nothing is as large as K n². The plan must outlive the flow.
///
/// Where all steps are equal, responses over the first of them are computed once, and later ones are these from where the
/// states have come to by then.
class ModalFlow final : public Flow {
 public:
  ModalFlow(const ModalPlan& plan, const Vector& theta);
  ~ModalFlow() override;

  Index samples() const override { return plan_.times().size(); }
  Matrix states(const Matrix& x0) const override;
  Matrix maps() const override;
  Matrix jacobian(const Matrix& x0) const override;
  Matrix tangent(const Vector& delta, const Matrix& x0) const override;
  Gradient adjoint(const Matrix& states, const Matrix& pull) const override;
  Matrix adjoint_x0(const Matrix& pull) const override;

  const Observation& observation() const override { return observation_; }
  Index block() const override;
  Matrix outputs(const Matrix& x0) const override;
  Matrix output_maps(Index first, Index count) const override;
  Matrix output_jacobian(const Matrix& x0, Index first, Index count) const override;
  /// (∂outputs/∂θ)ᵀ `pull` of one initial state, for weights of all outputs (l × K): O(K l n).
  Vector output_adjoint(const Vector& x0, const Matrix& pull) const;

 private:
  struct Responses;
  struct Course;
  /// The states of a block and their derivatives by its rates, from x₀, at samples of which responses are known.
  Course course(const ModalStructure::Block& block, const Vector& x0, Index first,
                Index count) const;
  /// The same of the states alone.
  Matrix block_states(const ModalStructure::Block& block, const Vector& x0, Index first,
                      Index count) const;
  /// Calls f(begin, count, responses, until) for parts of `count` samples from `first` on: responses of the block from the
  /// beginning of the part, and what has become of its states until then.
  template <class F>
  void in_parts(const ModalStructure::Block& block, Index first, Index count, F f) const;

  const ModalPlan& plan_;
  Vector theta_;
  Observation observation_;
  std::vector<Responses> responses_;  ///< of every block
};

}  // namespace lgn
