#include "lgn/data/amplitude_frequency.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lgn {
namespace {

/// Half a swing: when in its run, how far, and how often that would happen twice in a unit of time.
struct Swing {
  double time, amplitude, frequency;
};

void add_swings(const Trajectory& run, Index channel, double rest, std::vector<Swing>& swings) {
  double passage = std::nan(""), largest = 0;
  for (Index k = 1; k < run.samples(); ++k) {
    const double before = run.states()(channel, k - 1) - rest;
    const double after = run.states()(channel, k) - rest;
    if (!std::isfinite(before) || !std::isfinite(after)) {
      passage = std::nan("");
      continue;
    }
    largest = std::max(largest, std::abs(after));
    if ((before < 0) == (after < 0)) continue;
    const double part = before == after ? 0 : before / (before - after);
    const double now = run.times()[k - 1] + part * (run.times()[k] - run.times()[k - 1]);
    if (std::isfinite(passage) && now > passage)
      swings.push_back({now - run.times()[0], largest, 0.5 / (now - passage)});
    passage = now;
    largest = 0;
  }
}

/// Frequency as a line over something else, and how much of its variation that explains.
struct Line {
  double at_smallest, at_largest, explained;
};

template <class Abscissa>
Line fitted_line(const std::vector<Swing>& swings, Abscissa abscissa) {
  double x = 0, y = 0, xx = 0, xy = 0, yy = 0, smallest = INFINITY, largest = 0;
  const auto count = static_cast<double>(swings.size());
  for (const auto& swing : swings) {
    x += abscissa(swing) / count;
    y += swing.frequency / count;
    smallest = std::min(smallest, abscissa(swing));
    largest = std::max(largest, abscissa(swing));
  }
  for (const auto& swing : swings) {
    const double dx = abscissa(swing) - x, dy = swing.frequency - y;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  if (!(xx > 0 && yy > 0)) return {y, y, 0};
  const double slope = xy / xx;
  return {y + slope * (smallest - x), y + slope * (largest - x), xy * xy / (xx * yy)};
}

}  // namespace

std::optional<AmplitudeFrequency> find_amplitude_frequency(const Dataset& data,
                                                           const Vector& rest) {
  constexpr std::size_t fewest = 8;
  constexpr double least_change = 0.01, least_explained = 0.8;
  std::optional<AmplitudeFrequency> best;
  double plainest = least_explained;
  for (Index c = 0; c < data.dimension(); ++c) {
    std::vector<Swing> swings;
    for (const auto& run : data.runs()) add_swings(run, c, rest.size() > 0 ? rest[c] : 0, swings);
    if (swings.size() < fewest) continue;
    const Line line = fitted_line(swings, [](const Swing& s) { return s.amplitude * s.amplitude; });
    // What drifts in time while it decays seems to follow its amplitude, too.
    const Line drift = fitted_line(swings, [](const Swing& s) { return s.time; });
    if (1 - line.explained > 0.5 * (1 - drift.explained)) continue;
    if (!(line.explained > plainest) || !(line.at_smallest > 0 && line.at_largest > 0)) continue;
    if (std::abs(line.at_largest / line.at_smallest - 1) < least_change) continue;
    plainest = line.explained;
    best = {data.channels()[static_cast<std::size_t>(c)], line.at_smallest, line.at_largest};
  }
  return best;
}

}  // namespace lgn
