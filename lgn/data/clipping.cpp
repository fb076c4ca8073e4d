#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "lgn/core/median.h"
#include "lgn/data/clipping_internal.h"
#include "lgn/data/dataset.h"

namespace lgn::inspection_internal {
namespace {

/// Of normal noise, four of ten thousand values lie farther off.
constexpr double band = 3.5;

/// The way from an end of the range, or to it, in samples: from the band about the end to a depth, and from there to twice that.
struct Passage {
  double near = 0, far = 0;
};

/// Values of one sign, and what is looked for.
struct End {
  double level, noise, depth;

  double below(double value) const { return level - value; }
  bool holds(double value) const { return below(value) <= band * noise; }
};

/// How the values leave the band from sample `edge`, which lies in it, forward or back; nothing where they come back before they are
/// deep enough, or are missing.
std::optional<Passage> passage_from(const Vector& values, Index edge, Index step, const End& end) {
  double times[3] = {};
  const double depths[3] = {band * end.noise, end.depth, 2 * end.depth};
  Index reached = 0;
  for (Index k = edge + step; k >= 0 && k < values.size(); k += step) {
    const double before = end.below(values[k - step]), here = end.below(values[k]);
    if (!(here > depths[0]) || std::isnan(before)) return {};
    while (reached < 3 && here >= depths[reached])
      times[reached++] = static_cast<double>(std::abs(k - edge)) -
                         (here - depths[reached]) / std::max(here - before, end.noise);
    if (reached == 3) return Passage{times[1] - times[0], times[2] - times[1]};
  }
  return {};
}

/// The level at which values pile up below their highest; that one where they do not.
double level_below(const std::vector<Vector>& runs, double sign, double highest, double noise) {
  constexpr double above = 8;
  double low = highest - above * noise, high = highest, level = highest;
  for (int round = 0; round < 4; ++round) {
    std::vector<double> close;
    for (const Vector& run : runs)
      for (const double value : run)
        if (sign * value >= low && sign * value <= high) close.push_back(sign * value);
    if (close.empty()) return level;
    level = median(std::move(close));
    low = level - band * noise;
    high = level + band * noise;
  }
  return level;
}

/// What stays at an end adds up to.
struct Stays {
  Index count = 0, samples = 0;
  std::vector<double> slowing_in, slowing_out;  ///< how much slower the motion is near the end
  double squares = 0, products = 0, values = 0, pairs = 0;

  void add_scatter(const Vector& run, Index first, Index last, const End& end) {
    for (Index k = first + 1; k + 1 < last; ++k) {
      const double off = end.below(run[k]);
      squares += off * off;
      values += 1;
      if (k == first + 1) continue;
      products += off * end.below(run[k - 1]);
      pairs += 1;
    }
  }

  /// Whether what is left of the stays is noise of this size, and the motion did not slow down before.
  bool are_plain(double noise) const {
    constexpr Index fewest = 3;
    constexpr double wider = 1.5, correlated = 0.3, slower = 0.7;
    return count >= fewest && squares <= wider * wider * noise * noise * values &&
           products * values <= correlated * squares * pairs && median(slowing_in) > slower &&
           median(slowing_out) > slower;
  }
};

void look_at(const Vector& run, const End& end, double range, Stays& stays) {
  constexpr Index shortest = 5;
  constexpr double higher = 28, part = 0.1, on_the_way = 2;
  for (Index first = 0; first < run.size(); ++first) {
    if (!end.holds(run[first])) continue;
    // A single value may scatter farther.
    Index last = first + 1;
    while (last < run.size() &&
           (end.holds(run[last]) ||
            (last + 1 < run.size() && end.holds(run[last + 1]) && !std::isnan(run[last]))))
      ++last;
    const Index begin = std::exchange(first, last);
    if (last - begin < shortest) continue;
    const auto in = passage_from(run, begin, -1, end), out = passage_from(run, last - 1, 1, end);
    if (!in || !out || std::min(in->near + in->far, out->near + out->far) < on_the_way) continue;
    const double way = end.depth - band * end.noise;
    const double speed = way / std::max(in->near, out->near);
    // How far the motion would have gone on, had it turned half-way.
    const double beyond = speed * static_cast<double>(last - begin) / 2;
    if (beyond < std::max(higher * end.noise, part * range)) continue;
    ++stays.count;
    stays.samples += last - begin;
    const auto slowing = [&](const Passage& passage) {
      return way / passage.near / (end.depth / passage.far);
    };
    stays.slowing_in.push_back(slowing(*in));
    stays.slowing_out.push_back(slowing(*out));
    stays.add_scatter(run, begin, last, end);
  }
}

Index clipped_at_end(const std::vector<Vector>& runs, double noise, double sign, double lowest,
                     double highest) {
  const double range = highest - lowest;
  constexpr double deep = 10.5, part = 0.2, beyond_noise = 0.005;
  const End end{level_below(runs, sign, highest, noise), noise,
                std::max(deep * noise, part * range)};
  Index inside = 0, above = 0;
  Stays stays;
  for (const Vector& run : runs) {
    for (const double value : run) {
      inside += end.holds(sign * value) ? 1 : 0;
      above += end.below(sign * value) < -band * noise ? 1 : 0;
    }
    look_at(sign * run, end, range, stays);
  }
  if (static_cast<double>(above) > 1 + beyond_noise * static_cast<double>(inside)) return 0;
  return stays.are_plain(noise) ? stays.samples : 0;
}

}  // namespace

Index clipped_under_noise(const std::vector<Vector>& runs, double noise) {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (const Vector& run : runs)
    for (const double value : run)
      if (!Trajectory::missing(value)) {
        lowest = std::min(lowest, value);
        highest = std::max(highest, value);
      }
  // What is beyond the end must be told from noise.
  constexpr double fewest = 40;
  if (!(noise > 0) || !(highest - lowest > fewest * noise)) return 0;
  return clipped_at_end(runs, noise, 1, lowest, highest) +
         clipped_at_end(runs, noise, -1, -highest, -lowest);
}

}  // namespace lgn::inspection_internal
