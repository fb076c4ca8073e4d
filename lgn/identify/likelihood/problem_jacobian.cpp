#include <algorithm>

#include "lgn/dynamics/port_hamiltonian.h"
#include "lgn/flow/modal_flow.h"
#include "lgn/identify/likelihood/gram_internal.h"
#include "lgn/identify/likelihood/problem.h"

namespace lgn {
namespace {

/// Bytes that the derivatives of a group's runs may take at once.
constexpr double derivative_memory = 1.5e7;

/// Columns that go on with channels where they came in sample by sample.
Matrix by_channel(const Eigen::Ref<const Matrix>& columns, Index channels) {
  Matrix result(columns.rows(), columns.cols());
  for (Index j = 0; j < columns.cols(); ++j)
    result.col(j).reshaped(columns.rows() / channels, channels) =
        columns.col(j).reshaped(channels, columns.rows() / channels).transpose();
  return result;
}

/// The same of maps, with the weights of their samples.
Matrix weighted_maps(const Eigen::Ref<const Matrix>& weight, const Matrix& maps) {
  return by_channel(weight.reshaped().asDiagonal() * maps, weight.rows());
}

}  // namespace

Problem::Normal Problem::linearise(const Profile& profile, bool with_information) const {
  const Index l = channels(), p = structure_.parameters();
  Normal result{Matrix::Zero(p, p), Vector::Zero(p), Matrix::Zero(p, unknown_shared())};
  return_to(profile);
  for (std::size_t g = 0; g < groups_.size() && p > 0; ++g) {
    const Group& group = groups_[g];
    const Flow& flow = *profile.flows[g];
    const Matrix added = shared_outputs(profile, g);
    const Index n = structure_.dimension(), all = group.samples(), block = flow.block();
    Matrix whole;
    if (!known_initial_states_ && block == all) whole = flow.output_maps(0, all);
    const double bytes = 8.0 * static_cast<double>(block * n * p);
    const Index together =
        std::clamp<Index>(static_cast<Index>(derivative_memory / bytes), 1, group.size());
    for (Index first = 0; first < group.size(); first += together) {
      const Index count = std::min(together, group.size() - first);
      const Index alike = group.same_weights ? count : 1;
      const Matrix x0 = initial_states_of(group, first, count, profile);
      // Rows r p to r p + p − 1 belong to run r.
      Matrix overlap = Matrix::Zero(count * p, known_initial_states_ ? 0 : n), outputs;
      if (known_initial_states_) outputs = flow.outputs(x0);
      for (Index begin = 0; begin < all; begin += block) {
        const Index samples = std::min(block, all - begin);
        const Matrix part =
            known_initial_states_ || whole.size() > 0 ? Matrix() : flow.output_maps(begin, samples);
        const Matrix& maps = whole.size() > 0 ? whole : part;
        // Columns belong to samples, channel by channel.
        Matrix jacobian = flow.output_jacobian(x0, begin, samples);
        if (group.forced) jacobian += forced_jacobian(profile, g, begin, samples);
        const Matrix predicted = known_initial_states_
                                     ? Matrix(outputs.middleRows(begin * l, samples * l))
                                     : Matrix(maps * x0);
        Matrix weights(count, samples * l), residual(count, samples * l);
        for (Index r = 0; r < count; ++r) {
          const Run& run = group.run(first + r);
          const auto row = [&](Matrix& m) { return m.row(r).reshaped(samples, l); };
          const auto weight = run.weight.middleCols(begin, samples);
          row(weights) = weight.transpose();
          Matrix error =
              predicted.col(r).reshaped(l, samples) - run.outputs.middleCols(begin, samples);
          if (added.size() > 0) error += added.middleCols(begin, samples);
          row(residual) = error.cwiseProduct(weight).transpose();
        }
        auto rows = jacobian.reshaped(p, count * samples * l);
        rows = rows * weights.reshaped().asDiagonal();
        result.gradient.noalias() += rows * residual.reshaped();
        stop_point(2 * static_cast<double>(rows.size()));
        if (!with_information) continue;
        add_gram(result.information, rows);
        for (Index r = 0; r < count && unknown_shared() > 0; ++r) {
          const SharedColumns& columns =
              *profile.shared_columns[static_cast<std::size_t>(group.run(first + r).index)];
          result.shared_overlap.noalias() +=
              jacobian.middleRows(r * p, p) *
              by_channel(columns.samples.middleRows(begin * l, samples * l), l);
        }
        for (Index r = 0; r < count && !known_initial_states_; r += alike) {
          stop_point(0.2 * static_cast<double>(alike * p) * static_cast<double>(maps.size()));
          overlap.middleRows(r * p, alike * p).noalias() +=
              jacobian.middleRows(r * p, alike * p) *
              weighted_maps(group.run(first + r).weight.middleCols(begin, samples), maps);
        }
      }
      for (Index r = 0; r < count && overlap.size() > 0 && with_information; r += alike) {
        Matrix shared = overlap.middleRows(r * p, alike * p).transpose();
        profile.roots[static_cast<std::size_t>(group.run(first + r).index)]
            .triangularView<Eigen::Lower>()
            .solveInPlace(shared);
        for (Index s = 0; s < alike; ++s)
          result.information.selfadjointView<Eigen::Lower>().rankUpdate(
              shared.middleCols(s * p, p).transpose(), -1.0);
      }
    }
  }
  result.information = result.information.selfadjointView<Eigen::Lower>();
  if (unknown_shared() > 0 && p > 0 && with_information)
    result.information -=
        result.shared_overlap * profile.shared_covariance * result.shared_overlap.transpose();
  return result;
}

Matrix Problem::forced_outputs(const ForcedPlan& plan, const ForcedResponse& forced,
                               const Drive& drive) const {
  Matrix result = forced.outputs(drive.b).reshaped(channels(), plan.inputs().cols());
  if (drive.d.size() > 0) result.noalias() += drive.d * plan.inputs();
  return result;
}

Drive Problem::ports_drive(const Vector& theta) const {
  if (ports_ == nullptr) return {};
  SquareSystem system = ports_->system(theta);
  return {timing_, std::move(system.b), std::move(system.d)};
}

Matrix Problem::forced_jacobian(const Profile& profile, std::size_t group, Index first,
                                Index count) const {
  const ForcedResponse& forced = *profile.forced[group];
  Matrix result = forced.output_jacobian(profile.drive.b, first, count);
  if (ports_ == nullptr) return result;
  const Matrix maps = forced.output_maps(first, count);
  const auto inputs = groups_[group].forced->inputs().middleCols(first, count);
  for (Index q = 0; q < profile.theta.size(); ++q) {
    const SquareSystem change =
        ports_->system_change(profile.theta, Vector::Unit(profile.theta.size(), q));
    Matrix outputs = (maps * change.b.reshaped()).reshaped(channels(), count);
    if (change.d.size() > 0) outputs += change.d * inputs;
    result.row(q) += outputs.transpose().reshaped().transpose();
  }
  return result;
}

Vector Problem::gradient(const std::shared_ptr<const Profile>& profile) const {
  if (inputs_ > 0) return linearise(*profile, false).gradient;
  if (structure_.modal() != nullptr) {
    Vector result = Vector::Zero(structure_.parameters());
    const std::vector<Matrix> left = residuals(*profile);
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (const Run& run : groups_[g].runs)
        // Plans of modal structures make no other flow.
        result -=
            static_cast<const ModalFlow&>(*profile->flows[g])
                .output_adjoint(
                    profile->initial_states.col(run.index),
                    left[static_cast<std::size_t>(run.index)].cwiseProduct(run.weight.cwiseAbs2()));
    return result;
  }
  // Flows in blocks are taken so: the adjoint wants all states at once.
  for (const auto& flow : profile->flows)
    if (flow->block() < flow->samples()) return linearise(*profile, false).gradient;
  return Curvature(*this, profile).gradient();
}

Matrix Problem::projected_jacobian(const Profile& profile, const Normal& normal, Index run) const {
  const std::size_t g = places_[static_cast<std::size_t>(run)].first;
  const Flow& flow = *profile.flows[g];
  const Run& samples = find(run);
  const Index all = samples.weight.cols(), block = flow.block(), l = channels();
  // Samples stand channel by channel, whatever the blocks.
  const auto gather = [&](Index rows, auto part_of) {
    Matrix result(rows, all * l);
    for (Index begin = 0; begin < all; begin += block) {
      const Index count = std::min(block, all - begin);
      const Matrix part = part_of(begin, count);
      for (Index c = 0; c < l; ++c)
        result.middleCols(c * all + begin, count) = part.middleCols(c * count, count);
    }
    return result;
  };
  const Matrix x0 = profile.initial_states.col(run);
  Matrix jacobian = gather(profile.theta.size(), [&](Index begin, Index count) {
    Matrix part = flow.output_jacobian(x0, begin, count);
    if (inputs_ > 0) part += forced_jacobian(profile, g, begin, count);
    return part;
  });
  const Matrix weight = samples.weight.transpose();
  jacobian = jacobian * weight.reshaped().asDiagonal();
  if (!known_initial_states_) {
    const Matrix maps = gather(structure_.dimension(), [&](Index begin, Index count) -> Matrix {
      return weighted_maps(samples.weight.middleCols(begin, count), flow.output_maps(begin, count))
          .transpose();
    });
    Matrix answer = maps * jacobian.transpose();
    const auto root =
        profile.roots[static_cast<std::size_t>(run)].template triangularView<Eigen::Lower>();
    root.solveInPlace(answer);
    root.transpose().solveInPlace(answer);
    jacobian.noalias() -= answer.transpose() * maps;
  }
  if (unknown_shared() > 0)
    jacobian.noalias() -=
        normal.shared_overlap * profile.shared_covariance *
        by_channel(profile.shared_columns[static_cast<std::size_t>(run)]->samples, channels())
            .transpose();
  return jacobian;
}

}  // namespace lgn
