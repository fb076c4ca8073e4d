#include "lgn/data/record_kind_internal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "lgn/core/decompositions.h"

namespace lgn::inspection_internal {
namespace {

/// Mean and standard deviation of what is present.
struct Moments {
  double mean = 0, deviation = 0;
  Index count = 0;
};

template <class V>
Moments moments_of(const V& values) {
  Moments found;
  double sum = 0, squares = 0;
  for (const double value : values) {
    if (Trajectory::missing(value)) continue;
    sum += value;
    ++found.count;
  }
  if (found.count == 0) return found;
  found.mean = sum / static_cast<double>(found.count);
  for (const double value : values)
    if (!Trajectory::missing(value)) squares += (value - found.mean) * (value - found.mean);
  found.deviation = std::sqrt(squares / static_cast<double>(found.count));
  return found;
}

/// How often values cross a level, by more than noise on both sides.
Index crossings(const Vector& values, double level, double margin) {
  Index count = 0;
  int side = 0;
  for (const double value : values) {
    const int now = value > level + margin ? 1 : value < level - margin ? -1 : 0;
    if (now == 0) continue;
    count += side != 0 && now != side;
    side = now;
  }
  return count;
}

constexpr Index kParts = 8;

/// Energy of all channels about their levels in eight parts of the runs, each channel relative to its
/// own; parts of runs with fewer samples than that are left out.
std::array<double, kParts> energies(const Dataset& data, const Vector& levels) {
  std::array<double, kParts> found = {};
  for (Index c = 0; c < data.dimension(); ++c) {
    std::array<double, kParts> own = {}, counts = {};
    for (const auto& run : data.runs()) {
      if (run.samples() < kParts) continue;
      for (Index k = 0; k < run.samples(); ++k) {
        const double value = run.states()(c, k) - levels[c];
        if (Trajectory::missing(value)) continue;
        const auto part = static_cast<std::size_t>(k * kParts / run.samples());
        own[part] += value * value;
        counts[part] += 1;
      }
    }
    double total = 0;
    for (std::size_t k = 0; k < own.size(); ++k) {
      own[k] = counts[k] > 0 ? own[k] / counts[k] : 0;
      total += own[k];
    }
    if (total <= 0) continue;
    for (std::size_t k = 0; k < own.size(); ++k) found[k] += own[k] / total;
  }
  return found;
}

/// Samples of a channel at as many even times, by straight lines between those that are present: a regression on the past knows
/// no times.
Vector at_even_times(const Trajectory& run, Index channel) {
  const Index n = run.samples();
  const double begin = run.times()[0],
               step = (run.times()[n - 1] - begin) / static_cast<double>(n - 1);
  const auto values = run.states().row(channel);
  const auto present_from = [&](Index k) {
    while (k < n && Trajectory::missing(values[k])) ++k;
    return k;
  };
  Index before = present_from(0), after = before < n ? present_from(before + 1) : n;
  Vector even = Vector::Zero(n);
  if (before == n) return even;
  for (Index k = 0; k < n; ++k) {
    const double time = begin + step * static_cast<double>(k);
    while (after < n && run.times()[after] <= time) {
      before = after;
      after = present_from(after + 1);
    }
    const double share =
        after < n ? (time - run.times()[before]) / (run.times()[after] - run.times()[before]) : 0.0;
    even[k] = values[before];
    if (share > 0) even[k] += share * (values[after] - values[before]);
  }
  return even;
}

/// How much of what a channel shows a third of a run later its samples of now do not tell: linear regression on some of the last ones, from the first
/// half of the times, judged by the second. Near zero for free motion of a linear system, which many oscillations may make up; near one, or above, for motion
/// that chance keeps going. The mean over some channels of the longest run.
double unforeseen(const Dataset& data, const Vector& levels) {
  constexpr Index most_lags = 40, fewest = 96, most_rows = 3000, most_channels = 6;
  const Trajectory* longest = nullptr;
  for (const auto& run : data.runs())
    if (longest == nullptr || run.samples() > longest->samples()) longest = &run;
  if (longest == nullptr || longest->samples() < fewest) return 0;
  const Index n = longest->samples(), ahead = n / 3, lags = std::min(most_lags, n / 24);
  const Index stride = std::max<Index>(1, n / 6 / lags), first = (lags - 1) * stride;
  const Index times = n - ahead - first, each = std::max<Index>(1, times / most_rows);
  const Index rows = times / each, half = rows / 2;
  double sum = 0, seen = 0;
  for (Index c = 0; c < std::min(data.dimension(), most_channels); ++c) {
    const Vector values = at_even_times(*longest, c).array() - levels[c];
    Matrix past(rows, lags + 1);
    Vector later(rows);
    for (Index k = 0; k < rows; ++k) {
      const Index now = first + k * each;
      for (Index j = 0; j < lags; ++j) past(k, j) = values[now - j * stride];
      past(k, lags) = 1;
      later[k] = values[now + ahead];
    }
    // What chance adds to samples keeps coefficients small.
    const double power = past.leftCols(lags).squaredNorm() / static_cast<double>(rows * lags);
    Matrix products = past.topRows(half).transpose() * past.topRows(half);
    products.diagonal().array() += 1e-6 * power * static_cast<double>(half);
    const Vector weights =
        solve_definite(products, past.topRows(half).transpose() * later.head(half));
    const double left =
        (later.tail(rows - half) - past.bottomRows(rows - half) * weights).squaredNorm();
    const double all =
        (later.tail(rows - half).array() - later.tail(rows - half).mean()).square().sum();
    if (!(all > 0)) continue;
    sum += std::min(1.0, left / all);
    seen += 1;
  }
  return seen > 0 ? sum / seen : 0;
}

/// The same runs less the straight lines that fit their channels best, if those are most of what moves and nothing is missing; else nothing.
std::optional<Dataset> without_trend(const Dataset& data) {
  Vector before = Vector::Zero(data.dimension()), after = before;
  for (const auto& run : data.runs()) {
    if (!run.states().allFinite()) return {};
    const Vector t = run.times().array() - run.times().mean(), mean = run.states().rowwise().mean();
    const Vector squares = (run.states().colwise() - mean).rowwise().squaredNorm();
    // The products of t with a mean are zero.
    before += squares;
    after += squares - (run.states() * t).cwiseAbs2() / t.squaredNorm();
  }
  constexpr double most = 0.5;
  if (!(after.array() < most * before.array()).any()) return {};
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs()) {
    const Vector t = run.times().array() - run.times().mean();
    Matrix values = run.states().colwise() - run.states().rowwise().mean();
    values -= values * t * t.transpose() / t.squaredNorm();
    runs.emplace_back(run.label(), run.times(), std::move(values));
  }
  return data.with_runs(std::move(runs));
}

/// Whether a run moves as a random walk does: its increments over several spans of time, each four
/// times as long as the one before, do not know of one another, and grow with the root of the span.
bool wanders(const Vector& values) {
  constexpr Index least = 64;
  double first = 0;
  int scales = 0;
  for (Index span = 1; values.size() / span > least; span *= 4, ++scales) {
    double squares = 0, products = 0, last = 0;
    for (Index k = span; k < values.size(); k += span) {
      const double step = values[k] - values[k - span];
      if (Trajectory::missing(step)) continue;
      squares += step * step;
      products += step * last;
      last = step;
    }
    const double unrelated =
        std::max(0.1, 3.5 / std::sqrt(static_cast<double>(values.size() / span)));
    if (!(squares > 0) || std::abs(products) > unrelated * squares) return false;
    const double each = squares * static_cast<double>(span);
    if (scales == 0) first = each;
    if (scales > 0 && each < 2 * first) return false;
  }
  return scales >= 3;
}

/// By how energy about these levels changes, and whether motion tells how it goes on.
RecordKind kind_of_motion(const Dataset& data, const Vector& levels) {
  const std::array<double, kParts> parts = energies(data, levels);
  if (std::any_of(parts.begin(), parts.end(), [](double energy) { return !(energy > 0); }))
    return parts.back() > parts.front() ? RecordKind::growing : RecordKind::free;
  // A line through the logarithms, and what scatters about it.
  double slope = 0, mean = 0, scatter = 0;
  constexpr double middle = (kParts - 1) / 2.0, spread = kParts * (kParts * kParts - 1) / 12.0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    mean += std::log(parts[k]) / kParts;
    slope += (static_cast<double>(k) - middle) * std::log(parts[k]) / spread;
  }
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const double off = std::log(parts[k]) - mean - slope * (static_cast<double>(k) - middle);
    scatter += off * off / (kParts - 2);
  }
  const double change = slope * (kParts - 1);
  const double uncertainty = std::sqrt(scatter / spread) * (kParts - 1);
  const double ends = std::log((parts[kParts - 2] + parts[kParts - 1]) / (parts[0] + parts[1]));
  // A factor of four between beginning and end, or a clear trend that chance does not make.
  const double clear = std::log(4.0);
  if (ends < -clear && change < 0) return RecordKind::free;
  if (ends > clear && change > 0) return RecordKind::growing;
  if (change < -0.15 && change < -6 * uncertainty) return RecordKind::free;
  if (change > 0.5 && change > 6 * uncertainty) return RecordKind::growing;
  constexpr double chance = 0.6;
  return unforeseen(data, levels) < chance ? RecordKind::free : RecordKind::ambient;
}

}  // namespace

Level level_of(const std::vector<Vector>& runs, double noise) {
  double sum = 0, spread = 0, weights = 0, values = 0;
  bool swings = false;
  for (const Vector& run : runs) {
    if (run.size() < 4) continue;
    const Moments late = moments_of(run.tail(run.size() / 2));
    if (late.count == 0) continue;
    const bool swings_here = crossings(run.tail(run.size() / 2), late.mean, 4 * noise) >= 4;
    double level = late.mean;
    if (!swings_here) {
      const Index quarter = run.size() / 4;
      const double a = moments_of(run.segment(run.size() - 3 * quarter, quarter)).mean;
      const double b = moments_of(run.segment(run.size() - 2 * quarter, quarter)).mean;
      const double d = moments_of(run.tail(quarter)).mean;
      const double bend = (d - b) - (b - a);
      // Six standard deviations of a difference of two means: what noise does not make.
      const double chance = 6 * noise * std::sqrt(2 / static_cast<double>(quarter));
      const bool settles =
          std::abs(b - a) > chance && std::abs(d - b) < 0.9 * std::abs(b - a) && bend != 0;
      const bool creeps = std::abs(d - b) > chance;
      if (settles) level = d - (d - b) * (d - b) / bend;
      if (!settles && creeps) level = d;
    }
    swings = swings || swings_here;
    const auto weight = static_cast<double>(late.count);
    sum += weight * level;
    spread += weight * late.deviation * late.deviation;
    weights += weight;
    values += weight;
  }
  if (weights == 0) {
    for (const Vector& run : runs) {
      const Moments all = moments_of(run);
      sum += all.mean * static_cast<double>(all.count);
      weights += static_cast<double>(all.count);
    }
    return {weights > 0 ? sum / weights : 0, false};
  }
  Level level;
  level.value = sum / weights;
  // A few swings leave a mean of up to a quarter of their size; a creep that is not at its end, more.
  const double deviation = std::sqrt(spread / weights);
  const double doubt = (swings ? 0.25 : 1.0) * deviation + 4 * noise / std::sqrt(values);
  constexpr double enough = 8;
  level.stands_out = values >= enough && std::abs(level.value) > doubt;
  return level;
}

RecordKind kind_of_record(const Dataset& data, const std::vector<ChannelInspection>& channels) {
  const bool moves = std::any_of(channels.begin(), channels.end(), [](const auto& channel) {
    return !channel.is_input && channel.maximum > channel.minimum;
  });
  if (!moves) return RecordKind::constant;
  for (const auto& channel : channels)
    if (channel.is_input && channel.maximum > channel.minimum) return RecordKind::driven;
  const auto all_wander = [&](Index c) {
    return std::all_of(data.runs().begin(), data.runs().end(), [&](const Trajectory& run) {
      return wanders(run.states().row(c).transpose());
    });
  };
  if (all_wander(0)) return RecordKind::ambient;
  Vector levels(data.dimension());
  for (Index c = 0; c < levels.size(); ++c)
    levels[c] = channels[static_cast<std::size_t>(c)].offset;
  const RecordKind kind = kind_of_motion(data, levels);
  if (kind == RecordKind::ambient) return kind;
  // A drift hides what moves about it.
  const std::optional<Dataset> level = without_trend(data);
  return level && kind_of_motion(*level, Vector::Zero(levels.size())) == RecordKind::ambient
             ? RecordKind::ambient
             : kind;
}

}  // namespace lgn::inspection_internal
