#include "lgn/data/inspection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "lgn/core/median.h"
#include "lgn/data/channel_noise.h"
#include "lgn/data/clipping_internal.h"
#include "lgn/data/outliers.h"
#include "lgn/data/record_kind_internal.h"
#include "lgn/data/scales.h"

namespace lgn {
namespace {

using Row = Eigen::VectorXd;

/// Values of one channel or input, run by run.
std::vector<Row> rows_of(const Dataset& data, Index row, bool is_input) {
  std::vector<Row> rows;
  for (const auto& run : data.runs())
    rows.push_back((is_input ? run.inputs() : run.states()).row(row).transpose());
  return rows;
}

/// What the two samples before and the two after do not say about each, by a cubic through them.
Row surprises(const Row& row) {
  Row found = Row::Zero(row.size());
  for (Index k = 2; k + 2 < row.size(); ++k)
    found[k] = row[k] - (4 * (row[k - 1] + row[k + 1]) - row[k - 2] - row[k + 2]) / 6;
  return found;
}

/// Whether the surprises beside sample k are what a single wrong sample makes of its neighbours' predictions, −4/6 and 1/6 of its
/// own, at least on one side.
bool is_single(const Row& surprise, Index k) {
  constexpr double slack = 0.25;
  const auto side = [&](Index step) {
    const Index last = k + 2 * step;
    if (last < 2 || last + 2 >= surprise.size()) return false;
    const double near = surprise[k + step] / surprise[k], far = surprise[last] / surprise[k];
    return std::abs(near + 4.0 / 6) < slack && std::abs(far - 1.0 / 6) < slack;
  };
  return side(-1) || side(1);
}

/// What the median of sizes would be without wrong samples: of ten in a hundred, each of which makes five surprises, it is one of theirs
/// already. Twice the lower quartile is the median of normal noise, and of a motion that turns.
double clean_median(std::vector<double> sizes) {
  if (sizes.empty()) return 0;
  const auto quartile = sizes.begin() + std::ssize(sizes) / 4;
  std::nth_element(sizes.begin(), quartile, sizes.end());
  return 2 * *quartile;
}

/// Sizes of surprises from one sample to another; none where there are too few of them.
std::vector<double> sizes_of(const Row& surprise, Index first, Index last) {
  constexpr std::size_t fewest = 5;
  std::vector<double> sizes;
  for (Index j = std::max<Index>(2, first); j <= std::min(surprise.size() - 3, last); ++j)
    if (!Trajectory::missing(surprise[j])) sizes.push_back(std::abs(surprise[j]));
  if (sizes.size() < fewest) sizes.clear();
  return sizes;
}

/// Their median; zero where there are too few of them.
double usual_size(const Row& surprise, Index first, Index last) {
  std::vector<double> sizes = sizes_of(surprise, first, last);
  return sizes.empty() ? 0.0 : median(std::move(sizes));
}

/// How far values are from their median, wrong samples apart.
double spread(const Row& row, Index first, Index last) {
  std::vector<double> values;
  for (Index j = std::max<Index>(0, first); j <= std::min(row.size() - 1, last); ++j)
    if (!Trajectory::missing(row[j])) values.push_back(row[j]);
  const double middle = median(values);
  for (double& value : values) value = std::abs(value - middle);
  return clean_median(std::move(values));
}

/// Whether neighbours predict samples where there is more than noise: motion that turns in a few samples surprises all the time.
bool is_smooth(const Row& row, const Row& surprise, double noise) {
  constexpr Index most_places = 400, around = 7;
  constexpr double moves = 5, smooth = 0.2;
  // The median surprise of independent noise.
  const double by_noise = 0.6745 * std::sqrt(1 + 34.0 / 36.0) * noise;
  std::vector<double> shares;
  for (Index k = around; k < row.size(); k += 1 + row.size() / most_places) {
    const double size = spread(row, k - around, k + around);
    if (!(size > moves * noise)) continue;
    const double surprising = clean_median(sizes_of(surprise, k - around, k + around));
    shares.push_back(std::sqrt(std::max(0.0, surprising * surprising - by_noise * by_noise)) /
                     size);
  }
  return shares.empty() || median(std::move(shares)) < smooth;
}

/// Takes single samples out that differ from such a prediction by ten times what noise does, and by ten times what is
/// usual before or after them, whichever is larger: motion decays. Returns how many. A jump surprises twice in a row, and stays.
Index take_outliers(Row& row, double noise, double size_of_channel) {
  constexpr Index around = 7;
  constexpr double factor = 10, alone = 1.2;
  const Row surprise = surprises(row);
  if (!is_smooth(row, surprise, noise)) return 0;
  // Of independent noise, the prediction has 1 + 34/36 times the variance.
  // A corner of a clean signal surprises, too: less than a tenth of the channel is none.
  const double limit = std::max(factor * std::sqrt(1 + 34.0 / 36.0) * noise, 0.1 * size_of_channel);
  std::vector<Index> found;
  // The first and the last that can be predicted have a neighbour that cannot.
  for (Index k = 3; k + 3 < row.size(); ++k) {
    const double size = std::abs(surprise[k]);
    if (!(size > limit) || !(size > 0)) continue;
    const double beside = std::max(std::abs(surprise[k - 1]), std::abs(surprise[k + 1]));
    if (!(size > alone * beside) || !is_single(surprise, k)) continue;
    const double usual = std::max(usual_size(surprise, k - 2 - around, k - 3),
                                  usual_size(surprise, k + 3, k + 2 + around));
    if (usual > 0 && size > factor * usual) found.push_back(k);
  }
  for (const Index k : found) row[k] = std::numeric_limits<double>::quiet_NaN();
  return static_cast<Index>(found.size());
}

/// Samples at one end of the range that stand there three or more in a row. A coarse scale has other
/// levels as full; so an end counts where it holds five times as many as the level next to it.
/// Inputs are designed: one counts where it moves from sample to sample elsewhere and comes back to the end time and
/// again, and never at zero, where it rests.
Index clipped_at(const std::vector<Row>& rows, double level, double sign, bool is_input) {
  Index groups = 0, moves = 0, elsewhere = 0;
  double next = -std::numeric_limits<double>::infinity();
  Index at_level = 0, at_next = 0, grouped = 0;
  for (const Row& row : rows) {
    Index group = 0;
    for (Index k = 0; k <= row.size(); ++k) {
      const bool here = k < row.size() && row[k] == level;
      if (here) {
        ++at_level;
        ++group;
        continue;
      }
      if (group >= 3) {
        grouped += group;
        ++groups;
      }
      group = 0;
      if (k > 0 && k < row.size() && row[k - 1] != level) {
        ++elsewhere;
        moves += row[k] != row[k - 1];
      }
      if (k < row.size() && sign * row[k] > next) next = sign * row[k];
    }
  }
  for (const Row& row : rows)
    for (const double value : row) at_next += sign * value == next;
  constexpr Index fuller = 5, returns = 3;
  if (is_input && (level == 0 || groups < returns || 2 * moves < elsewhere)) return 0;
  return at_level >= fuller * std::max<Index>(at_next, 1) ? grouped : 0;
}

/// Stretches of one value that are much longer than others, with motion before them.
/// An input may rest at zero, or for the rest of its run.
Index stuck_in(const std::vector<Row>& rows, double low, double high, double size, bool is_input) {
  constexpr Index shortest = 12;
  Index stuck = 0;
  for (const Row& row : rows) {
    // How many stretches have each length.
    std::map<Index, Index> lengths;
    const auto usual_length = [&] {
      Index all = 0, before = 0;
      for (const auto& [length, many] : lengths) all += many;
      for (const auto& [length, many] : lengths) {
        before += many;
        if (before > all / 2) return static_cast<double>(length);
      }
      return 1.0;
    };
    for (const bool counting : {true, false}) {
      const double usual = counting ? 1 : usual_length();
      for (Index begin = 0; begin < row.size();) {
        Index end = begin + 1;
        while (end < row.size() && row[end] == row[begin]) ++end;
        const Index length = end - begin;
        if (counting) ++lengths[length];
        const bool is_end = row[begin] == low || row[begin] == high;
        const bool rests = is_input && (row[begin] == 0 || end == row.size());
        if (!counting && !is_end && !rests && length >= shortest &&
            static_cast<double>(length) > 20 * usual && begin > 0) {
          const Index window = std::min(begin, length);
          const auto before = row.segment(begin - window, window).array();
          const double moved = before.maxCoeff() - before.minCoeff();
          if (end < row.size() || moved > size) stuck += length;
        }
        begin = end;
      }
    }
  }
  return stuck;
}

ChannelInspection inspect_channel(const Dataset& data, Index row, bool is_input) {
  ChannelInspection found;
  std::vector<Row> rows = rows_of(data, row, is_input);
  double sum = 0, squares = 0;
  Index count = 0;
  found.minimum = std::numeric_limits<double>::infinity();
  found.maximum = -found.minimum;
  for (const Row& run : rows)
    for (const double value : run) {
      if (Trajectory::missing(value)) {
        ++found.missing;
        continue;
      }
      ++count;
      sum += value;
      squares += value * value;
      found.minimum = std::min(found.minimum, value);
      found.maximum = std::max(found.maximum, value);
    }
  const auto n = static_cast<double>(std::max<Index>(count, 1));
  found.is_input = is_input;
  found.name = (is_input ? data.inputs() : data.channels())[static_cast<std::size_t>(row)];
  found.mean = sum / n;
  found.rms = std::sqrt(squares / n);
  found.noise = noise_of(rows);
  const double deviation = std::sqrt(std::max(squares / n - found.mean * found.mean, 0.0));
  if (!is_input)
    for (Row& run : rows) found.outliers += take_outliers(run, found.noise, deviation);
  const inspection_internal::Level level = inspection_internal::level_of(rows, found.noise);
  found.offset = level.value;
  found.has_offset = level.stands_out && !is_input;
  if (found.maximum > found.minimum) {
    double low = found.maximum, high = found.minimum;
    for (const Row& run : rows)
      for (const double value : run)
        if (!Trajectory::missing(value)) {
          low = std::min(low, value);
          high = std::max(high, value);
        }
    found.clipped = clipped_at(rows, high, 1, is_input) + clipped_at(rows, low, -1, is_input);
    if (!is_input && found.clipped == 0)
      found.clipped = inspection_internal::clipped_under_noise(rows, found.noise);
    found.stuck = stuck_in(rows, low, high, 0.5 * deviation, is_input);
  }
  return found;
}

TimesInspection inspect_times(const Dataset& data) {
  TimesInspection found;
  const TimeSpan span = time_span(data);
  found.begin = span.begin;
  found.end = span.end;
  found.step = median_step(data);
  constexpr double gap = 1.5, even = 1e-3;
  double squares = 0, count = 0, largest = 0;
  for (const auto& run : data.runs())
    for (Index k = 1; k < run.samples(); ++k) {
      const double step = run.times()[k] - run.times()[k - 1];
      if (step > gap * found.step) {
        ++found.gaps;
        found.longest_gap = std::max(found.longest_gap, step);
        continue;
      }
      const double off = step / found.step - 1;
      squares += off * off;
      largest = std::max(largest, std::abs(off));
      count += 1;
    }
  found.jitter = count > 0 ? std::sqrt(squares / count) : 0;
  found.is_even = largest < even;
  return found;
}

}  // namespace

std::string name_of(RecordKind kind) {
  switch (kind) {
    case RecordKind::free:
      return "free";
    case RecordKind::driven:
      return "driven";
    case RecordKind::ambient:
      return "ambient";
    case RecordKind::growing:
      return "growing";
    case RecordKind::constant:
      return "constant";
  }
  return {};
}

std::vector<ChannelInspection> damaged_channels(const Dataset& data) {
  std::vector<ChannelInspection> found;
  const auto look = [&](Index row, bool is_input) {
    ChannelInspection channel = inspect_channel(data, row, is_input);
    if (channel.clipped + channel.stuck + channel.outliers > 0) found.push_back(std::move(channel));
  };
  for (Index c = 0; c < data.dimension(); ++c) look(c, false);
  for (std::size_t c = 0; c < data.inputs().size(); ++c) look(static_cast<Index>(c), true);
  return found;
}

Inspection inspect(const Dataset& data) {
  Inspection found;
  found.runs = static_cast<Index>(data.runs().size());
  found.samples = data.samples();
  found.times = inspect_times(data);
  const std::vector<ChannelKind> kinds = guess_kinds(data.channels());
  for (Index c = 0; c < data.dimension(); ++c) {
    found.channels.push_back(inspect_channel(data, c, false));
    found.channels.back().kind = kinds[static_cast<std::size_t>(c)];
  }
  for (std::size_t c = 0; c < data.inputs().size(); ++c)
    found.channels.push_back(inspect_channel(data, static_cast<Index>(c), true));
  const bool has_outliers =
      std::any_of(found.channels.begin(), found.channels.end(),
                  [](const ChannelInspection& channel) { return channel.outliers > 0; });
  found.record = inspection_internal::kind_of_record(has_outliers ? without_outliers(data) : data,
                                                     found.channels);
  return found;
}

}  // namespace lgn
