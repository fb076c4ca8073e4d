#include "lgn/report/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/report/markup.h"

namespace lgn {
namespace {

constexpr int left = 70, right = 16, top = 34, bottom = 46;

/// Round tick values, about six of them: 1, 2 or 5 times a power of ten apart.
std::vector<double> ticks(double low, double high) {
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

/// Differences of such numbers are finite.
bool drawable(double value) { return std::abs(value) < 1e300; }

/// The numbers that an axis has to show, and a margin.
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void add(double value) {
    if (!drawable(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double margin() const {
    return high > low ? 0.04 * (high - low) : std::max(1.0, std::abs(low)) * 0.1;
  }
  double from() const { return low <= high ? low - margin() : 0; }
  double to() const { return low <= high ? high + margin() : 1; }
};

/// Of those widths that exist.
double median_width(const Vector& low, const Vector& high) {
  std::vector<double> widths;
  for (Index k = 0; k < low.size(); ++k)
    if (drawable(low[k]) && drawable(high[k])) widths.push_back(high[k] - low[k]);
  if (widths.empty()) return 0;
  const auto middle = widths.begin() + static_cast<std::ptrdiff_t>(widths.size() / 2);
  std::nth_element(widths.begin(), middle, widths.end());
  return *middle;
}

}  // namespace

SvgPlot::SvgPlot(std::string title, std::string x_label, std::string y_label, int width, int height)
    : title_(std::move(title)),
      x_label_(std::move(x_label)),
      y_label_(std::move(y_label)),
      width_(width),
      height_(height) {}

void SvgPlot::line(const Vector& x, const Vector& y, int colour, const std::string& label) {
  series_.push_back({Kind::line, x, y, colour, label});
}
void SvgPlot::dots(const Vector& x, const Vector& y, int colour, const std::string& label) {
  series_.push_back({Kind::dots, x, y, colour, label});
}
void SvgPlot::crosses(const Vector& x, const Vector& y, int colour, const std::string& label) {
  series_.push_back({Kind::crosses, x, y, colour, label});
}
void SvgPlot::circles(const Vector& x, const Vector& y, int colour, const std::string& label) {
  series_.push_back({Kind::circles, x, y, colour, label});
}
void SvgPlot::band(const Vector& x, const Vector& low, const Vector& high, int colour) {
  series_.push_back({Kind::band, x, low, colour, {}, high});
}

SvgPlot::Range SvgPlot::range_x() const {
  Extent extent;
  for (const auto& series : series_)
    for (const double value : series.x) extent.add(value);
  return {extent.from(), extent.to()};
}

SvgPlot::Range SvgPlot::range_y() const {
  Extent extent;
  for (const auto& series : series_) {
    const double widest = series.kind == Kind::band ? 10 * median_width(series.y, series.high) : 0;
    for (Index k = 0; k < series.y.size(); ++k) {
      if (series.kind == Kind::band && !(series.high[k] - series.y[k] <= widest)) continue;
      extent.add(series.y[k]);
      if (series.kind == Kind::band) extent.add(series.high[k]);
    }
  }
  return {extent.from(), extent.to()};
}

double SvgPlot::place_x(double value, const Range& r) const {
  return left + (value - r.low) / (r.high - r.low) * (width_ - left - right);
}
double SvgPlot::place_y(double value, const Range& r) const {
  return height_ - bottom - (value - r.low) / (r.high - r.low) * (height_ - top - bottom);
}

std::vector<Index> SvgPlot::thinned(const Series& s, const Range& x) const {
  std::vector<Index> kept;
  for (Index k = 0; k < s.x.size();) {
    if (s.kind == Kind::crosses || s.kind == Kind::circles || !drawable(s.x[k]) ||
        !drawable(s.y[k])) {
      kept.push_back(k++);
      continue;
    }
    const double column = std::floor(place_x(s.x[k], x));
    Index end = k, low = k, high = k;
    for (; end < s.x.size() && drawable(s.x[end]) && drawable(s.y[end]) &&
           std::floor(place_x(s.x[end], x)) == column;
         ++end) {
      if (s.y[end] < s.y[low]) low = end;
      if (s.y[end] > s.y[high]) high = end;
    }
    for (const Index p : {k, std::min(low, high), std::max(low, high), end - 1})
      if (kept.empty() || kept.back() != p) kept.push_back(p);
    k = end;
  }
  return kept;
}

std::string SvgPlot::marks(const Series& s, const Range& x, const Range& y) const {
  const char* colour = palette_colour(s.colour);
  std::string out;
  if (s.kind == Kind::line)
    out = fmt::format("<path fill='none' stroke='{}' stroke-width='1.5' d='", colour);
  bool pen_down = false;
  for (const Index k : thinned(s, x)) {
    const bool present = drawable(s.x[k]) && drawable(s.y[k]);
    const double px = place_x(s.x[k], x), py = place_y(s.y[k], y);
    if (present && s.kind == Kind::dots)
      out += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='1.6' fill='{}' fill-opacity='.55'/>",
                         px, py, colour);
    if (present && s.kind == Kind::crosses)
      out += fmt::format("<path d='M{:.1f} {:.1f}l8 8m0 -8l-8 8' stroke='{}' stroke-width='1.8'/>",
                         px - 4, py - 4, colour);
    if (present && s.kind == Kind::circles)
      out += fmt::format(
          "<circle cx='{:.1f}' cy='{:.1f}' r='4.5' fill='none' stroke='{}' stroke-width='1.8'/>",
          px, py, colour);
    if (present && s.kind == Kind::line)
      out += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", px, py);
    pen_down = present;
  }
  return s.kind == Kind::line ? out + "'/>" : out;
}

std::string SvgPlot::area(const Series& s, const Range& x, const Range& y) const {
  const auto place = [&](double value) {
    return std::clamp(place_y(value, y), 1.0 * top, 1.0 * (height_ - bottom));
  };
  std::string out, there, back;
  const auto close = [&] {
    if (!there.empty())
      out += fmt::format("<path fill='{}' fill-opacity='.2' stroke='none' d='M{}{}Z'/>",
                         palette_colour(s.colour), there, back);
    there.clear();
    back.clear();
  };
  for (Index k = 0; k < s.x.size();) {
    const auto present = [&](Index at) {
      return drawable(s.x[at]) && drawable(s.y[at]) && drawable(s.high[at]);
    };
    if (!present(k)) {
      close();
      ++k;
      continue;
    }
    // One point a pixel column, around all that is in it.
    const double px = place_x(s.x[k], x), column = std::floor(px);
    double low = s.y[k], high = s.high[k];
    for (; k < s.x.size() && present(k) && std::floor(place_x(s.x[k], x)) == column; ++k) {
      low = std::min(low, s.y[k]);
      high = std::max(high, s.high[k]);
    }
    there += fmt::format("{}{:.1f} {:.1f}", there.empty() ? "" : "L", px, place(high));
    back = fmt::format("L{:.1f} {:.1f}", px, place(low)) + back;
  }
  close();
  return out;
}

std::string SvgPlot::svg() const {
  const Range x = range_x(), y = range_y();
  std::string out = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' "
      "role='img' "
      "aria-label='{2}' font-family='system-ui,sans-serif' font-size='12'>"
      "<rect width='100%' height='100%' fill='#ffffff'/><text x='{3}' y='20' font-size='14' "
      "font-weight='600'>{2}</text>",
      width_, height_, escape_markup(title_), left);
  for (const double tick : ticks(x.low, x.high)) {
    const double px = place_x(tick, x);
    out += fmt::format(
        "<path d='M{0:.1f} {1}V{2}' stroke='#e4e4e4'/><text x='{0:.1f}' y='{3}' "
        "text-anchor='middle' "
        "fill='#444'>{4:.4g}</text>",
        px, top, height_ - bottom, height_ - bottom + 16, tick);
  }
  for (const double tick : ticks(y.low, y.high)) {
    const double py = place_y(tick, y);
    out += fmt::format(
        "<path d='M{0} {1:.1f}H{2}' stroke='#e4e4e4'/><text x='{3}' y='{4:.1f}' text-anchor='end' "
        "fill='#444'>{5:.4g}</text>",
        left, py, width_ - right, left - 6, py + 4, tick);
  }
  for (const auto& s : series_) out += s.kind == Kind::band ? area(s, x, y) : marks(s, x, y);
  out += fmt::format(
      "<rect x='{0}' y='{1}' width='{2}' height='{3}' fill='none' stroke='#888'/>"
      "<text x='{4}' y='{5}' text-anchor='middle' fill='#222'>{6}</text>"
      "<text transform='translate(15 {7}) rotate(-90)' text-anchor='middle' fill='#222'>{8}</text>",
      left, top, width_ - left - right, height_ - top - bottom, (left + width_ - right) / 2,
      height_ - 10, escape_markup(x_label_), (top + height_ - bottom) / 2, escape_markup(y_label_));
  double legend = width_ - right - 8.0;
  for (auto s = series_.rbegin(); s != series_.rend(); ++s) {
    if (s->label.empty()) continue;
    out += fmt::format("<text x='{:.0f}' y='20' text-anchor='end' fill='{}'>{} {}</text>", legend,
                       palette_colour(s->colour),
                       s->kind == Kind::circles   ? "○"
                       : s->kind == Kind::crosses ? "×"
                                                  : "●",
                       escape_markup(s->label));
    legend -= 7.0 * static_cast<double>(s->label.size()) + 30;
  }
  return out + "</svg>";
}

}  // namespace lgn
