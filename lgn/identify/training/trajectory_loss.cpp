#include "lgn/identify/training/trajectory_loss.h"

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/flow/time_steps.h"
#include "lgn/identify/training/uneven_runs.h"
#include "lgn/identify/training/uniform_runs.h"

namespace lgn {
namespace {

GriddedRun place_on_grid(const Trajectory& run, Index index, const Lattice& lattice) {
  GriddedRun gridded{index, Matrix::Constant(run.states().rows(), lattice.length(), std::nan(""))};
  for (Index k = 0; k < run.samples(); ++k)
    gridded.states.col(lattice.position[static_cast<std::size_t>(k)]) = run.states().col(k);
  return gridded;
}

}  // namespace

TrajectoryLoss::TrajectoryLoss(const Dataset& data, const Vector& weights)
    : dimension_(data.dimension()), runs_(static_cast<Index>(data.runs().size())) {
  const Vector w = weights.size() > 0 ? weights : Vector::Ones(dimension_);
  if (w.size() != dimension_ || !(w.array() >= 0).all())
    throw Error("the loss needs one non-negative weight per channel");
  std::vector<std::pair<double, std::vector<GriddedRun>>> uniform;
  std::vector<UnevenRuns::Run> uneven;
  for (Index r = 0; r < runs_; ++r) {
    const auto& run = data.runs()[static_cast<std::size_t>(r)];
    const auto lattice = find_lattice(run.times());
    if (!lattice) {
      uneven.push_back({r, run.times(), run.states()});
      continue;
    }
    // Steps that agree to thirteen digits are one: the phase they differ by is far below rounding.
    auto group = uniform.begin();
    while (group != uniform.end() && std::abs(group->first - lattice->step) > 1e-13 * lattice->step)
      ++group;
    if (group == uniform.end()) group = uniform.insert(group, {lattice->step, {}});
    group->second.push_back(place_on_grid(run, r, *lattice));
  }
  for (auto& [step, members] : uniform)
    groups_.push_back(std::make_unique<UniformRuns>(step, std::move(members), w));
  if (!uneven.empty()) groups_.push_back(std::make_unique<UnevenRuns>(std::move(uneven), w));
}

TrajectoryLoss::~TrajectoryLoss() = default;
TrajectoryLoss::TrajectoryLoss(TrajectoryLoss&&) noexcept = default;

double TrajectoryLoss::value(const Matrix& a, const Matrix& starts) const {
  double loss = 0;
  for (const auto& group : groups_) loss += group->evaluate(a, starts, nullptr);
  return loss;
}

LossGradient TrajectoryLoss::gradient(const Matrix& a, const Matrix& starts) const {
  LossGradient result{0, Matrix::Zero(dimension_, dimension_), Matrix::Zero(dimension_, runs_)};
  for (const auto& group : groups_) result.loss += group->evaluate(a, starts, &result);
  return result;
}

}  // namespace lgn
