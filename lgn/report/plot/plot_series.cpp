#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/report/plot/plot.h"
#include "lgn/report/plot/plot_frame_internal.h"
#include "lgn/report/text/markup.h"

namespace lgn {
namespace {

std::string path_data(const std::vector<PlotPoint>& points) {
  std::string out;
  for (const PlotPoint& p : points)
    out += fmt::format("{}{:.1f} {:.1f}", out.empty() ? "M" : "L", p.x, p.y);
  return out;
}

std::string filled(const std::vector<PlotPoint>& polygon, int colour) {
  if (polygon.empty()) return {};
  return fmt::format("<path fill='{}' fill-opacity='.2' stroke='none' d='{}Z'/>",
                     palette_colour(colour), path_data(polygon));
}

}  // namespace

Plot::Series Plot::on_axes(const Series& series, const PlotFrame& frame) {
  const auto along = [](const PlotAxis& axis, const Vector& values) -> Vector {
    return values.unaryExpr([&axis](double value) { return axis.coordinate(value); });
  };
  Series placed = series;
  placed.x = along(frame.x, series.x);
  placed.y = along(frame.y, series.y);
  if (series.kind != Kind::cells) placed.high = along(frame.y, series.high);
  return placed;
}

std::string Plot::draw(const Series& series, const PlotFrame& frame) {
  const Series placed = on_axes(series, frame);
  switch (series.kind) {
    case Kind::line:
      return path(placed, frame);
    case Kind::band:
      return area(placed, frame);
    case Kind::steps:
      return staircase(placed, frame);
    case Kind::cells:
      return squares(placed, frame);
    default:
      return points(placed, frame);
  }
}

std::vector<Index> Plot::thinned(const Series& s, const PlotFrame& frame) {
  std::vector<Index> kept;
  for (Index k = 0; k < s.x.size();) {
    if (s.kind == Kind::crosses || s.kind == Kind::circles || std::isnan(s.x[k]) ||
        std::isnan(s.y[k])) {
      kept.push_back(k++);
      continue;
    }
    const double column = std::floor(frame.place_x(s.x[k]));
    Index end = k, low = k, high = k;
    for (; end < s.x.size() && !std::isnan(s.x[end]) && !std::isnan(s.y[end]) &&
           std::floor(frame.place_x(s.x[end])) == column;
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

std::string Plot::points(const Series& s, const PlotFrame& frame) {
  const char* colour = palette_colour(s.colour);
  std::string out;
  for (const Index k : thinned(s, frame)) {
    const PlotPoint p{frame.place_x(s.x[k]), frame.place_y(s.y[k])};
    if (!frame.contains(p)) continue;  // nor does it contain a gap
    if (s.kind == Kind::dots)
      out += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='1.6' fill='{}' fill-opacity='.55'/>",
                         p.x, p.y, colour);
    if (s.kind == Kind::crosses)
      out += fmt::format("<path d='M{:.1f} {:.1f}l8 8m0 -8l-8 8' stroke='{}' stroke-width='1.8'/>",
                         p.x - 4, p.y - 4, colour);
    if (s.kind == Kind::circles)
      out += fmt::format(
          "<circle cx='{:.1f}' cy='{:.1f}' r='4.5' fill='none' stroke='{}' stroke-width='1.8'/>",
          p.x, p.y, colour);
  }
  return out;
}

std::string Plot::path(const Series& s, const PlotFrame& frame) {
  std::string data;
  bool begun = false, drawn = false;  // there is a point before; the pen is on it
  PlotPoint before{};
  for (const Index k : thinned(s, frame)) {
    const PlotPoint p{frame.place_x(s.x[k]), frame.place_y(s.y[k])};
    const bool present = !std::isnan(p.x) && !std::isnan(p.y);
    const auto segment = begun && present ? frame.inside(before, p) : std::nullopt;
    if (segment) {
      const auto& [from, to] = *segment;
      if (!drawn) data += fmt::format("M{:.1f} {:.1f}", from.x, from.y);
      data += fmt::format("L{:.1f} {:.1f}", to.x, to.y);
    }
    // A segment that was cut off at its end leaves the pen on the edge, not on the point.
    drawn = segment && frame.contains(p);
    begun = present;
    before = p;
  }
  return fmt::format("<path fill='none' stroke='{}' stroke-width='{:g}'{} d='{}'/>",
                     s.stroke.faint ? "#b0b0b0" : palette_colour(s.colour), s.stroke.width,
                     s.stroke.dashed ? " stroke-dasharray='6 4'" : "", data);
}

std::string Plot::area(const Series& s, const PlotFrame& frame) {
  const auto place = [&](double at) {
    return std::clamp(frame.place_y(at), 1.0 * frame.top, 1.0 * frame.bottom);
  };
  std::string out;
  std::vector<PlotPoint> there, back;
  const auto close = [&] {
    there.insert(there.end(), back.rbegin(), back.rend());
    out += filled(frame.between_sides(there), s.colour);
    there.clear();
    back.clear();
  };
  for (Index k = 0; k < s.x.size();) {
    const auto present = [&](Index at) {
      return !std::isnan(s.x[at]) && !std::isnan(s.y[at]) && !std::isnan(s.high[at]);
    };
    if (!present(k)) {
      close();
      ++k;
      continue;
    }
    // One point a pixel column, around all that is in it.
    const double px = frame.place_x(s.x[k]), column = std::floor(px);
    double low = s.y[k], high = s.high[k];
    for (; k < s.x.size() && present(k) && std::floor(frame.place_x(s.x[k])) == column; ++k) {
      low = std::min(low, s.y[k]);
      high = std::max(high, s.high[k]);
    }
    there.push_back({px, place(high)});
    back.push_back({px, place(low)});
  }
  close();
  return out;
}

std::string Plot::staircase(const Series& s, const PlotFrame& frame) {
  const auto place = [](double at, int low, int high) {
    return std::clamp(at, 1.0 * low, 1.0 * high);
  };
  // A logarithmic axis has no zero to stand on.
  const double ground =
      frame.y.logarithmic ? frame.bottom : place(frame.place_y(0), frame.top, frame.bottom);
  std::vector<PlotPoint> outline;
  for (Index k = 0; k < s.y.size(); ++k) {
    const double from = frame.place_x(s.x[k]), to = frame.place_x(s.x[k + 1]);
    if (std::isnan(from) || std::isnan(to)) continue;
    const double height =
        std::isnan(s.y[k]) ? ground : place(frame.place_y(s.y[k]), frame.top, frame.bottom);
    if (outline.empty()) outline.push_back({place(from, frame.left, frame.right), ground});
    for (const double px : {from, to})
      outline.push_back({place(px, frame.left, frame.right), height});
  }
  if (outline.empty()) return {};
  outline.push_back({outline.back().x, ground});
  return filled(outline, s.colour) + fmt::format("<path fill='none' stroke='{}' d='{}'/>",
                                                 palette_colour(s.colour), path_data(outline));
}

std::string Plot::squares(const Series& s, const PlotFrame& frame) {
  std::string out;
  for (Index k = 0; k < s.x.size(); ++k) {
    const double left = frame.place_x(s.x[k] - 0.5), right = frame.place_x(s.x[k] + 0.5);
    const double top = frame.place_y(s.y[k] + 0.5), bottom = frame.place_y(s.y[k] - 0.5);
    if (!frame.contains({left, top}) || !frame.contains({right, bottom})) continue;
    out += fmt::format(
        "<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='{}' "
        "fill-opacity='{:.3f}'/>",
        left, top, right - left, bottom - top, palette_colour(s.colour),
        std::isfinite(s.high[k]) ? std::clamp(s.high[k], 0.0, 1.0) : 0.0);
  }
  return out;
}

}  // namespace lgn
