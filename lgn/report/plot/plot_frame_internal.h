#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// Differences of such numbers are finite.
inline bool drawable(double value) { return std::abs(value) < 1e300; }

/// A line across the frame, or, without a label, a short one at its edge.
struct PlotTick {
  double at;  ///< coordinate
  std::string label;
};

/// Numbers to coordinates, which are the numbers or their decimal logarithms.
struct PlotAxis {
  bool logarithmic = false;
  double low = 0, high = 1;  ///< coordinates of its ends

  /// NaN for what cannot be shown.
  double coordinate(double value) const;
  /// Its place between the ends, 0 to 1 if inside.
  double fraction(double at) const { return (at - low) / (high - low); }
  /// At most a dozen labels: round numbers, or decades.
  std::vector<PlotTick> ticks() const;
  /// Shows so much, around the same middle.
  void widen(double length);
};

/// The coordinates that an axis has to show, and a margin.
class PlotExtent {
 public:
  explicit PlotExtent(bool logarithmic) : axis_{logarithmic} {}
  void add(double value);
  PlotAxis axis() const;

 private:
  PlotAxis axis_;
  bool empty_ = true;
};

struct PlotPoint {
  double x, y;
};

/// The rectangle that the axes span, in pixels.
struct PlotFrame {
  int left, top, right, bottom;
  PlotAxis x = {}, y = {};

  // Pixels; what is far outside stays near enough to be computed with.
  double place_x(double at) const { return left + near(x.fraction(at)) * (right - left); }
  double place_y(double at) const { return bottom - near(y.fraction(at)) * (bottom - top); }
  bool contains(const PlotPoint& p) const;
  /// What of a segment is inside, by Liang and Barsky.
  std::optional<std::pair<PlotPoint, PlotPoint>> inside(const PlotPoint& from,
                                                        const PlotPoint& to) const;
  /// What of a polygon is between the left and the right edge, by Sutherland and Hodgman.
  std::vector<PlotPoint> between_sides(const std::vector<PlotPoint>& polygon) const;

 private:
  static double near(double fraction) { return std::clamp(fraction, -1e6, 1e6); }
};

}  // namespace lgn
