#include "lgn/identify/likelihood/problem.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/data/run_groups.h"
#include "lgn/identify/likelihood/gram_internal.h"

namespace lgn {
namespace {

/// The same, each run in a group of its own.
std::vector<RunGroup> one_by_one(const std::vector<RunGroup>& groups) {
  std::vector<RunGroup> result;
  for (const RunGroup& group : groups)
    for (const Index run : group.runs) result.push_back({group.times, {run}});
  return result;
}

}  // namespace

Problem::Problem(const Dataset& data, const Structure& structure, const Vector& noise,
                 ProblemOptions options)
    : structure_(structure),
      runs_(static_cast<Index>(data.runs().size())),
      values_(data.present()),
      known_initial_states_(std::move(options.initial_states)),
      known_offset_(options.offset.size() > 0 ? std::move(options.offset)
                                              : Vector::Zero(data.dimension())),
      estimate_offset_(options.estimate_offset),
      timing_(options.inputs.value_or(InputTiming{})),
      feedthrough_(options.feedthrough),
      inputs_(options.inputs ? static_cast<Index>(data.inputs().size()) : 0),
      ports_(inputs_ > 0 ? structure.ports() : nullptr),
      drive_pattern_(std::move(options.drive_pattern)),
      magnus_(options.magnus),
      data_(options.condense ? &data : nullptr) {
  if (structure.channels() != data.dimension())
    throw Error("the structure and the data have different numbers of channels");
  if (known_offset_.size() != data.dimension())
    throw Error("there must be one offset for each channel");
  if (drive_pattern_.size() == 0) drive_pattern_.setOnes(structure.dimension(), inputs_);
  // What channels show at the beginning is the state and the offset.
  if (known_initial_states_ && structure.measures_states())
    known_initial_states_->colwise() -= known_offset_;
  places_.resize(static_cast<std::size_t>(runs_));
  std::vector<RunGroup> groups = group_runs(data, !structure.autonomous());
  if (inputs_ > 0) groups = one_by_one(groups);
  for (auto& [times, members] : groups) {
    // Differences of the times as they were written round less.
    const Vector& clock = data.runs()[static_cast<std::size_t>(members.front())].times();
    if (const double step = condensable(members, clock); step > 0) {
      plans_.push_back(nullptr);
      Group& group = groups_.emplace_back();
      group.step = step;
      group.power.setZero(channels());
      for (const Index r : members) {
        places_[static_cast<std::size_t>(r)] = {groups_.size() - 1, group.runs.size()};
        group.runs.push_back({r, {}, {}, {}});
        const Matrix& outputs = data.runs()[static_cast<std::size_t>(r)].states();
        group.power += (outputs.colwise() - known_offset_).rowwise().squaredNorm();
      }
      continue;
    }
    plans_.push_back(structure.autonomous() ? std::shared_ptr(plan_flow(structure, clock, {}))
                                            : nullptr);
    Group& group = groups_.emplace_back();
    group.times = std::move(times);
    if (inputs_ > 0)
      group.forced = plan_forced(
          structure,
          input_course(clock, data.runs()[static_cast<std::size_t>(members.front())].inputs(),
                       timing_),
          magnus_);
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
                             unknown_shared() + (drive_pattern_.array() == 0).count());
}

void Problem::weigh(const Vector& noise, const std::vector<Matrix>& factors) {
  if (noise.size() != channels() || !(noise.array() > 0).all())
    throw Error("the likelihood needs one positive noise level per channel");
  channel_weights_ = noise.cwiseAbs2().cwiseInverse();
  assert(factors.empty() || !condensed());
  for (auto& group : groups_) {
    if (group.step > 0 && group.functions == nullptr) continue;
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
    for (const auto& run : group.runs)
      if (group.step == 0) sum += run.weight.cwiseProduct(run.outputs).squaredNorm();
  for (const auto& group : groups_)
    if (group.step > 0) sum += channel_weights_.dot(group.power);
  return sum;
}

bool Problem::plan(const Vector& theta, const MagnusOptions& magnus) {
  if (structure_.autonomous()) return false;
  magnus_ = magnus;
  bool changed = false;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g].forced && groups_[g].forced->plan(theta, magnus)) changed = true;
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

Matrix Problem::shared_samples(const Group& group, const Run& run,
                               const ForcedResponse* forced) const {
  const Matrix& weight = run.weight;
  const Index l = channels(), samples = weight.cols();
  Matrix result = Matrix::Zero(samples * l, unknown_shared());
  for (Index c = 0; c < offsets(); ++c)
    for (Index k = 0; k < samples; ++k)
      result(k * l + c, c) = weight(c, k) * (group.ones.size() > 0 ? group.ones[k] : 1.0);
  if (forced == nullptr || ports_ != nullptr) return result;
  const Index entries = structure_.dimension() * inputs_;
  result.middleCols(offsets(), entries) =
      weight.reshaped().asDiagonal() * forced->output_maps(0, samples) *
      drive_pattern_.reshaped().asDiagonal();  // what does nothing is estimated as zero
  for (Index j = 0; j < inputs_; ++j)
    for (Index c = 0; c < fed(); ++c)
      for (Index k = 0; k < samples; ++k)
        result(k * l + c, offsets() + entries + j * l + c) =
            weight(c, k) * group.forced->inputs()(j, k);
  return result;
}

Problem::Elimination Problem::eliminate(const Group& group, Index first, Index count,
                                        const Flow& flow, const ForcedResponse* forced,
                                        const Drive& known, Matrix whole) const {
  const Matrix& weight = group.run(first).weight;
  const Index n = structure_.dimension(), l = channels(), samples = weight.cols();
  Matrix target(samples * l, count);
  for (Index r = 0; r < count; ++r)
    target.col(r).reshaped(l, samples) = weight.cwiseProduct(group.run(first + r).outputs);
  if (known.active())
    target.colwise() -=
        weight.cwiseProduct(forced_outputs(*group.forced, *forced, known)).reshaped();
  const Index unknowns = unknown_shared();
  SharedColumns shared{
      shared_samples(group, group.run(first), forced), Matrix::Zero(n, unknowns), {}};
  shared.sizes = shared.samples.colwise().squaredNorm();
  // A block at a time; where there is one, its maps are kept for the second pass.
  const Index block = flow.block();
  Matrix kept;
  const auto weighted = [&](Index begin, Index many) {
    Matrix maps = whole.size() > 0 ? std::move(whole) : flow.output_maps(begin, many);
    stop_point(3 * static_cast<double>(maps.size()) + 1000);
    maps = weight.middleCols(begin, many).reshaped().asDiagonal() * maps;
    return maps;
  };
  Elimination result{{}, Matrix(n, count), {}, {}};
  if (known_initial_states_) {
    for (Index r = 0; r < count; ++r)
      result.initial_states.col(r) = known_initial_states_->col(group.run(first + r).index);
    // A sensor that shows the first sample shows the state there and its offset.
    if (structure_.measures_states()) shared.initial_states.leftCols(offsets()).setIdentity();
  } else {
    Matrix gram = Matrix::Zero(n, n);
    result.initial_states.setZero();
    for (Index begin = 0; begin < samples; begin += block) {
      const Index many = std::min(block, samples - begin);
      Matrix maps = weighted(begin, many);
      add_gram(gram, maps.transpose());
      result.initial_states.noalias() += maps.transpose() * target.middleRows(begin * l, many * l);
      if (unknowns > 0)
        shared.initial_states.noalias() +=
            maps.transpose() * shared.samples.middleRows(begin * l, many * l);
      if (many == samples) kept = std::move(maps);
    }
    // Made definite where the samples leave a direction open, whatever the units of the states.
    gram.diagonal().array() += 1e-15 * gram.diagonal().array() + 1e-300;
    result.root = gram.selfadjointView<Eigen::Lower>().llt().matrixL();
    for (Matrix* solved : {&result.initial_states, &shared.initial_states}) {
      if (solved->cols() == 0) continue;
      result.root.triangularView<Eigen::Lower>().solveInPlace(*solved);
      result.root.transpose().triangularView<Eigen::Upper>().solveInPlace(*solved);
    }
  }
  if (kept.size() == 0 && structure_.modal() != nullptr) {
    const auto all = weight.reshaped().asDiagonal();
    target.noalias() -= all * flow.outputs(result.initial_states);
    if (unknowns > 0) shared.samples.noalias() -= all * flow.outputs(shared.initial_states);
  } else {
    for (Index begin = 0; begin < samples; begin += block) {
      const Index many = std::min(block, samples - begin);
      const Matrix maps = kept.size() > 0 ? std::move(kept) : weighted(begin, many);
      target.middleRows(begin * l, many * l).noalias() -= maps * result.initial_states;
      if (unknowns > 0)
        shared.samples.middleRows(begin * l, many * l).noalias() -= maps * shared.initial_states;
    }
  }
  if (unknowns > 0)
    result.shared_columns = std::make_shared<const SharedColumns>(std::move(shared));
  result.residuals = std::move(target);
  return result;
}

void Problem::take_shared(Profile& profile, const Vector& shared) const {
  const Index n = structure_.dimension();
  profile.offset = shared.head(offsets());
  if (ports_ != nullptr) return;
  profile.drive = {timing_, shared.segment(offsets(), n * inputs_).reshaped(n, inputs_), {}};
  profile.drive.b.array() *= drive_pattern_.array();
  if (feedthrough_ && inputs_ > 0)
    profile.drive.d = shared.tail(channels() * inputs_).reshaped(channels(), inputs_);
}

namespace {

/// The inverse of a semidefinite H in the directions whose eigenvalues are above `unseen`, zero in the others: by a Cholesky
/// factor, a tenth of the work, where H is far from having others.
Matrix inverse_of_seen(const Matrix& h, double unseen) {
  constexpr double far = 1e3;
  const Eigen::LLT<Matrix> root(h);
  if (root.info() == Eigen::Success && root.rcond() > far * unseen)
    return root.solve(Matrix::Identity(h.rows(), h.cols()));
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(h);
  const Vector inverse =
      (eigen.eigenvalues().array() > unseen).select(eigen.eigenvalues().cwiseInverse(), 0.0);
  return eigen.eigenvectors() * inverse.asDiagonal() * eigen.eigenvectors().transpose();
}

}  // namespace

void Problem::eliminate_shared(Profile& profile, std::vector<Vector>& residuals) const {
  const Index unknowns = unknown_shared();
  Matrix information = Matrix::Zero(unknowns, unknowns);
  Vector sizes = Vector::Zero(unknowns);
  for (const auto& columns : profile.shared_columns) {
    stop_point(0.2 * static_cast<double>(columns->samples.size()) * static_cast<double>(unknowns));
    information.selfadjointView<Eigen::Lower>().rankUpdate(columns->samples.transpose());
    sizes += columns->sizes;
  }
  // Unknowns may have any unit. What an initial state, or others of them, do as well is not seen.
  constexpr double unseen = 1e-10;
  const Vector scale = (sizes.array() > 0).select(sizes.array().rsqrt(), 0.0);
  information =
      scale.asDiagonal() * Matrix(information.selfadjointView<Eigen::Lower>()) * scale.asDiagonal();
  profile.shared_covariance =
      scale.asDiagonal() * inverse_of_seen(information, unseen) * scale.asDiagonal();
  // A second pass takes what rounding of the normal equations has left.
  Vector shared = Vector::Zero(unknowns);
  for (int pass = 0; pass < 2; ++pass) {
    Vector pull = Vector::Zero(unknowns);
    for (std::size_t r = 0; r < residuals.size(); ++r)
      pull.noalias() += profile.shared_columns[r]->samples.transpose() * residuals[r];
    const Vector change = profile.shared_covariance * pull;
    shared += change;
    for (std::size_t r = 0; r < residuals.size(); ++r)
      residuals[r].noalias() -= profile.shared_columns[r]->samples * change;
  }
  profile.cost = 0;
  for (std::size_t r = 0; r < residuals.size(); ++r) {
    profile.cost += residuals[r].squaredNorm();
    profile.initial_states.col(static_cast<Index>(r)) -=
        profile.shared_columns[r]->initial_states * shared;
  }
  take_shared(profile, shared);
}

Matrix Problem::shared_outputs(const Profile& profile, std::size_t group) const {
  const Index l = channels(), samples = groups_[group].samples();
  if (unknown_shared() == 0 && inputs_ == 0) return {};
  Matrix result = Matrix::Zero(l, samples);
  const Vector& ones = groups_[group].ones;
  if (estimate_offset_ && ones.size() > 0)
    result += profile.offset * ones.transpose();
  else if (estimate_offset_)
    result.colwise() += profile.offset;
  if (inputs_ > 0)
    result += forced_outputs(*groups_[group].forced, *profile.forced[group], profile.drive);
  return result;
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
  const bool share = unknown_shared() > 0;
  std::vector<Vector> residuals(share ? static_cast<std::size_t>(runs_) : 0);
  result->shared_columns.resize(residuals.size());
  result->drive = ports_drive(theta);
  double left = 0;  ///< of what the functions of condensed runs leave
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    if (group.step > 0) {
      result->plans.emplace_back();
      result->flows.push_back(condensed_flow(group, theta));
      left += channel_weights_.dot(group.left);
    } else {
      result->flows.push_back(result->plans.emplace_back(plan_of(g, theta))->at(theta));
    }
    const Flow& flow = *result->flows.back();
    if (group.forced) result->forced.push_back(group.forced->at(theta));
    const ForcedResponse* forced = group.forced ? result->forced.back().get() : nullptr;
    const Index together = group.same_weights ? group.size() : 1;
    Matrix whole;
    if (flow.block() == group.samples()) whole = flow.output_maps(0, group.samples());
    for (Index first = 0; first < group.size(); first += together) {
      const bool last = first + together >= group.size();
      const Elimination found = eliminate(group, first, together, flow, forced, result->drive,
                                          last ? std::move(whole) : whole);
      result->cost += found.residuals.squaredNorm();
      for (Index r = 0; r < together; ++r) {
        const Index run = group.run(first + r).index;
        result->initial_states.col(run) = found.initial_states.col(r);
        result->roots[static_cast<std::size_t>(run)] = found.root;
        if (!share) continue;
        result->shared_columns[static_cast<std::size_t>(run)] = found.shared_columns;
        residuals[static_cast<std::size_t>(run)] = found.residuals.col(r);
      }
    }
  }
  if (share) eliminate_shared(*result, residuals);
  result->cost += left;
  return result;
}

Matrix Problem::initial_states_of(const Group& group, Index first, Index count,
                                  const Profile& profile) const {
  Matrix x0(structure_.dimension(), count);
  for (Index r = 0; r < count; ++r)
    x0.col(r) = profile.initial_states.col(group.run(first + r).index);
  return x0;
}

}  // namespace lgn
