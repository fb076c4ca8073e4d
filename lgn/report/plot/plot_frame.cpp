#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "lgn/report/plot/plot_frame_internal.h"

namespace lgn {
namespace {

/// Round values, about six of them: 1, 2 or 5 times a power of ten apart.
std::vector<double> round_values(double low, double high) {
  const double raw = (high - low) / 6, power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double multiple : {1.0, 2.0, 5.0})
    if (multiple * power >= raw) {
      step = multiple * power;
      break;
    }
  std::vector<double> values;
  // Counted, because adding 1 to a large number may not change it: a narrow range far from zero.
  const double first = std::ceil(low / step);
  for (int k = 0; k < 12 && (first + k) * step <= high + 1e-9 * step; ++k)
    values.push_back((first + k) * step);
  return values;
}

/// "10⁻⁸".
std::string power_of_ten(int exponent) {
  static constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent)))
    text += digits[static_cast<std::size_t>(digit - '0')];
  return text;
}

/// 20, 0.05, 2·10⁻⁸.
std::string multiple_label(int multiple, int exponent) {
  if (exponent >= -3 && exponent <= 3)
    return fmt::format("{:.4g}", multiple * std::pow(10.0, exponent));
  if (multiple == 1) return power_of_ten(exponent);
  return fmt::format("{}·{}", multiple, power_of_ten(exponent));
}

/// Decades between labels, so that at most nine fit in.
int decades_apart(double decades) {
  for (const int step : {1, 2, 3, 4, 5, 10, 20, 25, 50})
    if (decades / step <= 8) return step;
  return 100;
}

std::vector<PlotTick> decades(double low, double high) {
  const int step = decades_apart(high - low);
  const bool room = high - low <= 6;
  std::vector<PlotTick> ticks;
  for (int k = static_cast<int>(std::floor(low)); k <= high; ++k)
    for (int multiple = 1; multiple <= (room ? 9 : 1); ++multiple) {
      const double at = k + std::log10(multiple);
      if (at < low || at > high) continue;
      const bool labelled = multiple == 1 && k % step == 0;
      if (labelled || step <= 5) ticks.push_back({at, labelled ? power_of_ten(k) : std::string()});
    }
  return ticks;
}

std::vector<PlotTick> parts_of_decades(double low, double high) {
  std::vector<PlotTick> ticks;
  for (int k = static_cast<int>(std::floor(low)); k <= high; ++k)
    for (int multiple = 1; multiple <= 9; ++multiple) {
      const double at = k + std::log10(multiple);
      const bool labelled = multiple == 1 || multiple == 2 || multiple == 5;
      if (at >= low && at <= high)
        ticks.push_back({at, labelled ? multiple_label(multiple, k) : std::string()});
    }
  return ticks;
}

bool enough(const std::vector<PlotTick>& ticks) {
  return std::count_if(ticks.begin(), ticks.end(), [](const auto& t) { return !t.label.empty(); }) >
         1;
}

}  // namespace

double PlotAxis::coordinate(double value) const {
  if (!drawable(value) || (logarithmic && value <= 0))
    return std::numeric_limits<double>::quiet_NaN();
  return logarithmic ? std::log10(value) : value;
}

std::vector<PlotTick> PlotAxis::ticks() const {
  if (logarithmic) {
    if (auto found = decades(low, high); enough(found)) return found;
    if (auto found = parts_of_decades(low, high); enough(found)) return found;
  }
  std::vector<PlotTick> found;
  if (logarithmic)
    for (const double value : round_values(std::pow(10.0, low), std::pow(10.0, high)))
      found.push_back({coordinate(value), fmt::format("{:.4g}", value)});
  else {
    const std::vector<double> values = round_values(low, high);
    // As many digits as tell neighbours apart, of a clock's seconds for one.
    const double step = values.size() > 1 ? values[1] - values[0] : high - low;
    const double size = std::max(std::abs(low), std::abs(high));
    const int digits = std::clamp(1 + static_cast<int>(std::ceil(std::log10(size / step))), 4, 15);
    for (const double value : values)
      found.push_back({value, fmt::format("{:.{}g}", value, digits)});
  }
  return found;
}

void PlotAxis::widen(double length) {
  const double more = (length - (high - low)) / 2;
  low -= more;
  high += more;
}

void PlotExtent::add(double value) {
  const double at = axis_.coordinate(value);
  if (std::isnan(at)) return;
  axis_.low = empty_ ? at : std::min(axis_.low, at);
  axis_.high = empty_ ? at : std::max(axis_.high, at);
  empty_ = false;
}

PlotAxis PlotExtent::axis() const {
  if (empty_) return axis_;
  const double length = axis_.high - axis_.low;
  const double alone = axis_.logarithmic ? 0.5 : 0.1 * std::max(1.0, std::abs(axis_.low));
  const double margin = length > 0 ? 0.04 * length : alone;
  return {axis_.logarithmic, axis_.low - margin, axis_.high + margin};
}

bool PlotFrame::contains(const PlotPoint& p) const {
  return p.x >= left && p.x <= right && p.y >= top && p.y <= bottom;
}

std::optional<std::pair<PlotPoint, PlotPoint>> PlotFrame::inside(const PlotPoint& from,
                                                                 const PlotPoint& to) const {
  if (contains(from) && contains(to)) return std::pair(from, to);
  const double dx = to.x - from.x, dy = to.y - from.y;
  double enter = 0, leave = 1;
  // Each edge: how far outside the start is, and how fast the segment goes further out.
  for (const auto& [out, speed] : {std::pair(left - from.x, -dx), std::pair(from.x - right, dx),
                                   std::pair(top - from.y, -dy), std::pair(from.y - bottom, dy)}) {
    if (speed == 0 && out > 0) return {};
    if (speed < 0) enter = std::max(enter, -out / speed);
    if (speed > 0) leave = std::min(leave, -out / speed);
  }
  if (!(enter < leave)) return {};
  // Rounding far outside is large, but an end on an edge is on it.
  const auto at = [&](double t) {
    return PlotPoint{std::clamp<double>(from.x + t * dx, left, right),
                     std::clamp<double>(from.y + t * dy, top, bottom)};
  };
  return std::pair(enter > 0 ? at(enter) : from, leave < 1 ? at(leave) : to);
}

std::vector<PlotPoint> PlotFrame::between_sides(const std::vector<PlotPoint>& polygon) const {
  std::vector<PlotPoint> kept = polygon;
  for (const auto& [edge, sign] : {std::pair(left, 1), std::pair(right, -1)}) {
    std::vector<PlotPoint> all;
    std::swap(all, kept);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const PlotPoint &p = all[k], &before = all[(k + all.size() - 1) % all.size()];
      const bool in = sign * (p.x - edge) >= 0, was_in = sign * (before.x - edge) >= 0;
      if (in != was_in) {
        const double t = (edge - before.x) / (p.x - before.x);
        kept.push_back({1.0 * edge, before.y + t * (p.y - before.y)});
      }
      if (in) kept.push_back(p);
    }
  }
  return kept;
}

}  // namespace lgn
