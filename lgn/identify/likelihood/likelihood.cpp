#include "lgn/identify/likelihood/likelihood.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/flow/sampled_flow.h"

namespace lgn {
namespace {

/// Bytes that the derivatives of a group's runs may take at once.
constexpr double derivative_memory = 2e8;

/// Times that agree to the rounding of what they were computed from.
bool same_times(const Vector& a, const Vector& b, double rounding) {
  return a.size() == b.size() && (a - b).cwiseAbs().maxCoeff() <= rounding;
}

Matrix weighted_rows(const Matrix& weight, const Matrix& rows) {
  return weight.reshaped().asDiagonal() * rows;
}

/// The same for columns that go on with channels where they came in sample by sample.
Matrix weighted_by_channel(const Matrix& weight, const Matrix& columns) {
  Matrix result(columns.rows(), columns.cols());
  for (Index j = 0; j < columns.cols(); ++j)
    result.col(j).reshaped(weight.cols(), weight.rows()) =
        weight.cwiseProduct(columns.col(j).reshaped(weight.rows(), weight.cols())).transpose();
  return result;
}

/// The Cholesky factor of JᵀJ, made definite where the samples leave a direction open.
Matrix start_root(const Matrix& maps) {
  Matrix gram = Matrix::Zero(maps.cols(), maps.cols());
  gram.selfadjointView<Eigen::Lower>().rankUpdate(maps.transpose());
  gram.diagonal().array() += 1e-15 * gram.diagonal().maxCoeff() + 1e-300;
  return gram.selfadjointView<Eigen::Lower>().llt().matrixL();
}

}  // namespace

Likelihood::Likelihood(const Dataset& data, const Vector& noise,
                       const std::optional<Matrix>& starts, Clock clock)
    : dimension_(data.dimension()),
      runs_(static_cast<Index>(data.runs().size())),
      values_(data.present()),
      known_starts_(starts) {
  for (Index r = 0; r < runs_; ++r) {
    const auto& run = data.runs()[static_cast<std::size_t>(r)];
    const double zero = clock == Clock::absolute ? 0.0 : run.times()[0];
    const Vector times = run.times().array() - zero;
    const double rounding = 8e-16 * run.times().cwiseAbs().maxCoeff();
    auto group = groups_.begin();
    while (group != groups_.end() && !same_times(group->times, times, rounding)) ++group;
    if (group == groups_.end()) {
      TimeSteps steps = find_steps(run.times());
      group = groups_.insert(group, Group{times, std::move(steps), {}, false});
    }
    const auto missing = run.states().array().isNaN();
    group->runs.push_back({r,
                           missing.select(0.0, run.states()),
                           missing.select(0.0, Matrix::Ones(dimension_, run.samples())),
                           {}});
  }
  weigh(noise);
}

const Likelihood::Run& Likelihood::find(Index run) const {
  for (const auto& group : groups_)
    for (const auto& member : group.runs)
      if (member.index == run) return member;
  throw Error("there is no such run");
}

void Likelihood::weigh(const Vector& noise, const std::vector<Matrix>& factors) {
  if (noise.size() != dimension_ || !(noise.array() > 0).all())
    throw Error("the likelihood needs one positive noise level per channel");
  for (auto& group : groups_) {
    group.same_weights = true;
    for (auto& run : group.runs) {
      run.weight = noise.cwiseInverse().asDiagonal() * run.present;
      if (!factors.empty())
        run.weight.array() *= factors[static_cast<std::size_t>(run.index)].array().sqrt();
      group.same_weights = group.same_weights && run.weight == group.runs.front().weight;
    }
  }
}

double Likelihood::power() const {
  double sum = 0;
  for (const auto& group : groups_)
    for (const auto& run : group.runs) sum += run.weight.cwiseProduct(run.states).squaredNorm();
  return sum;
}

Likelihood::Profile Likelihood::profile(const Matrix& a) const {
  return profile([&](std::size_t g) { return SampledFlow(a, groups_[g].steps).maps(); });
}

Likelihood::Profile Likelihood::profile(const Maps& maps_of) const {
  Profile result;
  result.starts = known_starts_ ? *known_starts_ : Matrix::Zero(dimension_, runs_);
  result.start_roots.resize(static_cast<std::size_t>(runs_));
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    const Matrix& maps = result.maps.emplace_back(maps_of(g));
    const auto members = static_cast<Index>(group.runs.size());
    const Index together = group.same_weights ? members : 1;
    for (Index first = 0; first < members; first += together) {
      const Matrix& weight = group.run(first).weight;
      const Matrix weighted_maps = weighted_rows(weight, maps);
      Matrix target(maps.rows(), together), starts(dimension_, together);
      for (Index r = 0; r < together; ++r) {
        const Run& run = group.run(first + r);
        target.col(r).reshaped(weight.rows(), weight.cols()) = weight.cwiseProduct(run.states);
        if (known_starts_) starts.col(r) = known_starts_->col(run.index);
      }
      if (!known_starts_) {
        const Matrix root = start_root(weighted_maps);
        starts.noalias() = weighted_maps.transpose() * target;
        root.triangularView<Eigen::Lower>().solveInPlace(starts);
        root.transpose().triangularView<Eigen::Upper>().solveInPlace(starts);
        for (Index r = 0; r < together; ++r) {
          const Index run = group.run(first + r).index;
          result.starts.col(run) = starts.col(r);
          result.start_roots[static_cast<std::size_t>(run)] = root;
        }
      }
      target.noalias() -= weighted_maps * starts;
      result.cost += target.squaredNorm();
    }
  }
  return result;
}

Likelihood::Normal Likelihood::normal(const Matrix& a, const Matrix& directions,
                                      const Profile& profile) const {
  return normal(
      [&](std::size_t g, const Matrix& starts) {
        return SampledFlow(a, groups_[g].steps).transposed_derivatives(directions, starts);
      },
      directions.rows() / dimension_, profile);
}

Likelihood::Normal Likelihood::normal(const Derivatives& derivatives, Index p,
                                      const Profile& profile) const {
  const Index n = dimension_;
  Normal result{Matrix::Zero(p, p), Vector::Zero(p)};
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    const Index samples = group.times.size();
    const auto members = static_cast<Index>(group.runs.size());
    const double bytes = 8.0 * static_cast<double>(samples * n * p);
    const Index together =
        std::clamp<Index>(static_cast<Index>(derivative_memory / bytes), 1, members);
    for (Index first = 0; first < members; first += together) {
      const Index count = std::min(together, members - first);
      Matrix starts(n, count);
      for (Index r = 0; r < count; ++r)
        starts.col(r) = profile.starts.col(group.run(first + r).index);
      // Rows r p to r p + p − 1 belong to run r, columns to samples, channel by channel.
      Matrix jacobian = derivatives(g, starts);
      const Matrix predicted = profile.maps[g] * starts;
      Matrix weights(count, samples * n), residual(count, samples * n);
      for (Index r = 0; r < count; ++r) {
        const Run& run = group.run(first + r);
        const auto row = [&](Matrix& m) { return m.row(r).reshaped(samples, n); };
        row(weights) = run.weight.transpose();
        row(residual) = (predicted.col(r).reshaped(n, samples) - run.states)
                            .cwiseProduct(run.weight)
                            .transpose();
      }
      auto rows = jacobian.reshaped(p, count * samples * n);
      rows = rows * weights.reshaped().asDiagonal();
      result.gradient.noalias() += rows * residual.reshaped();
      result.information.selfadjointView<Eigen::Lower>().rankUpdate(rows);
      if (known_starts_) continue;
      const Index alike = group.same_weights ? count : 1;
      for (Index r = 0; r < count; r += alike) {
        const Run& run = group.run(first + r);
        const Matrix overlap = jacobian.middleRows(r * p, alike * p) *
                               weighted_by_channel(run.weight, profile.maps[g]);
        Matrix shared = overlap.transpose();
        profile.start_roots[static_cast<std::size_t>(run.index)]
            .triangularView<Eigen::Lower>()
            .solveInPlace(shared);
        for (Index s = 0; s < alike; ++s)
          result.information.selfadjointView<Eigen::Lower>().rankUpdate(
              shared.middleCols(s * p, p).transpose(), -1.0);
      }
    }
  }
  result.information = result.information.selfadjointView<Eigen::Lower>();
  return result;
}

std::vector<Matrix> Likelihood::residuals(const Profile& profile) const {
  std::vector<Matrix> result(static_cast<std::size_t>(runs_));
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (const auto& run : groups_[g].runs) {
      const Vector predicted = profile.maps[g] * profile.starts.col(run.index);
      result[static_cast<std::size_t>(run.index)] =
          (run.states - predicted.reshaped(run.states.rows(), run.states.cols()))
              .cwiseProduct(run.present);
    }
  return result;
}

}  // namespace lgn
