#include "lgn/data/repeated_channels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "lgn/core/random.h"
#include "lgn/data/channel_noise.h"
#include "lgn/data/scales.h"

namespace lgn {
namespace {

/// A channel about its mean.
struct AboutMean {
  Index channel = 0;
  double mean = 0, norm = 0;
  double print = 0;  ///< |⟨w, y − mean⟩| / norm for random w: the same for multiples
};

std::vector<AboutMean> about_means(const Dataset& data) {
  std::vector<AboutMean> found;
  for (Index c = 0; c < data.dimension(); ++c) {
    AboutMean channel{c};
    double count = 0;
    const auto visit = [&](auto action) {
      Random random(1);
      for (const auto& run : data.runs())
        for (Index k = 0; k < run.samples(); ++k) {
          const double weight = random.uniform() - 0.5, value = run.states()(c, k);
          if (!Trajectory::missing(value)) action(weight, value);
        }
    };
    visit([&](double, double value) { channel.mean += value, count += 1; });
    channel.mean /= std::max(1.0, count);
    double norm = 0, along = 0;
    visit([&](double weight, double value) {
      norm += (value - channel.mean) * (value - channel.mean);
      along += weight * (value - channel.mean);
    });
    channel.norm = std::sqrt(norm);
    channel.print = std::abs(along) / channel.norm;
    constexpr double fewest = 16;
    if (count >= fewest && std::isfinite(channel.print)) found.push_back(channel);
  }
  return found;
}

/// What is left of one channel by another: Σ r² and whether the numbers are the same, gaps included.
struct RestOf {
  double squares = 0, count = 0;
  bool same = true;
};

std::optional<RestOf> rest_of(const Dataset& data, const AboutMean& channel, const AboutMean& by,
                              double factor) {
  RestOf left;
  for (const auto& run : data.runs())
    for (Index k = 0; k < run.samples(); ++k) {
      const double y = run.states()(channel.channel, k), x = run.states()(by.channel, k);
      if (Trajectory::missing(y) != Trajectory::missing(x)) return {};
      if (Trajectory::missing(y)) continue;
      const double off = y - channel.mean - factor * (x - by.mean);
      left.squares += off * off;
      left.count += 1;
      left.same = left.same && x == y;
    }
  return left;
}

/// Whether a channel repeats one before it, and how.
std::optional<RepeatedChannel> repetition(const Dataset& data, const AboutMean& channel,
                                          const AboutMean& before) {
  double products = 0;
  for (const auto& run : data.runs())
    for (Index k = 0; k < run.samples(); ++k) {
      const double y = run.states()(channel.channel, k), x = run.states()(before.channel, k);
      if (!Trajectory::missing(y) && !Trajectory::missing(x))
        products += (y - channel.mean) * (x - before.mean);
    }
  const double factor = products / (before.norm * before.norm);
  const auto left = rest_of(data, channel, before, factor);
  if (!left) return {};
  if (left->same) return RepeatedChannel{channel.channel, before.channel, 1, 0};
  constexpr double shared = 0.01;
  const double rest = std::sqrt(left->squares / left->count);
  // Most channels differ by more than any noise in them.
  if (rest > shared * channel.norm / std::sqrt(left->count)) return {};
  const double noise = white_noise_in(runs_of(data, channel.channel));
  if (!(noise > 0 && rest <= shared * noise)) return {};
  return RepeatedChannel{channel.channel, before.channel, factor,
                         channel.mean - factor * before.mean};
}

}  // namespace

std::vector<RepeatedChannel> repeated_channels(const Dataset& data) {
  std::vector<AboutMean> channels = about_means(data);
  std::sort(channels.begin(), channels.end(), [](const AboutMean& a, const AboutMean& b) {
    return std::pair(a.print, a.channel) < std::pair(b.print, b.channel);
  });
  // What of two prints may differ where a hundredth of the noise does.
  constexpr double alike = 1e-2;
  constexpr std::size_t most = 64;
  std::vector<RepeatedChannel> found;
  std::vector<bool> repeats(static_cast<std::size_t>(data.dimension()), false);
  std::vector<std::size_t> order(channels.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return channels[a].channel < channels[b].channel;
  });
  for (const std::size_t k : order) {
    std::optional<RepeatedChannel> first;
    for (const int step : {-1, 1}) {
      std::size_t tried = 0;
      for (std::size_t j = k + static_cast<std::size_t>(step);
           j < channels.size() && tried++ < most && !first; j += static_cast<std::size_t>(step)) {
        if (std::abs(channels[j].print - channels[k].print) > alike) break;
        if (channels[j].channel > channels[k].channel ||
            repeats[static_cast<std::size_t>(channels[j].channel)])
          continue;
        first = repetition(data, channels[k], channels[j]);
      }
    }
    if (!first) continue;
    repeats[static_cast<std::size_t>(first->channel)] = true;
    found.push_back(*first);
  }
  return found;
}

std::string repetitions(const std::vector<RepeatedChannel>& repeated, const Dataset& data) {
  constexpr std::size_t most = 8;
  std::vector<std::string> words;
  const Vector sizes = channel_amplitudes(data);
  for (const RepeatedChannel& one : repeated) {
    if (words.size() == most) {
      words.emplace_back("…");
      break;
    }
    const auto name = [&](Index c) { return data.channels()[static_cast<std::size_t>(c)]; };
    constexpr double rounding = 1e-6;
    const bool plain = std::abs(one.factor - 1) < rounding;
    words.push_back(fmt::format(
        "{} is {}{}{}", name(one.channel), plain ? "" : fmt::format("{:.4g} ", one.factor),
        name(one.of),
        std::abs(one.constant) < rounding * sizes[one.channel]
            ? ""
            : fmt::format(" {} {:.5g}", one.constant < 0 ? "−" : "+", std::abs(one.constant))));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

Dataset of_channels(const Dataset& data, const std::vector<std::string>& channels) {
  if (channels == data.channels()) return data;
  std::vector<Index> rows;
  for (const std::string& name : channels) {
    const auto found = std::find(data.channels().begin(), data.channels().end(), name);
    if (found == data.channels().end()) return data;
    rows.push_back(found - data.channels().begin());
  }
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs())
    runs.emplace_back(run.label(), run.times(), run.states()(rows, Eigen::all), run.inputs());
  return Dataset(channels, std::move(runs), data.inputs());
}

}  // namespace lgn
