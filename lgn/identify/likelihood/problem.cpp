#include "lgn/identify/likelihood/problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/data/run_groups.h"
#include "lgn/identify/likelihood/gram_internal.h"

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

Problem::Problem(const Dataset& data, const Structure& structure, const Vector& noise,
                 ProblemOptions options)
    : structure_(structure),
      observation_(options.observation.value_or(Observation::of_states(structure.dimension()))),
      runs_(static_cast<Index>(data.runs().size())),
      values_(data.present()),
      known_initial_states_(std::move(options.initial_states)),
      known_offset_(options.offset.size() > 0 ? std::move(options.offset)
                                              : Vector::Zero(data.dimension())),
      estimate_offset_(options.estimate_offset),
      magnus_(options.magnus) {
  if (observation_.outputs() != data.dimension() || observation_.states() != structure.dimension())
    throw Error("the structure and the data have different numbers of states");
  if (known_offset_.size() != data.dimension())
    throw Error("there must be one offset for each channel");
  // What channels show at the beginning is the state and the offset.
  if (known_initial_states_ && observation_.identity())
    known_initial_states_->colwise() -= known_offset_;
  places_.resize(static_cast<std::size_t>(runs_));
  for (auto& [times, members] : group_runs(data, !structure.autonomous())) {
    // Differences of the times as they were written round less.
    const Vector& clock = data.runs()[static_cast<std::size_t>(members.front())].times();
    plans_.push_back(structure.autonomous() ? std::shared_ptr(plan_flow(structure, clock, {}))
                                            : nullptr);
    Group& group = groups_.emplace_back(Group{std::move(times), {}, false});
    for (const Index r : members) {
      places_[static_cast<std::size_t>(r)] = {groups_.size() - 1, group.runs.size()};
      const Matrix& outputs = data.runs()[static_cast<std::size_t>(r)].states();
      const auto missing = outputs.array().isNaN();
      group.runs.push_back({r,
                            missing.select(0.0, outputs.colwise() - known_offset_),
                            missing.select(0.0, Matrix::Ones(channels(), outputs.cols())),
                            {}});
    }
  }
  weigh(noise);
}

double Problem::degrees_of_freedom() const {
  return static_cast<double>(values_ - structure_.parameters() - unknown_initial_states() -
                             unknown_offsets());
}

void Problem::weigh(const Vector& noise, const std::vector<Matrix>& factors) {
  if (noise.size() != channels() || !(noise.array() > 0).all())
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

void Problem::replace_samples(const std::vector<Matrix>& outputs) {
  for (auto& group : groups_)
    for (auto& run : group.runs)
      run.outputs =
          (run.present.array() > 0)
              .select(outputs[static_cast<std::size_t>(run.index)].colwise() - known_offset_, 0.0);
}

double Problem::power() const {
  double sum = 0;
  for (const auto& group : groups_)
    for (const auto& run : group.runs) sum += run.weight.cwiseProduct(run.outputs).squaredNorm();
  return sum;
}

bool Problem::plan(const Vector& theta, const MagnusOptions& magnus) {
  if (structure_.autonomous()) return false;
  magnus_ = magnus;
  bool changed = false;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    std::shared_ptr next = plan_flow(structure_, groups_[g].times, theta, magnus);
    if (plans_[g] && *plans_[g]->grid() == *next->grid()) continue;
    changed = true;
    plans_[g] = std::move(next);
  }
  return changed;
}

const std::shared_ptr<const FlowPlan>& Problem::plan_of(std::size_t group,
                                                        const Vector& theta) const {
  if (!plans_[group]) plans_[group] = plan_flow(structure_, groups_[group].times, theta, magnus_);
  return plans_[group];
}

Problem::Elimination Problem::eliminate(const Group& group, Index first, Index count,
                                        Matrix maps) const {
  const Matrix& weight = group.run(first).weight;
  stop_point(3 * static_cast<double>(maps.size()) + 1000);
  maps = weight.reshaped().asDiagonal() * maps;
  Matrix target(maps.rows(), count);
  for (Index r = 0; r < count; ++r)
    target.col(r).reshaped(weight.rows(), weight.cols()) =
        weight.cwiseProduct(group.run(first + r).outputs);
  Elimination result{{}, Matrix(maps.cols(), count), {}, {}};
  if (known_initial_states_) {
    for (Index r = 0; r < count; ++r)
      result.initial_states.col(r) = known_initial_states_->col(group.run(first + r).index);
  } else {
    // Made definite where the samples leave a direction open, whatever the units of the states.
    Matrix gram = gram_of(maps);
    gram.diagonal().array() += 1e-15 * gram.diagonal().array() + 1e-300;
    result.root = gram.selfadjointView<Eigen::Lower>().llt().matrixL();
    result.initial_states.noalias() = maps.transpose() * target;
    result.root.triangularView<Eigen::Lower>().solveInPlace(result.initial_states);
    result.root.transpose().triangularView<Eigen::Upper>().solveInPlace(result.initial_states);
  }
  target.noalias() -= maps * result.initial_states;
  if (estimate_offset_)
    result.offset_columns =
        std::make_shared<const OffsetColumns>(offset_columns(weight, maps, result.root));
  result.residuals = std::move(target);
  return result;
}

Problem::OffsetColumns Problem::offset_columns(const Matrix& weight, const Matrix& maps,
                                               const Matrix& root) const {
  const Index l = channels(), samples = weight.cols();
  OffsetColumns result{Matrix::Zero(samples * l, l), {}};
  for (Index c = 0; c < l; ++c)
    for (Index k = 0; k < samples; ++k) result.samples(k * l + c, c) = weight(c, k);
  if (known_initial_states_) {
    // A sensor that shows the first sample shows the state there and its offset.
    result.initial_states.setZero(maps.cols(), l);
    if (observation_.identity()) result.initial_states.setIdentity();
  } else {
    result.initial_states.noalias() = maps.transpose() * result.samples;
    root.triangularView<Eigen::Lower>().solveInPlace(result.initial_states);
    root.transpose().triangularView<Eigen::Upper>().solveInPlace(result.initial_states);
  }
  result.samples.noalias() -= maps * result.initial_states;
  return result;
}

void Problem::eliminate_offset(Profile& profile, std::vector<Vector>& residuals) const {
  const Index l = channels();
  Matrix information = Matrix::Zero(l, l);
  Vector pull = Vector::Zero(l), certain = Vector::Zero(l);
  for (const Group& group : groups_)
    for (const Run& run : group.runs) {
      const Matrix& columns = profile.offset_columns[static_cast<std::size_t>(run.index)]->samples;
      information.selfadjointView<Eigen::Lower>().rankUpdate(columns.transpose());
      pull.noalias() += columns.transpose() * residuals[static_cast<std::size_t>(run.index)];
      certain += run.weight.rowwise().squaredNorm();
    }
  // Channels may have any unit. What an initial state at rest does as well is no offset.
  constexpr double unseen = 1e-10;
  const Vector scale = certain.array().max(1e-300).sqrt().inverse();
  information =
      scale.asDiagonal() * Matrix(information.selfadjointView<Eigen::Lower>()) * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(information);
  const Vector inverse =
      (eigen.eigenvalues().array() > unseen).select(eigen.eigenvalues().cwiseInverse(), 0.0);
  const Matrix directions = scale.asDiagonal() * eigen.eigenvectors();
  profile.offset_covariance = directions * inverse.asDiagonal() * directions.transpose();
  profile.offset = profile.offset_covariance * pull;
  profile.cost = 0;
  for (Index r = 0; r < runs_; ++r) {
    const OffsetColumns& columns = *profile.offset_columns[static_cast<std::size_t>(r)];
    Vector& residual = residuals[static_cast<std::size_t>(r)];
    residual.noalias() -= columns.samples * profile.offset;
    profile.cost += residual.squaredNorm();
    profile.initial_states.col(r) -= columns.initial_states * profile.offset;
  }
}

std::shared_ptr<const Problem::Profile> Problem::profile(const Vector& theta) const {
  auto result = std::make_shared<Profile>();
  result->theta = theta;
  const ConstantStructure* constant = structure_.autonomous();
  if (!theta.allFinite() || (constant != nullptr && !constant->generator(theta).allFinite())) {
    result->cost = std::numeric_limits<double>::infinity();
    return result;
  }
  result->initial_states.resize(structure_.dimension(), runs_);
  result->roots.resize(static_cast<std::size_t>(runs_));
  std::vector<Vector> residuals(estimate_offset_ ? static_cast<std::size_t>(runs_) : 0);
  result->offset_columns.resize(residuals.size());
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    const auto& plan = result->plans.emplace_back(plan_of(g, theta));
    const Flow& flow = *result->flows.emplace_back(plan->at(theta));
    Matrix maps = observation_.observe(flow.maps());
    const Index together = group.same_weights ? group.size() : 1;
    for (Index first = 0; first < group.size(); first += together) {
      const bool last = first + together >= group.size();
      Elimination found = last ? eliminate(group, first, together, std::move(maps))
                               : eliminate(group, first, together, maps);
      result->cost += found.residuals.squaredNorm();
      for (Index r = 0; r < together; ++r) {
        const Index run = group.run(first + r).index;
        result->initial_states.col(run) = found.initial_states.col(r);
        result->roots[static_cast<std::size_t>(run)] = found.root;
        if (!estimate_offset_) continue;
        result->offset_columns[static_cast<std::size_t>(run)] = found.offset_columns;
        residuals[static_cast<std::size_t>(run)] = found.residuals.col(r);
      }
    }
  }
  if (estimate_offset_) eliminate_offset(*result, residuals);
  return result;
}

Matrix Problem::initial_states_of(const Group& group, Index first, Index count,
                                  const Profile& profile) const {
  Matrix x0(structure_.dimension(), count);
  for (Index r = 0; r < count; ++r)
    x0.col(r) = profile.initial_states.col(group.run(first + r).index);
  return x0;
}

Matrix Problem::initial_states(const Vector& theta) const {
  if (known_initial_states_) return *known_initial_states_;
  const Index n = structure_.dimension(), l = channels();
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
      const Matrix seen = observation_.observe(maps.bottomRows((count - known) * n));
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
    const Matrix predicted = observation_.observe(
        profile.flows[g]->states(initial_states_of(group, 0, group.size(), profile)));
    for (Index r = 0; r < group.size(); ++r) {
      const Run& run = group.run(r);
      Matrix left = run.outputs - predicted.col(r).reshaped(run.outputs.rows(), run.outputs.cols());
      if (estimate_offset_) left.colwise() -= profile.offset;
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

}  // namespace lgn
