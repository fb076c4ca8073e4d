#include "lgn/report/svg_plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "lgn/core/random.h"
#include "tests/report/markup.h"

namespace lgn {
namespace {

using testing::count;
using testing::well_formed;

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

TEST(Markup, TheCheckItselfSeesFaults) {
  EXPECT_TRUE(well_formed("<a x='1'><b/>text &amp; more</a>"));
  for (const char* bad :
       {"<a>", "</a>", "<a><b></a></b>", "<a", "<a x='1>", "a & b", "1 > 2", "<a x='<'/>"})
    EXPECT_FALSE(well_formed(bad)) << bad;
}

SvgPlot plot_of(const Vector& x, const Vector& y) {
  SvgPlot plot("title", "x", "y");
  plot.line(x, y, 1, "line");
  plot.dots(x, y, 2, "dots");
  plot.crosses(x, y, 3, "crosses");
  return plot;
}

TEST(SvgPlot, IsWellFormedWhateverItDraws) {
  const double huge = std::numeric_limits<double>::max(),
               tiny = std::numeric_limits<double>::denorm_min();
  const Vector steps = Vector::LinSpaced(4, 0, 3);
  const std::vector<std::pair<Vector, Vector>> cases = {
      {Vector{}, Vector{}},
      {Vector{{1.0}}, Vector{{2.0}}},
      {steps, Vector::Zero(4)},
      {steps, Vector::Constant(4, 1e16)},
      {steps, Vector{{1.0, 1.0 + 1e-16, 1.0 + 3e-16, 1.0}}},
      {steps, Vector{{1e16, 1e16 + 2, 1e16, 1e16 + 4}}},
      {steps, Vector{{kGap, 1.0, kGap, 2.0}}},
      {steps, Vector::Constant(4, kGap)},
      {steps, Vector{{huge, -huge, 0.0, 1.0}}},
      {steps, Vector{{tiny, 0.0, 2 * tiny, tiny}}},
      {steps, Vector{{1e-310, 0.0, -1e-310, 0.0}}},
      {Vector{{-huge, -1.0, 1.0, huge}}, steps},
      {Vector{{1.7e18, 1.7e18 + 256, 1.7e18 + 512, 1.7e18 + 768}}, steps},
  };
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const std::string svg = plot_of(cases[k].first, cases[k].second).svg();
    EXPECT_TRUE(well_formed(svg)) << "case " << k;
    EXPECT_EQ(count(svg, "nan") + count(svg, "inf"), 0u) << "case " << k << ": " << svg;
    EXPECT_LE(count(svg, "<text"), 40u) << "case " << k;  // a dozen ticks an axis at most
  }
}

TEST(SvgPlot, EscapesItsLabels) {
  SvgPlot plot("<script>", "a & b", "\"'");
  plot.line(Vector{{0.0, 1.0}}, Vector{{0.0, 1.0}}, 0, "</svg>");
  EXPECT_TRUE(well_formed(plot.svg()));
  EXPECT_EQ(count(plot.svg(), "<script>"), 0u);
}

/// The y of every point of the first line.
std::vector<double> line_heights(const std::string& svg) {
  const std::size_t from = svg.find("d='M", svg.find("stroke-width='1.5'"));
  const std::string path = svg.substr(from, svg.find('\'', from + 3) - from);
  std::vector<double> heights;
  const std::regex point("[ML]([-0-9.]+) ([-0-9.]+)");
  for (std::sregex_iterator it(path.begin(), path.end(), point), end; it != end; ++it)
    heights.push_back(std::stod((*it)[2]));
  return heights;
}

TEST(SvgPlot, ThinningKeepsTheExtremes) {
  const Index samples = 100'000;
  Random random(1);
  Vector x = Vector::LinSpaced(samples, 0, 1), y = 0.1 * random.normals(samples);
  y[31'415] = 10;
  y[92'653] = -10;
  SvgPlot plot("", "", "");
  plot.line(x, y, 0, "");
  const auto heights = line_heights(plot.svg());
  EXPECT_LE(heights.size(), 4u * 720u);  // four points a pixel column
  EXPECT_GE(heights.size(), 1000u);
  // The margin is 4% of the range at either end; the frame is 34 below the top and 46 above the
  // bottom of 320.
  const double inside = 240, margin = inside * 0.04 / 1.08;
  EXPECT_NEAR(*std::min_element(heights.begin(), heights.end()), 34 + margin, 0.1);
  EXPECT_NEAR(*std::max_element(heights.begin(), heights.end()), 274 - margin, 0.1);
}

TEST(SvgPlot, ThinsDotsButNotFewOfThem) {
  const auto dots = [](Index samples) {
    SvgPlot plot("", "", "");
    Random random(2);
    plot.dots(Vector::LinSpaced(samples, 0, 1), random.normals(samples), 0, "");
    return count(plot.svg(), "<circle");
  };
  EXPECT_EQ(dots(300), 300u);
  EXPECT_LE(dots(100'000), 4u * 720u);
}

TEST(SvgPlot, DrawsEveryCross) {
  SvgPlot plot("", "", "");
  plot.crosses(Vector::Constant(50, -0.1), Vector::LinSpaced(50, -1, 1), 0, "");
  EXPECT_EQ(count(plot.svg(), "l8 8m0 -8l-8 8"), 50u);
}

TEST(SvgPlot, LiftsThePenOverGaps) {
  SvgPlot plot("", "", "");
  plot.line(Vector::LinSpaced(5, 0, 4), Vector{{0.0, 1.0, kGap, 1.0, 0.0}}, 0, "");
  const std::string svg = plot.svg();
  const std::size_t from = svg.find("d='M", svg.find("stroke-width='1.5'"));
  const std::string path = svg.substr(from, svg.find('\'', from + 3) - from);
  EXPECT_EQ(count(path, "M"), 2u);
  EXPECT_EQ(count(path, "L"), 2u);
}

}  // namespace
}  // namespace lgn
