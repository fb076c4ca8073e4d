#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

struct PlotFrame;

/// How a line is drawn.
struct Stroke {
  double width = 1.5;   ///< in pixels
  bool dashed = false;  ///< shows what lies below
  bool faint = false;   ///< grey, for what only helps to read the rest
};

/// What is to be drawn over two axes: curves, points, bands and marks. svg() draws it; the page of a
/// report draws the same content so that it can be zoomed (page_data.h).
///
/// The SVG is self-contained and without ids, so that many fit into one page. Colours are from Okabe and Ito's set, which the colour-blind can tell apart. Of neighbouring
/// dots or points of a line in one pixel column only the first, lowest, highest and last are drawn,
/// so a long signal stays small and keeps its envelope. Numbers that are not finite, or beyond
/// 1e300, are gaps; on a logarithmic axis, so are those that are not positive. Labels that do not
/// fit beside the title stand on lines below it, for which the frame makes room.
class Plot {
 public:
  enum class Kind { line, dots, crosses, circles, band, steps, cells };
  struct Series {
    Kind kind;
    Vector x, y;  ///< of steps, x has one more
    int colour;
    std::string label;
    Vector high = {};  ///< of a band, y being its lower end; of cells, their values
    Stroke stroke = {};
    std::vector<Index> items =
        {};  ///< what each point stands for, where a page shows more of it on a click; or none
  };
  struct Axis {
    std::string label = {};
    bool logarithmic = false, fixed = false;
    double low = 0, high = 1;  ///< where fixed
  };
  struct Mark {
    double x;
    std::string label;
  };
  struct Note {
    double x, y;
    std::string text;
  };

  Plot(std::string title, std::string x_label, std::string y_label, int width = 720,
       int height = 320);

  // Axes are linear and show everything, unless chosen otherwise. Each choice returns the plot.
  Plot& log_x();
  Plot& log_y();
  /// Shows low to high and cuts off what is outside. Throws Error unless low < high, and svg() does
  /// where the axis is logarithmic and low is not positive.
  Plot& range_x(double low, double high);
  Plot& range_y(double low, double high);
  /// One unit (of a logarithmic axis: one decade) is as long in x as in y; the axis that has room
  /// shows more than its range.
  Plot& equal_axes();

  /// Colours by their place in the set; 0 is black.
  void line(const Vector& x, const Vector& y, int colour, const std::string& label,
            const Stroke& stroke = {});
  void dots(const Vector& x, const Vector& y, int colour, const std::string& label);
  void crosses(const Vector& x, const Vector& y, int colour, const std::string& label,
               std::vector<Index> items = {});
  void circles(const Vector& x, const Vector& y, int colour, const std::string& label,
               std::vector<Index> items = {});
  /// Everything between two curves, translucent. Where it is more than ten times as wide as at its
  /// median, the frame cuts it off.
  void band(const Vector& x, const Vector& low, const Vector& high, int colour);
  /// A histogram: counts[k] from edges[k] to edges[k + 1], outlined over a light filling. Throws
  /// Error unless there is one edge more than counts.
  void steps(const Vector& edges, const Vector& counts, int colour, const std::string& label);
  /// A map of squares of side one about (x, y), the darker the larger their values from 0 to 1.
  void cells(const Vector& x, const Vector& y, const Vector& values, int colour);
  /// A grey dashed line from top to bottom, with a label beside its upper end.
  void mark_x(double x, const std::string& label);
  /// Small grey words at a place, left out where that is outside of the frame.
  void note(double x, double y, const std::string& text);

  std::string svg() const;

  /// What the y axis shows where a band may be cut off; nothing without a band.
  std::optional<std::pair<double, double>> banded_range() const;
  const std::string& title() const { return title_; }
  int width() const { return width_; }
  int height() const { return height_; }
  const Axis& x_axis() const { return x_axis_; }
  const Axis& y_axis() const { return y_axis_; }
  const std::vector<Series>& series() const { return series_; }
  const std::vector<Mark>& marks() const { return marks_; }
  const std::vector<Note>& notes() const { return notes_; }

 private:
  struct LegendEntry {
    const Series* series;
    std::string text;
    double width;
    int line = 0;  ///< 0: that of the title
  };

  std::vector<LegendEntry> legend() const;
  /// Frame and axes that show the series, below so many lines of legend.
  PlotFrame frame(int legend_lines) const;
  std::string grid(const PlotFrame& frame) const;
  std::string legend_text(const std::vector<LegendEntry>& entries) const;

  // How one kind of series is drawn; numbers are coordinates along the axes, gaps NaN.
  static Series on_axes(const Series& series, const PlotFrame& frame);
  static std::string draw(const Series& series, const PlotFrame& frame);
  static std::string points(const Series& series, const PlotFrame& frame);
  static std::string path(const Series& series, const PlotFrame& frame);
  static std::string area(const Series& series, const PlotFrame& frame);
  static std::string staircase(const Series& series, const PlotFrame& frame);
  static std::string squares(const Series& series, const PlotFrame& frame);
  /// Indices of the points to draw, gaps included.
  static std::vector<Index> thinned(const Series& series, const PlotFrame& frame);

  std::string title_;
  int width_, height_;
  Axis x_axis_, y_axis_;
  bool equal_axes_ = false;
  std::vector<Series> series_;
  std::vector<Mark> marks_;
  std::vector<Note> notes_;
};

/// Plots below one another, as one SVG.
std::string stacked_svg(const std::vector<Plot>& plots);

}  // namespace lgn
