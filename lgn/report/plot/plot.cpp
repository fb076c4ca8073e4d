#include "lgn/report/plot/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/median.h"
#include "lgn/report/plot/plot_frame_internal.h"
#include "lgn/report/text/markup.h"

namespace lgn {
namespace {

constexpr int left = 70, right = 16, top = 34, bottom = 46, legend_line = 17;

/// In pixels, from the number of its characters.
double text_width(const std::string& text, double character) {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return character * static_cast<double>(std::count_if(text.begin(), text.end(), begins));
}

/// Of those widths that exist.
double median_width(const Vector& low, const Vector& high) {
  std::vector<double> widths;
  for (Index k = 0; k < low.size(); ++k)
    if (drawable(low[k]) && drawable(high[k])) widths.push_back(high[k] - low[k]);
  return median(std::move(widths));
}

void fix_range(double low, double high, Plot::Axis& axis) {
  if (!(drawable(low) && drawable(high) && low < high))
    throw Error(fmt::format("a plot cannot show the range from {:g} to {:g}", low, high));
  axis.fixed = true;
  axis.low = low;
  axis.high = high;
}

}  // namespace

Plot::Plot(std::string title, std::string x_label, std::string y_label, int width, int height)
    : title_(std::move(title)), width_(width), height_(height) {
  x_axis_.label = std::move(x_label);
  y_axis_.label = std::move(y_label);
}

Plot& Plot::log_x() {
  x_axis_.logarithmic = true;
  return *this;
}
Plot& Plot::log_y() {
  y_axis_.logarithmic = true;
  return *this;
}
Plot& Plot::range_x(double low, double high) {
  fix_range(low, high, x_axis_);
  return *this;
}
Plot& Plot::range_y(double low, double high) {
  fix_range(low, high, y_axis_);
  return *this;
}
Plot& Plot::equal_axes() {
  equal_axes_ = true;
  return *this;
}

void Plot::line(const Vector& x, const Vector& y, int colour, const std::string& label,
                const Stroke& stroke) {
  series_.push_back({Kind::line, x, y, colour, label, {}, stroke});
}
void Plot::dots(const Vector& x, const Vector& y, int colour, const std::string& label) {
  series_.push_back({Kind::dots, x, y, colour, label});
}
void Plot::crosses(const Vector& x, const Vector& y, int colour, const std::string& label,
                   std::vector<Index> items) {
  series_.push_back({Kind::crosses, x, y, colour, label, {}, {}, std::move(items)});
}
void Plot::circles(const Vector& x, const Vector& y, int colour, const std::string& label,
                   std::vector<Index> items) {
  series_.push_back({Kind::circles, x, y, colour, label, {}, {}, std::move(items)});
}
void Plot::band(const Vector& x, const Vector& low, const Vector& high, int colour) {
  series_.push_back({Kind::band, x, low, colour, {}, high});
}
void Plot::steps(const Vector& edges, const Vector& counts, int colour, const std::string& label) {
  if (edges.size() != counts.size() + 1)
    throw Error(fmt::format("a histogram of {} counts has {} edges, not {}", counts.size(),
                            edges.size(), counts.size() + 1));
  series_.push_back({Kind::steps, edges, counts, colour, label});
}
void Plot::cells(const Vector& x, const Vector& y, const Vector& values, int colour) {
  series_.push_back({Kind::cells, x, y, colour, {}, values});
}
void Plot::mark_x(double x, const std::string& label) { marks_.push_back({x, label}); }
void Plot::note(double x, double y, const std::string& text) { notes_.push_back({x, y, text}); }

PlotFrame Plot::frame(int legend_lines) const {
  PlotExtent x(x_axis_.logarithmic), y(y_axis_.logarithmic);
  for (const auto& mark : marks_) x.add(mark.x);
  for (const auto& series : series_) {
    for (const double value : series.x) x.add(value);
    const double widest = series.kind == Kind::band ? 10 * median_width(series.y, series.high) : 0;
    for (Index k = 0; k < series.y.size(); ++k) {
      if (series.kind == Kind::band && !(series.high[k] - series.y[k] <= widest)) continue;
      y.add(series.y[k]);
      if (series.kind == Kind::band) y.add(series.high[k]);
    }
    if (series.kind == Kind::steps) y.add(0);
  }
  const auto chosen = [](const Axis& choice, const PlotExtent& extent) {
    if (!choice.fixed) return extent.axis();
    if (choice.logarithmic && choice.low <= 0)
      throw Error(fmt::format("a logarithmic axis cannot begin at {:g}", choice.low),
                  "begin the range at a positive number");
    const PlotAxis axis{choice.logarithmic};
    return PlotAxis{choice.logarithmic, axis.coordinate(choice.low), axis.coordinate(choice.high)};
  };
  PlotFrame frame{left,
                  top + legend_lines * legend_line,
                  width_ - right,
                  height_ - bottom,
                  chosen(x_axis_, x),
                  chosen(y_axis_, y)};
  if (equal_axes_) {
    const int across = frame.right - frame.left, down = frame.bottom - frame.top;
    const double pixel =
        std::max((frame.x.high - frame.x.low) / across, (frame.y.high - frame.y.low) / down);
    frame.x.widen(pixel * across);
    frame.y.widen(pixel * down);
  }
  return frame;
}

std::optional<std::pair<double, double>> Plot::banded_range() const {
  const bool banded = std::any_of(series_.begin(), series_.end(),
                                  [](const Series& s) { return s.kind == Kind::band; });
  if (!banded || y_axis_.logarithmic) return {};
  const PlotFrame shown = frame(0);
  return std::pair(shown.y.low, shown.y.high);
}

std::vector<Plot::LegendEntry> Plot::legend() const {
  std::vector<LegendEntry> entries;
  double total = 0;
  for (const auto& s : series_) {
    if (s.label.empty()) continue;
    const bool dashed = s.kind == Kind::line && s.stroke.dashed;
    const char* sign = s.kind == Kind::circles   ? "○"
                       : s.kind == Kind::crosses ? "×"
                       : s.kind == Kind::steps   ? "■"
                       : dashed                  ? "– –"
                                                 : "●";
    entries.push_back({&s, sign + (" " + s.label), text_width(s.label, 7) + (dashed ? 40 : 30)});
    total += entries.back().width;
  }
  const double room = width_ - right - 8.0 - left;
  if ((title_.empty() ? 0 : text_width(title_, 7.5)) + total <= room) return entries;
  int line = title_.empty() ? 0 : 1;
  double used = 0;
  for (auto& entry : entries) {
    if (used > 0 && used + entry.width > room + 30) {
      ++line;
      used = 0;
    }
    entry.line = line;
    used += entry.width;
  }
  return entries;
}

std::string Plot::legend_text(const std::vector<LegendEntry>& entries) const {
  std::string out;
  const auto entry_text = [&](const LegendEntry& entry, double x, const char* anchor) {
    out += fmt::format("<text x='{:.0f}' y='{}' text-anchor='{}' fill='{}'>{}</text>", x,
                       20 + legend_line * entry.line, anchor,
                       entry.series->stroke.faint ? "#777" : palette_colour(entry.series->colour),
                       escape_markup(entry.text));
  };
  if (entries.empty() || entries.back().line == 0) {
    double end = width_ - right - 8.0;
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
      entry_text(*entry, end, "end");
      end -= entry->width;
    }
    return out;
  }
  double begin = left;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (k > 0 && entries[k].line != entries[k - 1].line) begin = left;
    entry_text(entries[k], begin, "start");
    begin += entries[k].width;
  }
  return out;
}

std::string Plot::grid(const PlotFrame& frame) const {
  // Cells are numbered: between them there is nothing to mark.
  const bool whole = std::any_of(series_.begin(), series_.end(),
                                 [](const Series& s) { return s.kind == Kind::cells; });
  std::string out;
  for (const auto& tick : frame.x.ticks()) {
    if (whole && tick.at != std::round(tick.at)) continue;
    const double px = frame.place_x(tick.at);
    if (tick.label.empty())
      out += fmt::format("<path d='M{:.1f} {}v-5' stroke='#888'/>", px, frame.bottom);
    else
      out += fmt::format(
          "<path d='M{0:.1f} {1}V{2}' stroke='#e4e4e4'/><text x='{0:.1f}' y='{3}' "
          "text-anchor='middle' "
          "fill='#444'>{4}</text>",
          px, frame.top, frame.bottom, frame.bottom + 16, tick.label);
  }
  for (const auto& tick : frame.y.ticks()) {
    if (whole && tick.at != std::round(tick.at)) continue;
    const double py = frame.place_y(tick.at);
    if (tick.label.empty())
      out += fmt::format("<path d='M{} {:.1f}h5' stroke='#888'/>", frame.left, py);
    else
      out += fmt::format(
          "<path d='M{0} {1:.1f}H{2}' stroke='#e4e4e4'/><text x='{3}' y='{4:.1f}' "
          "text-anchor='end' "
          "fill='#444'>{5}</text>",
          frame.left, py, frame.right, frame.left - 6, py + 4, tick.label);
  }
  return out;
}

std::string Plot::svg() const {
  const auto entries = legend();
  const PlotFrame frame = this->frame(entries.empty() ? 0 : entries.back().line);
  std::string out = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' "
      "role='img' "
      "aria-label='{2}' font-family='system-ui,sans-serif' font-size='12'>"
      "<rect width='100%' height='100%' fill='#ffffff'/><text x='{3}' y='20' font-size='14' "
      "font-weight='600'>{2}</text>",
      width_, height_, escape_markup(title_), left);
  out += grid(frame);
  std::string mark_labels;
  for (const auto& [x, label] : marks_) {
    const double px = frame.place_x(frame.x.coordinate(x));
    if (!(px >= frame.left && px <= frame.right)) continue;
    out += fmt::format("<path d='M{:.1f} {}V{}' stroke='#777' stroke-dasharray='4 3'/>", px,
                       frame.top, frame.bottom);
    // On the side that has room, and legible over what is drawn.
    const bool before = px + 6 + text_width(label, 6.5) > frame.right;
    mark_labels += fmt::format(
        "<text x='{:.1f}' y='{}' text-anchor='{}' font-size='11' fill='#555' stroke='#fff' "
        "stroke-width='3' paint-order='stroke'>{}</text>",
        before ? px - 5 : px + 5, frame.top + 14, before ? "end" : "start", escape_markup(label));
  }
  for (const auto& series : series_) out += draw(series, frame);
  for (const auto& [x, y, text] : notes_) {
    const PlotPoint p{frame.place_x(frame.x.coordinate(x)), frame.place_y(frame.y.coordinate(y))};
    if (frame.contains(p))
      out += fmt::format("<text x='{:.1f}' y='{:.1f}' font-size='10' fill='#777'>{}</text>",
                         p.x + 2, p.y - 2, escape_markup(text));
  }
  out += mark_labels;
  out += fmt::format(
      "<rect x='{0}' y='{1}' width='{2}' height='{3}' fill='none' stroke='#888'/>"
      "<text x='{4}' y='{5}' text-anchor='middle' fill='#222'>{6}</text>"
      "<text transform='translate(15 {7}) rotate(-90)' text-anchor='middle' fill='#222'>{8}</text>",
      frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top,
      (frame.left + frame.right) / 2, height_ - 10, escape_markup(x_axis_.label),
      (frame.top + frame.bottom) / 2, escape_markup(y_axis_.label));
  return out + legend_text(entries) + "</svg>";
}

std::string stacked_svg(const std::vector<Plot>& plots) {
  std::string panels;
  int width = 0, height = 0;
  for (const Plot& plot : plots) {
    std::string svg = plot.svg();
    svg.insert(svg.find("<svg") + 4, fmt::format(" y='{}'", height));
    panels += svg;
    width = std::max(width, plot.width());
    height += plot.height();
  }
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' "
      "height='{1}'>{2}</svg>\n",
      width, height, panels);
}

}  // namespace lgn
