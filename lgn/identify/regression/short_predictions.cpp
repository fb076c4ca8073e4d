#include "lgn/identify/regression/short_predictions.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>

#include "lgn/core/decompositions.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/flow/exponential.h"
#include "lgn/flow/time_steps.h"

namespace lgn {
namespace {

/// Most multiplications for one generator, about a quarter of a second.
constexpr double most_work = 4e8;
/// What calls cost for each sample, in multiplications.
constexpr double call_work = 2e4;
/// Steps that agree to nine digits count as one: what that changes is far below any error of a fit.
constexpr double step_resolution = 1e-9;

/// The same for windows with the same steps and gaps.
std::vector<std::int64_t> pattern(const Trajectory& window, double resolution) {
  std::vector<std::int64_t> key{window.samples()};
  for (Index k = 1; k < window.samples(); ++k)
    key.push_back(std::llround((window.times()[k] - window.times()[k - 1]) / resolution));
  const auto missing = window.states().array().isNaN();
  if (missing.any())
    for (Index k = 0; k < window.samples(); ++k)
      for (Index c = 0; c < window.states().rows(); ++c)
        if (missing(c, k)) key.push_back(k * window.states().rows() + c);
  return key;
}

}  // namespace

Index telling_samples(const Dataset& data) {
  constexpr double phase = 4;
  const double cells = static_cast<double>(data.samples() * data.dimension());
  const double fewest = 5 * cells / static_cast<double>(data.present());
  const double phase_per_sample = typical_rate(data) * median_step(data);
  return std::lround(std::max(fewest, phase / phase_per_sample));
}

ShortPredictions::ShortPredictions(const Dataset& data, Index samples) {
  const Dataset windows = cut_windows(data, samples);
  unit_ = channel_amplitudes(data);
  const double resolution = step_resolution * median_step(data);
  std::map<std::vector<std::int64_t>, std::size_t> known;
  for (Index w = 0; w < static_cast<Index>(windows.runs().size()); ++w) {
    const auto& window = windows.runs()[static_cast<std::size_t>(w)];
    const auto [at, fresh] = known.try_emplace(pattern(window, resolution), groups_.size());
    if (fresh) groups_.push_back({window.times(), {}, {}, {}});
    groups_[at->second].members.push_back(w);
  }
  // The largest group stays whatever it costs; of the others as many as the work allows, spread
  // over the data.
  std::stable_sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) {
    return a.members.size() > b.members.size();
  });
  double work = 0;
  const double sample_work = 2 * std::pow(static_cast<double>(data.dimension()), 3) + call_work;
  for (const auto& group : groups_) work += sample_work * static_cast<double>(group.times.size());
  const auto stride = static_cast<std::size_t>(std::ceil(work / most_work));
  std::size_t kept = 0;
  for (std::size_t g = 0; g < groups_.size(); g += stride) {
    Group group = std::move(groups_[g]);
    const auto& first = windows.runs()[static_cast<std::size_t>(group.members.front())];
    const auto missing = first.states().array().isNaN();
    group.present = 1.0 - missing.cast<double>();
    for (Index k = 0; k < group.times.size(); ++k) {
      Matrix target(data.dimension(), static_cast<Index>(group.members.size()));
      Index column = 0;
      for (const Index w : group.members)
        target.col(column++) = windows.runs()[static_cast<std::size_t>(w)].states().col(k);
      target.array() = target.array().isNaN().select(0.0, target.array().colwise() / unit_.array());
      group.target.push_back(std::move(target));
    }
    values_ += group.present.sum() * static_cast<double>(group.members.size());
    groups_[kept++] = std::move(group);
  }
  groups_.resize(kept);
}

double ShortPredictions::squares(const Group& group, const Matrix& a) {
  const TimeSteps steps = find_steps(group.times);
  std::vector<Matrix> maps;
  for (const double length : steps.length) maps.push_back(exponential(length * a));
  const auto map_after = [&](Index k) -> const Matrix& {
    return maps[steps.which[static_cast<std::size_t>(k)]];
  };
  // Normal equations of the starts, gathered from the last sample to the first.
  const Index last = group.times.size() - 1;
  const auto pull = [&](Index k) {
    return group.present.col(k).asDiagonal() * group.target[static_cast<std::size_t>(k)];
  };
  Matrix normal = group.present.col(last).asDiagonal();
  Matrix right = pull(last);
  const double step_work = 4 * static_cast<double>(a.size() * (a.rows() + right.cols())) + 1000;
  for (Index k = last - 1; k >= 0; --k) {
    stop_point(step_work);
    const Matrix seen = normal * map_after(k);
    normal.noalias() = map_after(k).transpose() * seen;
    normal.diagonal() += group.present.col(k);
    right = (map_after(k).transpose() * right).eval() + pull(k);
  }
  // Gaps may hide a direction; twelve digits below the best seen it is left at zero.
  normal.diagonal().array() += 1e-12 * normal.diagonal().maxCoeff();
  Matrix states = solve_definite(normal, right);
  double sum = 0;
  for (Index k = 0; k <= last; ++k) {
    stop_point(0.5 * step_work);
    if (k > 0) states = (map_after(k - 1) * states).eval();
    const auto residual = states - group.target[static_cast<std::size_t>(k)];
    sum += group.present.col(k).dot(residual.rowwise().squaredNorm());
  }
  return sum;
}

double ShortPredictions::error(const Matrix& a) const {
  const Matrix scaled = unit_.cwiseInverse().asDiagonal() * a * unit_.asDiagonal();
  if (!scaled.allFinite()) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const auto& group : groups_) sum += squares(group, scaled);
  return sum >= 0 ? std::sqrt(sum / values_) : std::numeric_limits<double>::infinity();
}

}  // namespace lgn
