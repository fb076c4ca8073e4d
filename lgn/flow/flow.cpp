#include "lgn/flow/flow.h"

#include <utility>

#include "lgn/dynamics/port_hamiltonian.h"
#include "lgn/flow/magnus_flow.h"
#include "lgn/flow/modal_flow.h"
#include "lgn/flow/propagate.h"
#include "lgn/flow/sampled_flow.h"
#include "lgn/flow/uniform_blocks.h"

namespace lgn {
namespace {

/// exp(A (t_k − t_0)) with derivatives along the parameters of a structure.
class ConstantFlow : public Flow {
 public:
  ConstantFlow(const ConstantStructure& structure, const Vector& theta, const TimeSteps& steps)
      : structure_(structure),
        theta_(theta),
        observation_(structure.observation(theta)),
        flow_(structure.generator(theta), steps) {}
  ConstantFlow(const ConstantStructure& structure, const Vector& theta, double step, Index samples)
      : structure_(structure),
        theta_(theta),
        observation_(structure.observation(theta)),
        flow_(structure.generator(theta), step, samples) {}

  Index samples() const override { return flow_.samples(); }
  Matrix states(const Matrix& x0) const override { return flow_.states(x0); }
  Matrix maps() const override { return flow_.maps(); }
  Matrix jacobian(const Matrix& x0) const override {
    return flow_.transposed_derivatives(structure_.directions(theta_), x0);
  }
  Matrix tangent(const Vector& delta, const Matrix& x0) const override {
    return flow_.derivative(structure_.pushforward(theta_, delta), x0);
  }
  Gradient adjoint(const Matrix& states, const Matrix& pull) const override {
    auto [generator, starts] = flow_.adjoint(states, pull);
    return {structure_.pullback(theta_, generator), std::move(starts)};
  }
  Matrix adjoint_x0(const Matrix& pull) const override { return flow_.adjoint_starts(pull); }
  const Observation& observation() const override { return observation_; }
  Matrix output_jacobian(const Matrix& x0, Index first, Index count) const override {
    Matrix result = Flow::output_jacobian(x0, first, count);
    if (structure_.ports() == nullptr) return result;
    const Index n = structure_.dimension(), p = theta_.size();
    const Matrix at = states(x0);
    for (Index r = 0; r < x0.cols(); ++r)
      add_observation_change(*structure_.ports(), theta_, at.col(r).reshaped(n, samples()),
                             result.middleRows(r * p, p));
    return result;
  }

 protected:
  const ConstantStructure& structure_;
  Vector theta_;
  Observation observation_;

 private:
  SampledFlow flow_;
};

/// The same at many evenly spaced times, in blocks.
class LongFlow final : public ConstantFlow {
 public:
  LongFlow(const ConstantStructure& structure, const Vector& theta, double step, Index samples,
           std::unique_ptr<const UniformBlocks> blocks)
      : ConstantFlow(structure, theta, step, samples), blocks_(std::move(blocks)) {}

  Index block() const override { return blocks_->block(); }
  Matrix states(const Matrix& x0) const override { return blocks_->states(x0); }
  Matrix output_maps(Index first, Index count) const override {
    return observation_.observe(blocks_->maps(first, count));
  }
  Matrix output_jacobian(const Matrix& x0, Index first, Index count) const override {
    return observation_.observe_jacobian(
        blocks_->derivatives(structure_.directions(theta_), x0, first, count));
  }

 private:
  std::unique_ptr<const UniformBlocks> blocks_;
};

class ConstantPlan final : public FlowPlan {
 public:
  ConstantPlan(const ConstantStructure& structure, const Vector& times)
      : structure_(structure), samples_(times.size()), steps_(find_steps(times)) {
    if (uniform()) steps_.which = {};
  }
  std::unique_ptr<const Flow> at(const Vector& theta) const override {
    if (!uniform()) return std::make_unique<ConstantFlow>(structure_, theta, steps_);
    const double step = steps_.length.front();
    if (structure_.ports() == nullptr)
      if (auto blocks =
              UniformBlocks::plan(structure_.generator(theta), step, samples_, theta.size()))
        return std::make_unique<LongFlow>(structure_, theta, step, samples_, std::move(blocks));
    return std::make_unique<ConstantFlow>(structure_, theta, step, samples_);
  }

 private:
  bool uniform() const { return steps_.length.size() == 1; }

  const ConstantStructure& structure_;
  Index samples_;
  TimeSteps steps_;  ///< of equal ones the length alone
};

}  // namespace

void add_observation_change(const PortHamiltonianStructure& structure, const Vector& theta,
                            const Eigen::Ref<const Matrix>& states, Eigen::Ref<Matrix> jacobian) {
  for (Index q = 0; q < theta.size(); ++q)
    jacobian.row(q) += (structure.system_change(theta, Vector::Unit(theta.size(), q)).c * states)
                           .transpose()
                           .reshaped()
                           .transpose();
}

Matrix Flow::outputs(const Matrix& x0) const { return observation().observe(states(x0)); }

Matrix Flow::output_maps(Index, Index) const { return observation().observe(maps()); }

Matrix Flow::output_jacobian(const Matrix& x0, Index, Index) const {
  return observation().observe_jacobian(jacobian(x0));
}

std::unique_ptr<const FlowPlan> plan_flow(const Structure& structure, const Vector& times,
                                          const Vector& theta, const MagnusOptions& options) {
  if (const ModalStructure* modal = structure.modal())
    return std::make_unique<ModalPlan>(*modal, times);
  if (const ConstantStructure* constant = structure.autonomous())
    return std::make_unique<ConstantPlan>(*constant, times);
  return std::make_unique<MagnusPlan>(structure, plan_grid(structure, theta, times, options));
}

Matrix propagate(const Structure& structure, const Vector& theta, const Vector& x0,
                 const Vector& times, const MagnusOptions& options) {
  if (const ConstantStructure* constant = structure.autonomous())
    return propagate(constant->generator(theta), x0, times);
  const RefinedTimes refined = refine_times(structure, theta, times, options.longest);
  const Matrix states = plan_flow(structure, refined.times, theta, options)->at(theta)->states(x0);
  Matrix result(x0.size(), times.size());
  for (Index k = 0; k < times.size(); ++k)
    result.col(k) =
        states.middleRows(refined.kept[static_cast<std::size_t>(k)] * x0.size(), x0.size());
  return result;
}

}  // namespace lgn
