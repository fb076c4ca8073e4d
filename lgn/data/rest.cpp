#include "lgn/data/rest.h"

#include <algorithm>
#include <cmath>

#include "lgn/data/windows.h"

namespace lgn {
namespace {

/// The beginning of a channel: mean, standard deviation and lag-one correlation of the first samples.
struct Beginning {
  double mean = 0, deviation = 0, correlation = 0;
  Index values = 0;
};

Beginning beginning_of(const Matrix& states, Index channel, Index samples) {
  Beginning found;
  for (Index k = 0; k < samples; ++k)
    if (!Trajectory::missing(states(channel, k))) {
      found.mean += states(channel, k);
      ++found.values;
    }
  if (found.values == 0) return found;
  found.mean /= static_cast<double>(found.values);
  double squares = 0, products = 0, before = 0;
  for (Index k = 0; k < samples; ++k) {
    const double value = states(channel, k) - found.mean;
    if (Trajectory::missing(value)) continue;
    squares += value * value;
    products += value * before;
    before = value;
  }
  found.deviation = std::sqrt(squares / static_cast<double>(found.values));
  found.correlation = squares > 0 ? products / squares : 0;
  return found;
}

double largest_excursion(const Matrix& states, Index channel, double mean) {
  double largest = 0;
  for (Index k = 0; k < states.cols(); ++k)
    if (!Trajectory::missing(states(channel, k)))
      largest = std::max(largest, std::abs(states(channel, k) - mean));
  return largest;
}

}  // namespace

Index samples_at_rest(const Trajectory& run) {
  constexpr Index fewest = 20;
  constexpr double share = 0.05, deviations = 6, of_largest = 0.05, quieter = 20;
  const Matrix& states = run.states();
  const Index samples = run.samples();
  const Index window = std::max<Index>(fewest / 2, samples / 50);
  if (samples < 4 * fewest) return 0;
  Index begin = samples;
  for (Index c = 0; c < states.rows(); ++c) {
    const Beginning first = beginning_of(states, c, window);
    const double limit = std::max(deviations * first.deviation,
                                  of_largest * largest_excursion(states, c, first.mean));
    if (!(limit > 0)) continue;
    for (Index k = 0; k < begin; ++k)
      if (std::abs(states(c, k) - first.mean) > limit) begin = k;
  }
  if (begin == samples || begin < fewest ||
      static_cast<double>(begin) < share * static_cast<double>(samples))
    return 0;
  // Rest is white noise about a constant; a slow motion is not, and a system that swings on is not at rest.
  bool moves = false;
  for (Index c = 0; c < states.rows(); ++c) {
    const Beginning rest = beginning_of(states, c, begin);
    if (rest.values < fewest) return 0;
    const double white = 4 / std::sqrt(static_cast<double>(rest.values));
    if (std::abs(rest.correlation) > white) return 0;
    const double largest = largest_excursion(states, c, rest.mean);
    if (largest == 0) continue;
    if (rest.deviation * quieter < largest) moves = true;
  }
  return moves ? begin : 0;
}

Dataset without_rest(const Dataset& data, Index& left_out) {
  left_out = 0;
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs()) {
    const Index rest = samples_at_rest(run), kept = run.samples() - rest;
    left_out += rest;
    runs.emplace_back(run.label(), run.times().tail(kept), run.states().rightCols(kept),
                      run.inputs().rightCols(kept));
  }
  return data.with_runs(std::move(runs));
}

}  // namespace lgn
