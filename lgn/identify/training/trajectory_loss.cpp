#include "lgn/identify/training/trajectory_loss.h"

#include "lgn/core/error.h"
#include "lgn/data/run_groups.h"
#include "lgn/flow/magnus_flow.h"

namespace lgn {

TrajectoryLoss::TrajectoryLoss(const Dataset& data, const Structure& structure,
                               const Vector& weights, const MagnusScheme* scheme)
    : structure_(structure), runs_(static_cast<Index>(data.runs().size())) {
  const Vector w = weights.size() > 0 ? weights : Vector::Ones(data.dimension());
  if (w.size() != data.dimension() || !(w.array() >= 0).all())
    throw Error("the loss needs one non-negative weight per channel");
  for (auto& [times, members] : group_runs(data, !structure.autonomous())) {
    const Vector& clock = data.runs()[static_cast<std::size_t>(members.front())].times();
    const auto count = static_cast<Index>(members.size());
    Group group{members, times, Matrix(times.size() * w.size(), count), {}, {}};
    group.weight.resize(group.target.rows(), count);
    for (Index r = 0; r < count; ++r) {
      const Matrix& states =
          data.runs()[static_cast<std::size_t>(members[static_cast<std::size_t>(r)])].states();
      const auto missing = states.array().isNaN();
      group.target.col(r) = missing.select(0.0, states).reshaped();
      group.weight.col(r) = missing.select(0.0, w.replicate(1, states.cols())).reshaped();
    }
    if (structure.autonomous())
      group.plan = plan_flow(structure, clock, {});
    else if (scheme != nullptr)
      group.plan = std::make_shared<MagnusPlan>(structure, even_grid(times, *scheme));
    groups_.push_back(std::move(group));
  }
}

double TrajectoryLoss::evaluate(const Vector& theta, const Matrix& x0,
                                LossGradient* gradient) const {
  double loss = 0;
  for (const Group& group : groups_) {
    const auto plan =
        group.plan ? group.plan : std::shared_ptr(plan_flow(structure_, group.times, theta));
    const auto flow = plan->at(theta);
    Matrix starts(x0.rows(), group.target.cols());
    for (Index r = 0; r < starts.cols(); ++r)
      starts.col(r) = x0.col(group.runs[static_cast<std::size_t>(r)]);
    const Matrix states = flow->states(starts);
    // What is not measured must not count, even where it has overflowed.
    Matrix pull = (group.weight.array() > 0).select(states - group.target, 0.0);
    loss += group.weight.cwiseProduct(pull.cwiseAbs2()).sum();
    if (gradient == nullptr) continue;
    pull.array() *= 2 * group.weight.array();
    const Flow::Gradient pulled = flow->adjoint(states, pull);
    gradient->theta += pulled.theta;
    for (Index r = 0; r < starts.cols(); ++r)
      gradient->initial_states.col(group.runs[static_cast<std::size_t>(r)]) = pulled.x0.col(r);
  }
  return loss;
}

double TrajectoryLoss::value(const Vector& theta, const Matrix& x0) const {
  return evaluate(theta, x0, nullptr);
}

LossGradient TrajectoryLoss::gradient(const Vector& theta, const Matrix& x0) const {
  LossGradient result{0, Vector::Zero(theta.size()), Matrix::Zero(x0.rows(), x0.cols())};
  result.loss = evaluate(theta, x0, &result);
  return result;
}

}  // namespace lgn
