#include "lgn/identify/nonlinear/smoothing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "lgn/core/stop.h"

namespace lgn {
namespace {

constexpr std::array<Index, 8> neighbourhoods{7, 9, 13, 19, 27, 41, 61, 99};
constexpr double negligible = 3e-4;

/// The samples of a channel that are present.
struct Present {
  std::vector<double> times, values;
};

/// The cubic polynomial through `count` samples around time t, at t: value, slope, and how much the sample `own` (−1: none) says of
/// the value.
struct Local {
  double value, slope, leverage;
};
Local local_cubic(const Present& samples, double t, Index own, Index count) {
  const auto all = static_cast<Index>(samples.times.size());
  const Index after =
      std::lower_bound(samples.times.begin(), samples.times.end(), t) - samples.times.begin();
  const Index first = std::clamp<Index>((own >= 0 ? own : after) - count / 2, 0, all - count);
  const double reach = std::max(t - samples.times[static_cast<std::size_t>(first)],
                                samples.times[static_cast<std::size_t>(first + count - 1)] - t);
  Eigen::Matrix4d normal = Eigen::Matrix4d::Zero();
  Eigen::Vector4d right = Eigen::Vector4d::Zero();
  for (Index k = first; k < first + count; ++k) {
    const double u = (samples.times[static_cast<std::size_t>(k)] - t) / reach;
    const Eigen::Vector4d powers(1, u, u * u, u * u * u);
    normal.noalias() += powers * powers.transpose();
    right += samples.values[static_cast<std::size_t>(k)] * powers;
  }
  const auto factor = normal.ldlt();
  const Eigen::Vector4d row = factor.solve(Eigen::Vector4d::Unit(0));
  return {row.dot(right), factor.solve(right)[1] / reach, own >= 0 ? row[0] : 0.0};
}

/// Σ of squared errors of samples predicted without themselves, Σ r² of the fit itself, and Σ (1 − leverage).
struct SmoothingErrors {
  double predicted = 0, left = 0, freedom = 0;
};
SmoothingErrors errors_of(const std::vector<Present>& runs, Index count) {
  SmoothingErrors result;
  for (const Present& run : runs) {
    const auto samples = static_cast<Index>(run.times.size());
    if (samples < count) return {std::numeric_limits<double>::infinity(), 0, 0};
    // Of long records a part says enough.
    const Index stride = std::max<Index>(1, samples / 5000);
    for (Index k = 0; k < samples; k += stride) {
      stop_point(20.0 * static_cast<double>(count));
      const auto at = static_cast<std::size_t>(k);
      const Local fit = local_cubic(run, run.times[at], k, count);
      const double residual = run.values[at] - fit.value, free = std::max(1e-6, 1 - fit.leverage);
      result.predicted += residual * residual / (free * free);
      result.left += residual * residual;
      result.freedom += free;
    }
  }
  return result;
}

double variance_of(const std::vector<Present>& runs) {
  double sum = 0, squares = 0, count = 0;
  for (const Present& run : runs)
    for (const double value : run.values) {
      sum += value;
      squares += value * value;
      count += 1;
    }
  return count > 0 ? std::max(0.0, squares / count - sum * sum / (count * count)) : 0;
}

}  // namespace

SmoothedData smooth(const Dataset& data, bool rates) {
  const auto& runs = data.runs();
  std::vector<Matrix> states;
  const Index channels = data.dimension();
  for (const auto& run : runs) {
    states.emplace_back(Matrix::Zero(rates ? 2 * channels : channels, run.samples()));
    states.back().topRows(channels) = run.states();
  }
  Vector noise = Vector::Zero(data.dimension());
  for (Index c = 0; c < data.dimension(); ++c) {
    std::vector<Present> present(runs.size());
    for (std::size_t r = 0; r < runs.size(); ++r)
      for (Index k = 0; k < runs[r].samples(); ++k)
        if (const double value = runs[r].states()(c, k); !Trajectory::missing(value)) {
          present[r].times.push_back(runs[r].times()[k]);
          present[r].values.push_back(value);
        }
    Index best = 0;
    SmoothingErrors least{std::numeric_limits<double>::infinity()};
    for (const Index count : neighbourhoods)
      if (const SmoothingErrors errors = errors_of(present, count);
          errors.predicted < least.predicted) {
        least = errors;
        best = count;
      }
    const double variance = variance_of(present);
    if (best > 0) noise[c] = std::sqrt(least.left / std::max(1.0, least.freedom));
    const bool noisy = best > 0 && noise[c] > negligible * std::sqrt(variance);
    for (std::size_t r = 0; r < runs.size(); ++r)
      for (Index k = 0, own = 0; k < runs[r].samples(); ++k) {
        double& value = states[r](c, k);
        const bool missing = Trajectory::missing(value);
        const auto count =
            std::min<Index>(noisy ? best : 7, static_cast<Index>(present[r].times.size()));
        if ((noisy || missing || rates) && count >= 4) {
          stop_point(20.0 * static_cast<double>(count));
          const Local fit = local_cubic(present[r], runs[r].times()[k], missing ? -1 : own, count);
          if (noisy || missing) value = fit.value;
          if (rates) states[r](channels + c, k) = fit.slope;
        } else if (missing) {
          value = present[r].values.empty() ? 0 : present[r].values.front();
        }
        if (!missing) ++own;
      }
  }
  std::vector<Trajectory> smoothed;
  for (std::size_t r = 0; r < runs.size(); ++r)
    smoothed.emplace_back(runs[r].label(), runs[r].times(), std::move(states[r]));
  std::vector<std::string> names = data.channels();
  for (Index c = 0; rates && c < channels; ++c)
    names.push_back(fmt::format("rate of {}", names[static_cast<std::size_t>(c)]));
  return {Dataset(std::move(names), std::move(smoothed)), noise};
}

Matrix all_states(const Dataset& data) {
  Matrix result(data.dimension(), data.samples());
  Index at = 0;
  for (const auto& run : data.runs()) {
    result.middleCols(at, run.samples()) = run.states();
    at += run.samples();
  }
  return result;
}

}  // namespace lgn
