#include "lgn/flow/sampled_flow.h"
#include "lgn/identify/likelihood/likelihood.h"

namespace lgn {

/// Runs with the same times: their flow, states and weights, one column per run.
struct Likelihood::Curvature::Part {
  const Group& group;
  const Matrix& maps;
  std::unique_ptr<SampledFlow> flow;
  Matrix states, weights, starts;
};

Likelihood::Curvature::Curvature(const Likelihood& likelihood, const Matrix& a, Profile profile)
    : likelihood_(likelihood),
      profile_(std::move(profile)),
      gradient_(Matrix::Zero(a.rows(), a.rows())),
      second_moment_(Matrix::Zero(a.rows(), a.rows())) {
  const Index n = a.rows();
  for (std::size_t g = 0; g < likelihood.groups_.size(); ++g) {
    const Group& group = likelihood.groups_[g];
    const auto members = static_cast<Index>(group.runs.size());
    Part part{group, profile_.maps[g],  std::make_unique<SampledFlow>(a, group.steps), {},
              {},    Matrix(n, members)};
    const Index rows = group.times.size() * n;
    part.weights.resize(rows, members);
    Matrix target(rows, members);
    for (Index r = 0; r < members; ++r) {
      const Run& run = group.runs[static_cast<std::size_t>(r)];
      part.starts.col(r) = profile_.starts.col(run.index);
      part.weights.col(r) = run.weight.reshaped();
      target.col(r) = run.states.reshaped();
    }
    part.states.noalias() = part.maps * part.starts;
    const Matrix residual = part.weights.cwiseProduct(part.states - target);
    gradient_ += pulled(part, residual);
    const auto samples = part.states.reshaped(n, part.states.size() / n);
    second_moment_.noalias() += samples * samples.transpose();
    parts_.push_back(std::move(part));
  }
}

Likelihood::Curvature::~Curvature() = default;

Matrix Likelihood::Curvature::pulled(const Part& part, const Matrix& pull) const {
  return part.flow->adjoint(part.states, part.weights.cwiseProduct(pull)).generator;
}

Matrix Likelihood::Curvature::product(const Matrix& e) const {
  Matrix result = Matrix::Zero(e.rows(), e.cols());
  for (const Part& part : parts_) {
    const auto moved = part.flow->derivatives(e, part.starts);
    Matrix pull(part.states.rows(), part.states.cols());
    for (Index r = 0; r < pull.cols(); ++r)
      pull.col(r) = part.weights.col(r).cwiseProduct(moved[static_cast<std::size_t>(r)].col(0));
    if (!likelihood_.known_starts_) {
      Matrix starts = part.flow->adjoint_starts(part.weights.cwiseProduct(pull));
      for (Index r = 0; r < pull.cols(); ++r) {
        const auto root = profile_.start_roots[static_cast<std::size_t>(part.group.run(r).index)]
                              .template triangularView<Eigen::Lower>();
        root.solveInPlace(starts.col(r));
        root.transpose().solveInPlace(starts.col(r));
      }
      pull -= part.weights.cwiseProduct(part.flow->states(starts));
    }
    result += pulled(part, pull);
  }
  return result;
}

}  // namespace lgn
