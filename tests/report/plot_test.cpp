#include "lgn/report/plot/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "lgn/core/random.h"
#include "tests/gap.h"
#include "tests/report/markup.h"

namespace lgn {
namespace {

using testing::count;
using testing::well_formed;

TEST(Markup, TheCheckItselfSeesFaults) {
  EXPECT_TRUE(well_formed("<a x='1'><b/>text &amp; more</a>"));
  for (const char* bad :
       {"<a>", "</a>", "<a><b></a></b>", "<a", "<a x='1>", "a & b", "1 > 2", "<a x='<'/>"})
    EXPECT_FALSE(well_formed(bad)) << bad;
}

Plot plot_of(const Vector& x, const Vector& y) {
  Plot plot("title", "x", "y");
  plot.line(x, y, 1, "line");
  plot.dots(x, y, 2, "dots");
  plot.crosses(x, y, 3, "crosses");
  plot.circles(x, y, 4, "circles");
  plot.band(x, y, y.array() + 1, 5);
  if (x.size() > 0) plot.steps(x, y.tail(y.size() - 1), 6, "steps");
  plot.mark_x(1, "mark");
  return plot;
}

TEST(Plot, IsWellFormedWhateverItDraws) {
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
  for (std::size_t k = 0; k < cases.size(); ++k)
    for (const bool logarithmic : {false, true})
      for (const bool fixed : {false, true}) {
        Plot plot = plot_of(cases[k].first, cases[k].second);
        if (logarithmic) plot.log_x().log_y();
        if (fixed) plot.range_x(0.5, 2.5).range_y(tiny, 1e-300).equal_axes();
        const std::string svg = plot.svg();
        EXPECT_TRUE(well_formed(svg)) << "case " << k;
        EXPECT_EQ(count(svg, "nan") + count(svg, "inf"), 0u) << "case " << k << ": " << svg;
        EXPECT_LE(count(svg, "<text"), 40u) << "case " << k;  // a dozen ticks an axis at most
      }
}

TEST(Plot, EscapesItsLabels) {
  Plot plot("<script>", "a & b", "\"'");
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

TEST(Plot, ThinningKeepsTheExtremes) {
  const Index samples = 100'000;
  Random random(1);
  Vector x = Vector::LinSpaced(samples, 0, 1), y = 0.1 * random.normals(samples);
  y[31'415] = 10;
  y[92'653] = -10;
  Plot plot("", "", "");
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

TEST(Plot, ThinsDotsButNotFewOfThem) {
  const auto dots = [](Index samples) {
    Plot plot("", "", "");
    Random random(2);
    plot.dots(Vector::LinSpaced(samples, 0, 1), random.normals(samples), 0, "");
    return count(plot.svg(), "<circle");
  };
  EXPECT_EQ(dots(300), 300u);
  EXPECT_LE(dots(100'000), 4u * 720u);
}

TEST(Plot, DrawsEveryCross) {
  Plot plot("", "", "");
  plot.crosses(Vector::Constant(50, -0.1), Vector::LinSpaced(50, -1, 1), 0, "");
  EXPECT_EQ(count(plot.svg(), "l8 8m0 -8l-8 8"), 50u);
}

TEST(Plot, LiftsThePenOverGaps) {
  Plot plot("", "", "");
  plot.line(Vector::LinSpaced(5, 0, 4), Vector{{0.0, 1.0, kGap, 1.0, 0.0}}, 0, "");
  const std::string svg = plot.svg();
  const std::size_t from = svg.find("d='M", svg.find("stroke-width='1.5'"));
  const std::string path = svg.substr(from, svg.find('\'', from + 3) - from);
  EXPECT_EQ(count(path, "M"), 2u);
  EXPECT_EQ(count(path, "L"), 2u);
}

/// The points of every band.
std::vector<std::vector<std::pair<double, double>>> bands(const std::string& svg) {
  std::vector<std::vector<std::pair<double, double>>> all;
  // A long path is more than std::regex can take in one match.
  const std::string path = "fill-opacity='.2' stroke='none' d='";
  const std::regex point("[ML]([-0-9.]+) ([-0-9.]+)");
  for (auto found = svg.find(path); found != svg.npos; found = svg.find(path, found + 1)) {
    const auto first = found + path.size();
    const std::string points = svg.substr(first, svg.find('\'', first) - first);
    EXPECT_EQ(points.back(), 'Z');
    all.emplace_back();
    for (std::sregex_iterator p(points.begin(), points.end(), point), end; p != end; ++p)
      all.back().emplace_back(std::stod((*p)[1]), std::stod((*p)[2]));
  }
  return all;
}

TEST(Plot, FillsABandBetweenItsCurves) {
  Plot plot("", "", "");
  plot.band(Vector{{0.0, 1.0, 2.0}}, Vector{{0.0, 1.0, 0.0}}, Vector{{2.0, 2.0, 4.0}}, 1);
  const auto all = bands(plot.svg());
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].size(), 6u);  // there along the upper curve, back along the lower one
  // 240 high inside the frame, and margins of 4% of the range: y = 0 … 4 on 274 − … 34 + margin.
  const double margin = 240 * 0.04 / 1.08, unit = (240 - 2 * margin) / 4;
  const std::vector<double> expected{2, 2, 4, 0, 1, 0};
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_NEAR(all[0][k].second, 274 - margin - unit * expected[k], 0.051) << k;
  EXPECT_EQ(all[0][0].first, all[0][5].first);
  EXPECT_EQ(all[0][2].first, all[0][3].first);
}

TEST(Plot, BreaksABandAtGapsAndThinsIt) {
  Plot broken("", "", "");
  broken.band(Vector::LinSpaced(5, 0, 4), Vector::Zero(5), Vector{{1.0, 1.0, kGap, 1.0, 1.0}}, 1);
  EXPECT_EQ(bands(broken.svg()).size(), 2u);
  Plot none("", "", "");
  none.band(Vector::LinSpaced(5, 0, 4), Vector::Zero(5), Vector::Constant(5, kGap), 1);
  EXPECT_EQ(bands(none.svg()).size(), 0u);
  Plot dense("", "", "");
  const Index samples = 50'000;
  Vector high = Vector::Ones(samples);
  high[31'415] = 3;
  dense.band(Vector::LinSpaced(samples, 0, 1), Vector::Zero(samples), high, 1);
  const auto all = bands(dense.svg());
  ASSERT_EQ(all.size(), 1u);
  EXPECT_LE(all[0].size(), 2u * 720u);  // one point a pixel column, there and back
  double top = 320;
  for (const auto& [x, y] : all[0]) top = std::min(top, y);
  EXPECT_NEAR(top, 34 + 240 * 0.04 / 1.08, 0.051);  // the peak is among them
}

TEST(Plot, CutsASpikeOfABandOff) {
  Plot plot("", "", "");
  const Vector x = Vector::LinSpaced(9, 0, 8);
  Vector reach = Vector::Ones(9);
  reach[4] = 1e6;
  plot.band(x, -reach, reach, 1);
  const auto all = bands(plot.svg());
  ASSERT_EQ(all.size(), 1u);
  // The scale is that of the rest, ±1, and the spike ends at the frame.
  EXPECT_NEAR(all[0][0].second, 34 + 240 * 0.04 / 1.08, 0.051);
  EXPECT_EQ(all[0][4].second, 34);
  EXPECT_EQ(all[0][13].second, 274);
}

}  // namespace
}  // namespace lgn
