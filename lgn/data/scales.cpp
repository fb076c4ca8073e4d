#include "lgn/data/scales.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/median.h"

namespace lgn {
namespace {

/// Mean squared difference of samples `lag` apart, relative to each channel's size, and the mean
/// time between them.
struct LagDifference {
  double square = 0, time = 0;
  bool any = false;
};

LagDifference difference_at(const Dataset& data, const Vector& sizes, Index lag) {
  double squares = 0, times = 0, values = 0, pairs = 0;
  for (const auto& run : data.runs())
    for (Index k = 0; k + lag < run.samples(); ++k) {
      times += run.times()[k + lag] - run.times()[k];
      pairs += 1;
      for (Index c = 0; c < run.states().rows(); ++c) {
        const double change = (run.states()(c, k + lag) - run.states()(c, k)) / sizes[c];
        if (Trajectory::missing(change)) continue;
        squares += change * change;
        values += 1;
      }
    }
  if (values == 0) return {};
  return {squares / values, times / pairs, true};
}

}  // namespace

double amplitude(const Dataset& data) {
  double squares = 0;
  for (const auto& run : data.runs())
    squares += run.states().array().isNaN().select(0.0, run.states()).squaredNorm();
  return std::sqrt(squares / static_cast<double>(data.present()));
}

Vector channel_amplitudes(const Dataset& data) { return channel_amplitudes(data, amplitude(data)); }

Vector channel_amplitudes(const Dataset& data, double of_zeros) {
  Vector squares = Vector::Zero(data.dimension()), counts = Vector::Zero(data.dimension());
  for (const auto& run : data.runs()) {
    const auto missing = run.states().array().isNaN();
    squares += missing.select(0.0, run.states()).rowwise().squaredNorm();
    counts += (1.0 - missing.cast<double>()).rowwise().sum().matrix();
  }
  const Vector sizes = squares.cwiseQuotient(counts).cwiseSqrt();
  return (sizes.array() > 0).select(sizes, of_zeros);
}

Vector channel_means(const Dataset& data) {
  Vector sum = Vector::Zero(data.dimension()), count = sum;
  for (const auto& run : data.runs()) {
    const auto missing = run.states().array().isNaN();
    sum += missing.select(0.0, run.states()).rowwise().sum();
    count += (1.0 - missing.cast<double>()).rowwise().sum().matrix();
  }
  return sum.cwiseQuotient(count.cwiseMax(1));
}

double typical_rate(const Dataset& data) {
  if (amplitude(data) == 0) return 1 / median_step(data);
  const Vector sizes = channel_amplitudes(data);
  Index longest = 0;
  for (const auto& run : data.runs()) longest = std::max(longest, run.samples());
  double rate = 0;
  for (Index lag = 1; lag < longest; lag = std::max(lag + 1, lag * 5 / 4)) {
    const LagDifference d = difference_at(data, sizes, lag);
    if (!d.any) continue;
    const double moved = d.square / 2;
    rate = std::acos(1 - std::min(moved, 2.0)) / d.time;
    if (moved >= 0.25) return rate;
  }
  return rate > 0 ? rate : 1 / median_step(data);
}

double median_step(const Dataset& data) {
  std::vector<double> steps;
  steps.reserve(static_cast<std::size_t>(data.samples()));
  for (const auto& run : data.runs())
    for (Index k = 1; k < run.samples(); ++k) steps.push_back(run.times()[k] - run.times()[k - 1]);
  return median(std::move(steps));
}

TimeSpan time_span(const Dataset& data) {
  TimeSpan span{data.runs()[0].times()[0], data.runs()[0].times()[0]};
  for (const auto& run : data.runs()) {
    span.begin = std::min(span.begin, run.times()[0]);
    span.end = std::max(span.end, run.times()[run.samples() - 1]);
  }
  return span;
}

double longest_duration(const Dataset& data) {
  double longest = 0;
  for (const auto& run : data.runs())
    longest = std::max(longest, run.times()[run.samples() - 1] - run.times()[0]);
  return longest;
}

}  // namespace lgn
