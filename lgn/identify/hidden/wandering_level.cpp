#include "lgn/identify/hidden/wandering_level.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/identify/residuals.h"

namespace lgn {
namespace {

/// Predictions of the next sample: their errors, relative to what is expected, and the logarithms of that.
struct Predictions {
  std::vector<Matrix> errors;  ///< of each run, one row; NaN where no sample is
  double logarithms = 0, squares = 0, count = 0, power = 0;

  double misfit() const {
    const double floor = explained * explained * std::max(power, 1e-300);
    return count * std::log(std::max(squares, floor) / count) + logarithms;
  }
};

/// Of one channel, where so much of the variance is of what the level wanders in a time `step`, and the rest of noise.
Predictions predicted(const Dataset& data, Index channel, double share, double step) {
  Predictions found;
  for (const auto& run : data.runs()) {
    Matrix& errors = found.errors.emplace_back(1, run.samples());
    double level = 0, variance = 0, before = 0;
    bool known = false;
    for (Index k = 0; k < run.samples(); ++k) {
      const double value = run.states()(channel, k), time = run.times()[k];
      errors(0, k) = std::numeric_limits<double>::quiet_NaN();
      if (Trajectory::missing(value)) continue;
      found.count += 1;
      found.power += value * value;
      if (known) {
        variance += share * (time - before) / step;
        const double expected = variance + 1 - share, error = value - level;
        errors(0, k) = error / std::sqrt(expected);
        found.squares += error * error / expected;
        found.logarithms += std::log(expected);
        level += variance / expected * error;
        variance *= (1 - share) / expected;
      } else {
        level = value;
        variance = 1 - share;
        known = true;
      }
      before = time;
    }
    stop_point(10.0 * static_cast<double>(run.samples()));
  }
  return found;
}

/// The likeliest share, which is often far from one half; by golden section in its logit.
Predictions likeliest(const Dataset& data, Index channel, double step) {
  constexpr double least = -16, most = 8;
  constexpr int divisions = 24;
  const auto at = [&](double logit) {
    return predicted(data, channel, 1 / (1 + std::exp(-logit)), step);
  };
  const double part = 1 / std::numbers::phi;
  double low = least, high = most;
  double left = high - part * (high - low), right = low + part * (high - low);
  double of_left = at(left).misfit(), of_right = at(right).misfit();
  for (int i = 0; i < divisions; ++i) {
    if (of_left < of_right) {
      high = right;
      right = left;
      of_right = of_left;
      left = high - part * (high - low);
      of_left = at(left).misfit();
    } else {
      low = left;
      left = right;
      of_left = of_right;
      right = low + part * (high - low);
      of_right = at(right).misfit();
    }
  }
  return at(of_left < of_right ? left : right);
}

}  // namespace

WanderingLevel wandering_level(const Dataset& data) {
  const double step = median_step(data);
  WanderingLevel result{0, true};
  const double unknowns = static_cast<double>(data.dimension() * (1 + std::ssize(data.runs())));
  result.criterion = unknowns * std::log(static_cast<double>(data.present()));
  for (Index c = 0; c < data.dimension(); ++c) {
    Predictions found = likeliest(data, c, step);
    result.criterion += found.misfit();
    std::vector<Trajectory> runs;
    for (std::size_t r = 0; r < data.runs().size(); ++r)
      runs.emplace_back(data.runs()[r].label(), data.runs()[r].times(), std::move(found.errors[r]));
    const Dataset errors({data.channels()[static_cast<std::size_t>(c)]}, std::move(runs));
    const Propagator nothing = [](const Vector&, const Vector& times, const Matrix&) {
      return Matrix(Matrix::Zero(1, times.size()));
    };
    const Matrix no_states = Matrix::Zero(1, static_cast<Index>(data.runs().size()));
    result.explains =
        result.explains && find_residuals(nothing, no_states, errors).coherence(0) == 0;
  }
  return result;
}

}  // namespace lgn
