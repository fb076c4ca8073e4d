#include <algorithm>

#include "lgn/core/stop.h"
#include "lgn/identify/likelihood/gram_internal.h"
#include "lgn/identify/likelihood/problem.h"

namespace lgn {
namespace {

/// Numbers in the maps that are in memory at once where they need not all be.
constexpr Index map_numbers = 4'000'000;

Matrix gram_of(const Matrix& weighted_maps) {
  Matrix gram = Matrix::Zero(weighted_maps.cols(), weighted_maps.cols());
  add_gram(gram, weighted_maps.transpose());
  return gram;
}

}  // namespace

Matrix Problem::initial_states(const Vector& theta) const {
  if (known_initial_states_) return *known_initial_states_;
  const Index n = structure_.dimension(), l = channels();
  const Observation observation = structure_.observation(theta);
  Matrix result(n, runs_);
  for (const Group& group : groups_) {
    std::vector<Matrix> grams(group.runs.size(), Matrix::Zero(n, n));
    Matrix right = Matrix::Zero(n, group.size()), reached = Matrix::Identity(n, n);
    // Maps of so many samples are in memory at once; a part begins with the last sample of the one before.
    const Index samples = group.times.size(), part = std::max<Index>(2, map_numbers / (n * n));
    for (Index begin = 0; begin + 1 < samples || begin == 0;) {
      const Index count = std::min(part, samples - begin), known = begin > 0 ? 1 : 0;
      const Matrix maps = plan_flow(structure_, group.times.segment(begin, count), theta, magnus_)
                              ->at(theta)
                              ->maps() *
                          reached;
      const Matrix seen = observation.observe(maps.bottomRows((count - known) * n));
      for (std::size_t r = 0; r < group.runs.size(); ++r) {
        const Run& run = group.runs[r];
        stop_point(static_cast<double>(seen.size()));
        const auto weight = run.weight.middleCols(begin + known, count - known);
        const Matrix weighted = weight.reshaped().asDiagonal() * seen;
        grams[r] += gram_of(weighted);
        right.col(static_cast<Index>(r)) +=
            weighted.transpose() *
            weight.cwiseProduct(run.outputs.middleCols(begin + known, count - known))
                .reshaped(l * (count - known), 1);
      }
      reached = maps.bottomRows(n);
      begin += count - 1;
      if (count == samples) break;
    }
    for (std::size_t r = 0; r < group.runs.size(); ++r) {
      // Relative to the best-seen direction, one below the squared rounding unit of the data is not
      // seen at all.
      const Vector unit = grams[r].diagonal().cwiseSqrt().cwiseMax(1e-150).cwiseInverse();
      const Matrix balanced =
          unit.asDiagonal() * Matrix(grams[r].selfadjointView<Eigen::Lower>()) * unit.asDiagonal();
      const Eigen::SelfAdjointEigenSolver<Matrix> eigen(balanced);
      const Vector& strength = eigen.eigenvalues();
      const double least = 1e-14 * strength.maxCoeff();
      const Vector inverse = (strength.array() > least).select(strength.cwiseInverse(), 0.0);
      const Vector turned =
          eigen.eigenvectors().transpose() * unit.cwiseProduct(right.col(static_cast<Index>(r)));
      result.col(group.runs[r].index) =
          unit.asDiagonal() * (eigen.eigenvectors() * inverse.cwiseProduct(turned));
    }
  }
  return result;
}

std::vector<Matrix> Problem::residuals(const Profile& profile) const {
  std::vector<Matrix> result(static_cast<std::size_t>(runs_));
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    if (group.step > 0) {
      for (const Run& run : group.runs)
        result[static_cast<std::size_t>(run.index)] = sample_residuals(run, profile);
      continue;
    }
    const Matrix predicted =
        profile.flows[g]->outputs(initial_states_of(group, 0, group.size(), profile));
    const Matrix shared = shared_outputs(profile, g);
    for (Index r = 0; r < group.size(); ++r) {
      const Run& run = group.run(r);
      Matrix left = run.outputs - predicted.col(r).reshaped(run.outputs.rows(), run.outputs.cols());
      if (shared.size() > 0) left -= shared;
      result[static_cast<std::size_t>(run.index)] = left.cwiseProduct(run.present);
    }
  }
  return result;
}

Matrix measured_initial_states(const Dataset& data) {
  Matrix x0 = Matrix::Zero(data.dimension(), static_cast<Index>(data.runs().size()));
  for (Index r = 0; r < x0.cols(); ++r) {
    const auto& states = data.runs()[static_cast<std::size_t>(r)].states();
    for (Index c = 0; c < x0.rows(); ++c)
      for (Index k = states.cols() - 1; k >= 0; --k)
        if (!Trajectory::missing(states(c, k))) x0(c, r) = states(c, k);
  }
  return x0;
}

std::vector<Matrix> Problem::weighted_residuals(const Profile& profile) const {
  std::vector<Matrix> result = residuals(profile);
  for (const Group& group : groups_)
    for (const Run& run : group.runs) {
      Matrix& left = result[static_cast<std::size_t>(run.index)];
      if (group.step > 0)
        left.array().colwise() *= channel_weights_.array().sqrt();
      else
        left.array() *= run.weight.array();
    }
  return result;
}

Problem::Squares Problem::squares(const Profile& profile) const {
  return_to(profile);
  Squares result{Vector::Zero(channels()), Vector::Zero(channels())};
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    if (group.step > 0) result.sum += group.left;
    const Matrix predicted =
        profile.flows[g]->outputs(initial_states_of(group, 0, group.size(), profile));
    const Matrix shared = shared_outputs(profile, g);
    for (Index r = 0; r < group.size(); ++r) {
      const Run& run = group.run(r);
      Matrix left = run.outputs - predicted.col(r).reshaped(run.outputs.rows(), run.outputs.cols());
      if (shared.size() > 0) left -= shared;
      result.sum += left.cwiseProduct(run.present).rowwise().squaredNorm();
      if (group.step > 0)
        result.count.array() +=
            static_cast<double>(data_->runs()[static_cast<std::size_t>(run.index)].samples());
      else
        result.count += run.present.rowwise().sum();
    }
  }
  return result;
}

}  // namespace lgn
