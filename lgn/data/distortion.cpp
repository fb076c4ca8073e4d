#include "lgn/data/distortion.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/fourier.h"
#include "lgn/core/significance.h"

namespace lgn {
namespace {

bool evenly_sampled(const Vector& times) {
  const Index steps = times.size() - 1;
  const double step = (times[steps] - times[0]) / static_cast<double>(steps);
  for (Index k = 0; k < steps; ++k)
    if (std::abs(times[k + 1] - times[k] - step) > 1e-3 * step) return false;
  return true;
}

/// The samples after which all inputs repeat: the least number that does, 0 where they do not within half of the run.
Index period_of(const Matrix& inputs) {
  constexpr double rounding = 1e-6;
  constexpr Index shortest = 8;
  const Index samples = inputs.cols();
  const Matrix centred = inputs.colwise() - inputs.rowwise().mean();
  const Vector size = rounding * (centred.rowwise().norm() / std::sqrt(double(samples)));
  // Beginnings that differ are passed over at once; a signal that hardly moves is not worth more than this.
  Index looks = 200 * samples;
  for (Index period = shortest; 2 * period <= samples; ++period) {
    bool repeats = true;
    for (Index k = 0; k + period < samples && repeats; ++k, --looks)
      repeats = ((inputs.col(k + period) - inputs.col(k)).cwiseAbs().array() <= size.array()).all();
    if (repeats) return size.minCoeff() > 0 ? period : 0;
    if (looks < 0) break;
  }
  return 0;
}

/// Squares at lines of one kind, and of the lines between harmonics beside them, both in units of the noise around them.
struct Lines {
  double squares = 0, noise = 0, power = 0;
  Index count = 0, noise_count = 0;

  void add(double square, double beside, Index many, double level) {
    squares += square / level;
    noise += beside / level;
    power += square - beside / static_cast<double>(many);
    ++count;
    noise_count += many;
  }
  /// What stands out from noise.
  double distortion(double threshold) const {
    if (count == 0 || noise_count < 3 || !(noise > 0)) return 0;
    const double ratio =
        (squares / static_cast<double>(count)) / (noise / static_cast<double>(noise_count));
    const auto freedom = [](Index lines) { return 2 * static_cast<double>(lines); };
    return ratio_tail(ratio, freedom(count), freedom(noise_count)) < threshold
               ? std::max(power, 0.0)
               : 0;
  }
};

/// Mean of the squares between harmonics within some periods' worth of lines about a line.
double noise_about(const Vector& squares, Index line, Index periods) {
  constexpr Index enough = 24;
  double sum = 0;
  Index many = 0;
  for (Index off = 1; many < enough && off < squares.size(); ++off)
    for (const Index at : {line - off, line + off})
      if (at > 0 && at < squares.size() && at % periods != 0) {
        sum += squares[at];
        ++many;
      }
  return sum / static_cast<double>(std::max<Index>(many, 1));
}

}  // namespace

std::vector<Distortion> find_distortion(const Dataset& data, const std::vector<Matrix>& residuals) {
  constexpr double false_alarms = 1e-3, excited = 1e-6;
  constexpr Index settled = 3;
  std::vector<Distortion> result;
  if (data.inputs().empty()) return result;
  for (Index c = 0; c < data.dimension(); ++c) {
    Lines odd, even;
    double driven = 0;
    for (std::size_t r = 0; r < data.runs().size(); ++r) {
      const Trajectory& run = data.runs()[r];
      const Matrix& shown = residuals.empty() ? run.states() : residuals[r];
      if (run.samples() < 32 || !evenly_sampled(run.times())) continue;
      if (run.states().row(c).array().isNaN().any() || !shown.row(c).allFinite()) continue;
      const Index period = period_of(run.inputs());
      if (period == 0) continue;
      Index periods = run.samples() / period;
      if (periods >= settled) --periods;
      const Index samples = periods * period;
      const auto squares = [&](const Matrix& rows, Index row) -> Vector {
        const Vector part = rows.row(row).tail(samples).transpose();
        return fourier(part.array() - part.mean()).cwiseAbs2();
      };
      Vector input = Vector::Zero(samples / 2 + 1);
      for (Index j = 0; j < run.inputs().rows(); ++j) {
        const Vector one = squares(run.inputs(), j);
        input += one / std::max(one.maxCoeff(), 1e-300);
      }
      const Vector response = squares(run.states(), c), looked = squares(shown, c);
      for (Index harmonic = 1; (harmonic + 1) * periods < looked.size(); ++harmonic) {
        const Index line = harmonic * periods;
        if (input[line] > excited) {
          driven += response[line];
          continue;
        }
        double beside = looked[line - 1];
        Index many = 1;
        // With two periods the line after is the next one's line before.
        if (periods > 2) {
          beside += looked[line + 1];
          ++many;
        }
        (harmonic % 2 == 1 ? odd : even)
            .add(looked[line], beside, many, std::max(noise_about(looked, line, periods), 1e-300));
      }
    }
    if (!(driven > 0)) continue;
    // Two kinds of lines in each channel.
    const double threshold = false_alarms / (2 * static_cast<double>(data.dimension()));
    const Distortion found{data.channels()[static_cast<std::size_t>(c)],
                           std::sqrt(odd.distortion(threshold) / driven),
                           std::sqrt(even.distortion(threshold) / driven)};
    constexpr double least = 1e-4;  // files round
    if (found.odd > least || found.even > least) result.push_back(found);
  }
  return result;
}

}  // namespace lgn
