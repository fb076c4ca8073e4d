#include "lgn/identify/realisation/uniform_runs.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lgn/data/scales.h"

namespace lgn {
namespace {

constexpr double step_tolerance = 0.02;
constexpr double share_on_grid = 0.9;
constexpr double longest_gap = 8;  ///< in steps

/// Values of one channel at increasing places.
struct Samples {
  std::vector<double> at, value;
};

/// A stretch of a run without a long gap; places are in steps from the start of the run.
struct Stretch {
  std::vector<double> at;
  std::vector<Index> column;
};

struct Grid {
  double step = 0;
  bool regular = false;  ///< whether samples stand on it
};

Grid find_grid(const Dataset& data) {
  const double median = median_step(data);
  double steps = 0, near = 0, length = 0, multiples = 0, duration = 0;
  for (const auto& run : data.runs()) {
    duration += run.times()[run.samples() - 1] - run.times()[0];
    for (Index k = 0; k + 1 < run.samples(); ++k) {
      const double time = run.times()[k + 1] - run.times()[k], ratio = time / median;
      const double whole = std::round(ratio);
      steps += 1;
      if (whole < 1 || std::abs(ratio - whole) > step_tolerance) continue;
      near += 1;
      length += time;
      multiples += whole;
    }
  }
  if (near >= share_on_grid * steps) return {length / multiples, true};
  return {duration / steps, false};
}

std::vector<Stretch> stretches(const Trajectory& run, const Grid& grid) {
  std::vector<Stretch> all;
  double at = 0, before = -longest_gap;
  for (Index k = 0; k < run.samples(); ++k) {
    if (k > 0) {
      const double distance = (run.times()[k] - run.times()[k - 1]) / grid.step;
      at += grid.regular ? std::max(1.0, std::round(distance)) : distance;
    }
    if (run.states().col(k).array().isNaN().all()) continue;
    if (all.empty() || at - before > longest_gap) all.emplace_back();
    all.back().at.push_back(at);
    all.back().column.push_back(k);
    before = at;
  }
  return all;
}

Samples present_samples(const Trajectory& run, const Stretch& stretch, Index channel) {
  Samples samples;
  for (std::size_t k = 0; k < stretch.at.size(); ++k) {
    const double value = run.states()(channel, stretch.column[k]);
    if (Trajectory::missing(value)) continue;
    samples.at.push_back(stretch.at[k]);
    samples.value.push_back(value);
  }
  return samples;
}

/// The slope at sample k of the parabola through it and its neighbours.
double slope(const Samples& s, std::size_t k) {
  const auto chord = [&](std::size_t i) {
    return (s.value[i + 1] - s.value[i]) / (s.at[i + 1] - s.at[i]);
  };
  if (k == 0) return chord(0);
  if (k + 1 == s.at.size()) return chord(k - 1);
  const double left = s.at[k] - s.at[k - 1], right = s.at[k + 1] - s.at[k];
  return (right * chord(k - 1) + left * chord(k)) / (left + right);
}

/// Between samples k and k + 1.
double interpolate(const Samples& s, std::size_t k, double at, bool cubic) {
  const double width = s.at[k + 1] - s.at[k], x = (at - s.at[k]) / width;
  const double y0 = s.value[k], y1 = s.value[k + 1], linear = y0 + x * (y1 - y0);
  if (!cubic || x == 0 || x == 1) return linear;
  const double d0 = width * slope(s, k) - (y1 - y0), d1 = width * slope(s, k + 1) - (y1 - y0);
  return linear + x * (1 - x) * ((1 - x) * d0 - x * d1);
}

std::optional<Matrix> on_grid(const Trajectory& run, const Stretch& stretch, const Grid& grid) {
  const Index channels = run.states().rows();
  std::vector<Samples> samples;
  double begin = stretch.at.front(), end = stretch.at.back();
  for (Index c = 0; c < channels; ++c) {
    samples.push_back(present_samples(run, stretch, c));
    if (samples.back().at.size() < 2) return std::nullopt;
    begin = std::max(begin, samples.back().at.front());
    end = std::min(end, samples.back().at.back());
  }
  const auto count = static_cast<Index>(std::floor(end - begin + 1e-6)) + 1;
  if (count < 2) return std::nullopt;
  Matrix values(channels, count);
  for (Index c = 0; c < channels; ++c) {
    const Samples& s = samples[static_cast<std::size_t>(c)];
    std::size_t k = 0;
    for (Index j = 0; j < count; ++j) {
      const double at = std::min(begin + static_cast<double>(j), end);
      while (k + 2 < s.at.size() && s.at[k + 1] <= at) ++k;
      values(c, j) = interpolate(s, k, at, grid.regular);
    }
  }
  return values;
}

/// Whether the run needs no interpolation.
bool complete(const Trajectory& run, const Stretch& stretch, const Grid& grid) {
  return grid.regular &&
         stretch.at.back() - stretch.at.front() + 1 == static_cast<double>(stretch.at.size()) &&
         !run.states().middleCols(stretch.column.front(), std::ssize(stretch.column)).hasNaN();
}

}  // namespace

UniformRuns uniform_runs(const Dataset& data) {
  const Grid grid = find_grid(data);
  UniformRuns uniform{grid.step, grid.regular, true, {}};
  for (const auto& run : data.runs())
    for (const auto& stretch : stretches(run, grid)) {
      if (stretch.at.size() < 2) continue;
      if (complete(run, stretch, grid)) {
        uniform.runs.push_back(
            run.states().middleCols(stretch.column.front(), std::ssize(stretch.column)));
        continue;
      }
      uniform.exact = false;
      if (auto values = on_grid(run, stretch, grid)) uniform.runs.push_back(std::move(*values));
    }
  return uniform;
}

}  // namespace lgn
