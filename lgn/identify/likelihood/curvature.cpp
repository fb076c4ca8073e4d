#include "lgn/identify/likelihood/problem.h"

namespace lgn {

/// Runs with the same times: their flow, states and weights, one column per run.
struct Problem::Curvature::Part {
  const Group& group;
  const Flow& flow;
  Matrix x0, states, weights;
};

Problem::Curvature::Curvature(const Problem& problem, std::shared_ptr<const Profile> profile)
    : problem_(problem),
      profile_(std::move(profile)),
      gradient_(Vector::Zero(problem.structure_.parameters())) {
  problem.return_to(*profile_);
  for (std::size_t g = 0; g < problem.groups_.size(); ++g) {
    const Group& group = problem.groups_[g];
    Part part{group,
              *profile_->flows[g],
              problem.initial_states_of(group, 0, group.size(), *profile_),
              {},
              {}};
    const Index rows = group.samples() * problem.channels();
    part.states = part.flow.states(part.x0);
    part.weights.resize(rows, group.size());
    const Observation& observation = part.flow.observation();
    Matrix pull = observation.observe(part.states);
    for (Index r = 0; r < group.size(); ++r) {
      part.weights.col(r) = group.run(r).weight.reshaped();
      Matrix outputs = group.run(r).outputs;
      if (problem.estimate_offset_) {
        if (group.ones.size() > 0)
          outputs -= profile_->offset * group.ones.transpose();
        else
          outputs.colwise() -= profile_->offset;
      }
      pull.col(r) -= outputs.reshaped();
    }
    pull.array() *= part.weights.array().square();
    gradient_ += part.flow.adjoint(part.states, observation.pull(std::move(pull))).theta;
    parts_.push_back(std::move(part));
  }
}

Problem::Curvature::~Curvature() = default;

Vector Problem::Curvature::product(const Vector& v) const {
  Vector result = Vector::Zero(v.size()), shared = Vector::Zero(problem_.unknown_shared());
  std::vector<Matrix> pulls;
  const auto columns = [&](const Part& part, Index r) -> const Matrix& {
    return profile_->shared_columns[static_cast<std::size_t>(part.group.run(r).index)]->samples;
  };
  for (const Part& part : parts_) {
    const Observation& observation = part.flow.observation();
    Matrix pull = part.weights.cwiseProduct(observation.observe(part.flow.tangent(v, part.x0)));
    if (!problem_.known_initial_states_) {
      Matrix x0 = part.flow.adjoint_x0(observation.pull(part.weights.cwiseProduct(pull)));
      for (Index r = 0; r < x0.cols(); ++r) {
        const auto root = profile_->roots[static_cast<std::size_t>(part.group.run(r).index)]
                              .template triangularView<Eigen::Lower>();
        root.solveInPlace(x0.col(r));
        root.transpose().solveInPlace(x0.col(r));
      }
      pull -= part.weights.cwiseProduct(observation.observe(part.flow.states(x0)));
    }
    for (Index r = 0; r < pull.cols() && shared.size() > 0; ++r)
      shared += columns(part, r).transpose() * pull.col(r);
    pulls.push_back(std::move(pull));
  }
  if (shared.size() > 0) shared = profile_->shared_covariance * shared;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Part& part = parts_[k];
    Matrix& pull = pulls[k];
    for (Index r = 0; r < pull.cols() && shared.size() > 0; ++r)
      pull.col(r) -= columns(part, r) * shared;
    pull.array() *= part.weights.array();
    result += part.flow.adjoint(part.states, part.flow.observation().pull(std::move(pull))).theta;
  }
  return result;
}

Vector Problem::Curvature::diagonal() const {
  const Index p = gradient_.size(), l = problem_.channels();
  Vector result = Vector::Zero(p);
  for (const Part& part : parts_)
    for (Index r = 0; r < part.x0.cols(); ++r) {
      const Matrix jacobian =
          part.flow.observation().observe_jacobian(part.flow.jacobian(part.x0.col(r)));
      const Vector squares =
          part.weights.col(r).reshaped(l, part.group.samples()).transpose().reshaped().cwiseAbs2();
      result += jacobian.cwiseAbs2() * squares;
    }
  return result;
}

Matrix Problem::Curvature::second_moment() const {
  const Index n = problem_.structure_.dimension();
  Matrix result = Matrix::Zero(n, n);
  for (const Part& part : parts_) {
    const auto samples = part.states.reshaped(n, part.states.size() / n);
    result.noalias() += samples * samples.transpose();
  }
  return result;
}

}  // namespace lgn
