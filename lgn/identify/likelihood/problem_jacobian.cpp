#include <algorithm>

#include "lgn/identify/likelihood/gram_internal.h"
#include "lgn/identify/likelihood/problem.h"

namespace lgn {
namespace {

/// Bytes that the derivatives of a group's runs may take at once.
constexpr double derivative_memory = 1.5e7;

/// Columns that go on with channels where they came in sample by sample.
Matrix by_channel(const Matrix& columns, Index channels) {
  Matrix result(columns.rows(), columns.cols());
  for (Index j = 0; j < columns.cols(); ++j)
    result.col(j).reshaped(columns.rows() / channels, channels) =
        columns.col(j).reshaped(channels, columns.rows() / channels).transpose();
  return result;
}

/// The same of maps, with the weights of their samples.
Matrix weighted_maps(const Matrix& weight, const Matrix& maps) {
  return by_channel(weight.reshaped().asDiagonal() * maps, weight.rows());
}

}  // namespace

Problem::Normal Problem::linearise(const Profile& profile) const {
  const Index l = channels(), p = structure_.parameters();
  Normal result{Matrix::Zero(p, p), Vector::Zero(p), Matrix::Zero(p, unknown_offsets())};
  for (std::size_t g = 0; g < groups_.size() && p > 0; ++g) {
    const Group& group = groups_[g];
    const Flow& flow = *profile.flows[g];
    const Index samples = group.times.size();
    Matrix maps;
    if (!known_initial_states_) maps = observation_.observe(flow.maps());
    const double bytes = 8.0 * static_cast<double>(samples * structure_.dimension() * p);
    const Index together =
        std::clamp<Index>(static_cast<Index>(derivative_memory / bytes), 1, group.size());
    for (Index first = 0; first < group.size(); first += together) {
      const Index count = std::min(together, group.size() - first);
      const Matrix x0 = initial_states_of(group, first, count, profile);
      // Rows r p to r p + p − 1 belong to run r, columns to samples, channel by channel.
      Matrix jacobian = observation_.observe_jacobian(flow.jacobian(x0));
      const Matrix predicted =
          maps.size() > 0 ? Matrix(maps * x0) : observation_.observe(flow.states(x0));
      Matrix weights(count, samples * l), residual(count, samples * l);
      for (Index r = 0; r < count; ++r) {
        const Run& run = group.run(first + r);
        const auto row = [&](Matrix& m) { return m.row(r).reshaped(samples, l); };
        row(weights) = run.weight.transpose();
        Matrix error = predicted.col(r).reshaped(l, samples) - run.outputs;
        if (estimate_offset_) error.colwise() += profile.offset;
        row(residual) = error.cwiseProduct(run.weight).transpose();
      }
      auto rows = jacobian.reshaped(p, count * samples * l);
      rows = rows * weights.reshaped().asDiagonal();
      result.gradient.noalias() += rows * residual.reshaped();
      stop_point(2 * static_cast<double>(rows.size()));
      add_gram(result.information, rows);
      for (Index r = 0; r < count && estimate_offset_; ++r) {
        const OffsetColumns& columns =
            *profile.offset_columns[static_cast<std::size_t>(group.run(first + r).index)];
        result.offset_overlap.noalias() +=
            jacobian.middleRows(r * p, p) * by_channel(columns.samples, l);
      }
      if (known_initial_states_) continue;
      const Index alike = group.same_weights ? count : 1;
      for (Index r = 0; r < count; r += alike) {
        const Run& run = group.run(first + r);
        stop_point(0.2 * static_cast<double>(alike * p) * static_cast<double>(maps.size()));
        const Matrix overlap =
            jacobian.middleRows(r * p, alike * p) * weighted_maps(run.weight, maps);
        Matrix shared = overlap.transpose();
        profile.roots[static_cast<std::size_t>(run.index)]
            .triangularView<Eigen::Lower>()
            .solveInPlace(shared);
        for (Index s = 0; s < alike; ++s)
          result.information.selfadjointView<Eigen::Lower>().rankUpdate(
              shared.middleCols(s * p, p).transpose(), -1.0);
      }
    }
  }
  result.information = result.information.selfadjointView<Eigen::Lower>();
  if (estimate_offset_ && p > 0)
    result.information -=
        result.offset_overlap * profile.offset_covariance * result.offset_overlap.transpose();
  return result;
}

Matrix Problem::projected_jacobian(const Profile& profile, const Normal& normal, Index run) const {
  const std::size_t g = places_[static_cast<std::size_t>(run)].first;
  const Flow& flow = *profile.flows[g];
  const Run& samples = find(run);
  Matrix jacobian = observation_.observe_jacobian(flow.jacobian(profile.initial_states.col(run)));
  const Matrix weight = samples.weight.transpose();
  jacobian = jacobian * weight.reshaped().asDiagonal();
  if (!known_initial_states_) {
    const Matrix maps = weighted_maps(samples.weight, observation_.observe(flow.maps()));
    Matrix answer = (jacobian * maps).transpose();
    const auto root =
        profile.roots[static_cast<std::size_t>(run)].template triangularView<Eigen::Lower>();
    root.solveInPlace(answer);
    root.transpose().solveInPlace(answer);
    jacobian.noalias() -= answer.transpose() * maps.transpose();
  }
  if (estimate_offset_)
    jacobian.noalias() -=
        normal.offset_overlap * profile.offset_covariance *
        by_channel(profile.offset_columns[static_cast<std::size_t>(run)]->samples, channels())
            .transpose();
  return jacobian;
}

}  // namespace lgn
