#include "lgn/data/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"

namespace lgn {
namespace {

Trajectory part_of(const Trajectory& run, Index first, Index count) {
  return Trajectory(run.label(), run.times().segment(first, count),
                    run.states().middleCols(first, count), run.inputs().middleCols(first, count));
}

}  // namespace

Dataset cut_windows(const Dataset& data, Index samples) {
  std::vector<Trajectory> windows;
  samples = std::max<Index>(samples, 2);
  for (const auto& run : data.runs())
    for (Index first = 0; first < run.samples();) {
      const Index left = run.samples() - first;
      const Index count = left - samples < 2 ? left : samples;
      Trajectory window = part_of(run, first, count);
      if (!window.states().array().isNaN().all()) windows.push_back(std::move(window));
      first += count;
    }
  return Dataset(data.channels(), std::move(windows), data.inputs());
}

Dataset spread_windows(const Dataset& data, Index samples, Index most) {
  std::vector<Trajectory> windows;
  for (const auto& run : data.runs()) {
    const Index all = run.samples(), length = std::min(samples, all);
    const double share = static_cast<double>(most) / static_cast<double>(data.samples());
    const double fit = share * static_cast<double>(all) / static_cast<double>(length);
    const Index count = std::clamp<Index>(static_cast<Index>(fit), 1, all / length);
    for (Index w = 0; w < count; ++w) {
      const Index first = count == 1 ? 0 : (all - length) * w / (count - 1);
      Trajectory window = part_of(run, first, length);
      if (!window.states().array().isNaN().all()) windows.push_back(std::move(window));
    }
  }
  return Dataset(data.channels(), std::move(windows), data.inputs());
}

Index fitted_samples(Index samples, double fraction) {
  const auto held = static_cast<Index>(std::lround(fraction * static_cast<double>(samples)));
  return samples - std::max<Index>(held, 2);
}

Split split_in_time(const Dataset& data, double fraction) {
  if (!(fraction > 0 && fraction < 1))
    throw Error(fmt::format("a hold-out of {} is not a fraction", fraction),
                "give a number between 0 and 1, such as 0.2");
  std::vector<Trajectory> train, holdout;
  for (const auto& run : data.runs()) {
    const Index kept = fitted_samples(run.samples(), fraction);
    if (kept < 2)
      throw Error(fmt::format("run \"{}\" has {} samples, too few to hold some out", run.label(),
                              run.samples()));
    train.push_back(part_of(run, 0, kept));
    holdout.push_back(part_of(run, kept, run.samples() - kept));
  }
  return {data.with_runs(std::move(train)), data.with_runs(std::move(holdout))};
}

Dataset first_samples(const Dataset& data, Index samples) {
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs())
    runs.push_back(part_of(run, 0, std::min(samples, run.samples())));
  return data.with_runs(std::move(runs));
}

Dataset between_times(const Dataset& data, double from, double to) {
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs()) {
    const auto begin = run.times().begin(), end = run.times().end();
    const Index first = std::lower_bound(begin, end, from) - begin;
    const Index count = std::upper_bound(begin, end, to) - begin - first;
    if (count > 1) runs.push_back(part_of(run, first, count));
  }
  if (runs.empty()) {
    const Vector& times = data.runs().front().times();
    throw Error(fmt::format("no run has two samples between {} and {}", from, to),
                fmt::format("the first goes from {} to {}", times[0], times[times.size() - 1]));
  }
  return data.with_runs(std::move(runs));
}

Dataset every_so_many(const Dataset& data, Index stride) {
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs()) {
    const Index step = std::clamp<Index>(stride, 1, run.samples() - 1);
    const auto kept = Eigen::seq(0, run.samples() - 1, step);
    runs.emplace_back(run.label(), run.times()(kept), run.states()(Eigen::all, kept));
  }
  return data.with_runs(std::move(runs));
}

Dataset rescale_time(const Dataset& data, double factor) {
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs())
    runs.emplace_back(run.label(), run.times() * factor, run.states(), run.inputs());
  return Dataset(data.channels(), std::move(runs), data.inputs());
}

}  // namespace lgn
