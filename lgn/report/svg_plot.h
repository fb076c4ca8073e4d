#pragma once

#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// A plot with linear axes as a self-contained SVG element.
///
/// Colours are from Okabe and Ito's set, which the colour-blind can tell apart. Of neighbouring
/// dots or points of a line in one pixel column only the first, lowest, highest and last are drawn,
/// so a long signal stays small and keeps its envelope. Numbers that are not finite, or beyond
/// 1e300, are gaps.
class SvgPlot {
 public:
  SvgPlot(std::string title, std::string x_label, std::string y_label, int width = 720,
          int height = 320);

  /// Colours by their place in the set; 0 is black.
  void line(const Vector& x, const Vector& y, int colour, const std::string& label);
  void dots(const Vector& x, const Vector& y, int colour, const std::string& label);
  void crosses(const Vector& x, const Vector& y, int colour, const std::string& label);
  void circles(const Vector& x, const Vector& y, int colour, const std::string& label);
  /// Everything between two curves, translucent. Where it is more than ten times as wide as at its
  /// median, the frame cuts it off.
  void band(const Vector& x, const Vector& low, const Vector& high, int colour);

  std::string svg() const;

 private:
  enum class Kind { line, dots, crosses, circles, band };
  struct Series {
    Kind kind;
    Vector x, y;
    int colour;
    std::string label;
    Vector high = {};  ///< of a band, y being its lower end
  };
  struct Range {
    double low, high;
  };
  Range range_x() const;
  Range range_y() const;
  /// Indices of the points to draw, gaps included.
  std::vector<Index> thinned(const Series& series, const Range& x) const;
  std::string marks(const Series& series, const Range& x, const Range& y) const;
  std::string area(const Series& series, const Range& x, const Range& y) const;
  double place_x(double value, const Range& r) const;
  double place_y(double value, const Range& r) const;

  std::string title_, x_label_, y_label_;
  int width_, height_;
  std::vector<Series> series_;
};

}  // namespace lgn
