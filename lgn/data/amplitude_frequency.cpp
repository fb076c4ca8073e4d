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

/// Passages with less than `least` between them are noise.
void add_swings(const Trajectory& run, Index channel, double rest, double least,
                std::vector<Swing>& swings) {
  double passage = std::nan(""), largest = 0;
  for (Index k = 1; k < run.samples(); ++k) {
    const double before = run.states()(channel, k - 1) - rest;
    const double after = run.states()(channel, k) - rest;
    if (!std::isfinite(before) || !std::isfinite(after)) {
      passage = std::nan("");
      continue;
    }
    largest = std::max(largest, std::abs(after));
    if ((before < 0) == (after < 0) || (std::isfinite(passage) && largest < least)) continue;
    const double part = before == after ? 0 : before / (before - after);
    const double now = run.times()[k - 1] + part * (run.times()[k] - run.times()[k - 1]);
    if (std::isfinite(passage) && now > passage)
      swings.push_back({now - run.times()[0], largest, 0.5 / (now - passage)});
    passage = now;
    largest = 0;
  }
}

/// Frequency as a parabola over something else, and how much of its variation that explains.
struct Course {
  double at_smallest, at_largest, explained;
};

template <class Abscissa>
Course fitted_course(const std::vector<Swing>& swings, Abscissa abscissa) {
  const auto count = static_cast<Index>(swings.size());
  Vector x(count), y(count);
  for (Index k = 0; k < count; ++k) {
    x[k] = abscissa(swings[static_cast<std::size_t>(k)]);
    y[k] = swings[static_cast<std::size_t>(k)].frequency;
  }
  const double mean = y.mean(), variation = (y.array() - mean).square().sum(), low = x.minCoeff(),
               range = x.maxCoeff() - low;
  if (!(range > 0 && variation > 0)) return {mean, mean, 0};
  const Vector u = (x.array() - low) / range;
  Matrix powers(count, 3);
  powers << Vector::Ones(count), u, u.cwiseAbs2();
  const Vector c = powers.colPivHouseholderQr().solve(y);
  return {c[0], c.sum(), 1 - (y - powers * c).squaredNorm() / variation};
}

}  // namespace

std::optional<AmplitudeFrequency> find_amplitude_frequency(const Dataset& data,
                                                           const Vector& rest) {
  constexpr std::size_t fewest = 8;
  constexpr double noise = 0.05, least_change = 0.01, least_explained = 0.8;
  std::optional<AmplitudeFrequency> best;
  double plainest = least_explained;
  for (Index c = 0; c < data.dimension(); ++c) {
    std::vector<Swing> swings;
    const double centre = rest.size() > 0 ? rest[c] : 0;
    double most = 0;
    for (const auto& run : data.runs())
      for (Index k = 0; k < run.samples(); ++k)
        if (const double value = std::abs(run.states()(c, k) - centre); value > most) most = value;
    for (const auto& run : data.runs()) add_swings(run, c, centre, noise * most, swings);
    if (swings.size() < fewest) continue;
    const Course course =
        fitted_course(swings, [](const Swing& s) { return s.amplitude * s.amplitude; });
    if (!(course.explained > plainest) || !(course.at_smallest > 0 && course.at_largest > 0))
      continue;
    if (std::abs(course.at_largest / course.at_smallest - 1) < least_change) continue;
    plainest = course.explained;
    // What drifts in time while it decays seems to follow its amplitude, too.
    const Course drift = fitted_course(swings, [](const Swing& s) { return s.time; });
    best = {data.channels()[static_cast<std::size_t>(c)], course.at_smallest, course.at_largest,
            1 - course.explained < 0.5 * (1 - drift.explained)};
  }
  return best;
}

}  // namespace lgn
