#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "lgn/core/error.h"
#include "lgn/report/plot/plot.h"
#include "tests/gap.h"
#include "tests/report/markup.h"

namespace lgn {
namespace {

using testing::count;
using testing::well_formed;

struct Place {
  double x, y;
};

/// The pieces of the first line of this width, each from one pen-down to the next pen-up.
std::vector<std::vector<Place>> pieces(const std::string& svg, const std::string& width = "1.5") {
  const std::size_t at = svg.find("stroke-width='" + width + "'");
  if (at == svg.npos) return {};
  const std::size_t from = svg.find(" d='", at) + 4;
  const std::string path = svg.substr(from, svg.find('\'', from) - from);
  std::vector<std::vector<Place>> found;
  const std::regex point("([ML])([-0-9.]+) ([-0-9.]+)");
  for (std::sregex_iterator it(path.begin(), path.end(), point), end; it != end; ++it) {
    if ((*it)[1] == "M") found.emplace_back();
    found.back().push_back({std::stod((*it)[2]), std::stod((*it)[3])});
  }
  return found;
}

std::vector<std::string> texts(const std::string& svg) {
  std::vector<std::string> found;
  const std::regex text("<text[^>]*>([^<]*)</text>");
  for (std::sregex_iterator it(svg.begin(), svg.end(), text), end; it != end; ++it)
    found.push_back((*it)[1]);
  return found;
}

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

Plot powers(double low, double high) {
  Plot plot("", "", "");
  plot.line(Vector{{0.0, 1.0}}, Vector{{low, high}}, 0, "");
  plot.log_y();
  return plot;
}

TEST(PlotAxes, TicksOfAClockDiffer) {
  Plot plot("", "", "");
  plot.line(Vector{{1.7e9, 1.7e9 + 30}}, Vector{{0, 1}}, 1, "");
  const std::string svg = plot.svg();
  EXPECT_NE(svg.find(">1700000010<"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">1700000020<"), std::string::npos) << svg;
}

TEST(PlotAxes, LogarithmicTicksAreDecades) {
  const std::string svg = powers(1e-3, 1e2).svg();
  for (const char* label : {"10⁻³", "10⁻²", "10⁻¹", "10⁰", "10¹", "10²"})
    EXPECT_TRUE(has(texts(svg), label)) << label;
  // Between labels 2 to 9 are short; the margin is 4% of five decades, so that 2·10² is outside and
  // 7, 8 and 9 times 10⁻⁴ (its logarithm is −3.155 and more) are inside.
  EXPECT_EQ(count(svg, "h5' stroke='#888'"), 5u * 8u + 3u);
}

TEST(PlotAxes, ManyDecadesStayReadable) {
  for (const auto& [low, high] : {std::pair(1e-16, 1e54), std::pair(1e-300, 1e299)}) {
    const auto labels = texts(powers(low, high).svg());
    const auto decades = std::count_if(labels.begin(), labels.end(),
                                       [](const auto& text) { return text.rfind("10", 0) == 0; });
    EXPECT_GE(decades, 4);
    EXPECT_LE(decades, 9);
  }
  EXPECT_TRUE(has(texts(powers(1e-16, 1e54).svg()), "10⁻¹⁰"));
  EXPECT_TRUE(has(texts(powers(1e-16, 1e54).svg()), "10⁵⁰"));
}

TEST(PlotAxes, LessThanADecadeHasTicksToo) {
  const auto part = texts(powers(0.3, 4).svg());
  for (const char* label : {"0.5", "1", "2"}) EXPECT_TRUE(has(part, label)) << label;
  EXPECT_TRUE(has(texts(powers(1.5e-8, 6e-8).svg()), "2·10⁻⁸"));
  EXPECT_TRUE(has(texts(powers(3.1, 3.9).svg()), "3.4"));
}

TEST(PlotAxes, DecadesAreEquallyLong) {
  Plot plot("", "", "");
  plot.line(Vector{{1.0, 1e2, 1e3}}, Vector{{1e-6, 1e-4, 1e-3}}, 0, "");
  const auto line = pieces(plot.log_x().log_y().svg()).at(0);
  ASSERT_EQ(line.size(), 3u);
  // Written with one decimal: a difference of two is right to 0.1.
  EXPECT_NEAR(line[1].x - line[0].x, 2 * (line[2].x - line[1].x), 0.31);
  EXPECT_NEAR(line[1].y - line[0].y, 2 * (line[2].y - line[1].y), 0.31);
}

TEST(PlotAxes, WhatIsNotPositiveIsAGapOfALogarithm) {
  Plot plot("", "", "");
  plot.line(Vector::LinSpaced(7, 0, 6), Vector{{1.0, 2.0, 0.0, 3.0, 4.0, -1.0, 5.0}}, 0, "");
  plot.dots(Vector::LinSpaced(3, 0, 2), Vector{{1.0, 0.0, -2.0}}, 0, "");
  const std::string svg = plot.log_y().svg();
  EXPECT_EQ(pieces(svg).size(), 2u);  // 1 to 2 and 3 to 4; the last is alone
  EXPECT_EQ(count(svg, "<circle"), 1u);
}

TEST(PlotAxes, AFixedRangeCutsOffAtTheFrame) {
  Plot plot("", "", "");
  // Enters at the left half-way up, leaves through the top, comes back and ends inside.
  plot.line(Vector{{-1.0, 1.0, 2.0, 3.0, 3.5}}, Vector{{0.5, 0.5, 1.5, 0.5, 0.5}}, 0, "");
  plot.crosses(Vector{{1.0, 1.0, 5.0}}, Vector{{0.5, 2.0, 0.5}}, 0, "");
  const std::string svg = plot.range_x(0, 4).range_y(0, 1).svg();
  const auto line = pieces(svg);
  ASSERT_EQ(line.size(), 2u);
  // The frame is 70 … 704 by 34 … 274, one unit of x 158.5 long.
  const double unit = 634.0 / 4;
  EXPECT_NEAR(line[0].front().x, 70, 0.051);
  EXPECT_NEAR(line[0].front().y, 154, 0.051);
  EXPECT_NEAR(line[0].back().x, 70 + 1.5 * unit, 0.051);
  EXPECT_NEAR(line[0].back().y, 34, 0.051);
  EXPECT_NEAR(line[1].front().x, 70 + 2.5 * unit, 0.051);
  EXPECT_NEAR(line[1].back().x, 70 + 3.5 * unit, 0.051);
  EXPECT_EQ(count(svg, "l8 8m0 -8l-8 8"), 1u);
}

TEST(PlotAxes, ALineCanCrossTheFrameBetweenTwoPointsOutside) {
  Plot plot("", "", "");
  plot.line(Vector{{-1e12, 1e12}}, Vector{{-1e12, 1e12}}, 0, "");
  const auto line = pieces(plot.range_x(-1, 1).range_y(-1, 1).svg());
  ASSERT_EQ(line.size(), 1u);
  EXPECT_NEAR(line[0].front().x, 70, 0.2);
  EXPECT_NEAR(line[0].back().y, 34, 0.2);
}

TEST(PlotAxes, ABandEndsAtTheSides) {
  Plot plot("", "", "");
  plot.band(Vector{{0.0, 10.0}}, Vector{{0.0, 0.0}}, Vector{{10.0, 10.0}}, 1);
  const std::string svg = plot.range_x(4, 6).svg();
  const std::regex corner("[ML](70|704)\\.0 [0-9]+\\.[0-9]");
  EXPECT_EQ(std::distance(std::sregex_iterator(svg.begin(), svg.end(), corner), {}), 4);
}

TEST(PlotAxes, ARangeThatShowsNothingIsRefused) {
  Plot plot("", "", "");
  EXPECT_THROW(plot.range_x(1, 1), Error);
  EXPECT_THROW(plot.range_y(2, 1), Error);
  EXPECT_THROW(plot.range_y(0, kGap), Error);
  plot.range_y(0, 1);
  EXPECT_TRUE(well_formed(plot.svg()));
  EXPECT_THROW(plot.log_y().svg(), Error);
}

TEST(PlotAxes, EqualAxesDrawACircleRound) {
  const Vector angle = Vector::LinSpaced(100, 0, 6.283185307179586);
  Plot plot("", "", "");
  plot.line(angle.array().cos(), angle.array().sin(), 0, "");
  double left = 1e9, right = 0, top = 1e9, bottom = 0;
  const auto line = pieces(plot.equal_axes().svg());
  ASSERT_EQ(line.size(), 1u);
  for (const Place& p : line[0]) {
    left = std::min(left, p.x), right = std::max(right, p.x);
    top = std::min(top, p.y), bottom = std::max(bottom, p.y);
  }
  // A hundred chords miss the extremes by 1 − cos(π/100) < 0.0005 of a radius of 111 at most.
  EXPECT_NEAR(right - left, bottom - top, 0.2 + 2 * 0.0005 * 111);
  EXPECT_NEAR((left + right) / 2, (70 + 704) / 2.0, 1);  // in the middle
}

TEST(PlotAxes, StrokesAreWideThinAndDashed) {
  Plot plot("", "", "");
  plot.line(Vector{{0.0, 1.0}}, Vector{{0.0, 1.0}}, 0, "", {3, false});
  plot.line(Vector{{0.0, 1.0}}, Vector{{0.0, 1.0}}, 1, "dashed", {0.75, true});
  const std::string svg = plot.svg();
  EXPECT_EQ(pieces(svg, "3").size(), 1u);
  EXPECT_EQ(count(svg, "stroke-width='0.75' stroke-dasharray"), 1u);
  EXPECT_EQ(count(svg, "stroke-dasharray"), 1u);
  EXPECT_TRUE(has(texts(svg), "– – dashed"));
}

TEST(PlotAxes, AMarkStandsAtItsPlace) {
  Plot plot("", "", "");
  plot.line(Vector{{0.0, 4.0}}, Vector{{0.0, 1.0}}, 0, "");
  plot.mark_x(1.25, "end of <training>");
  plot.mark_x(3.99, "late");
  plot.mark_x(5, "outside");
  const std::string svg = plot.range_x(0, 4).svg();
  EXPECT_TRUE(well_formed(svg));
  EXPECT_EQ(count(svg, "d='M268.1 34V274'"), 1u);  // 1.25 / 4 of 634 from 70
  EXPECT_TRUE(has(texts(svg), "end of &lt;training&gt;"));
  EXPECT_EQ(count(svg, "text-anchor='end' font-size='11'"), 1u);  // the late one, to its left
  EXPECT_FALSE(has(texts(svg), "outside"));
}

TEST(PlotAxes, AHistogramStandsOnZero) {
  Plot plot("", "", "");
  plot.steps(Vector{{0.0, 1.0, 3.0}}, Vector{{2.0, 1.0}}, 1, "counts");
  const std::string svg = plot.range_x(0, 3).range_y(0, 2).svg();
  // Up at 0, along to 1, down to one, along to 3, and down.
  const std::string stairs = "M70.0 274.0L70.0 34.0L281.3 34.0L281.3 154.0L704.0 154.0L704.0 274.0";
  EXPECT_EQ(count(svg, stairs), 2u);  // filling and outline
  Plot logarithmic("", "", "");
  logarithmic.steps(Vector{{0.0, 1.0, 3.0}}, Vector{{2.0, 0.0}}, 1, "");
  EXPECT_GE(count(logarithmic.log_y().svg(), " 274.0L"), 2u);  // nothing is at the bottom
  EXPECT_THROW(plot.steps(Vector{{0.0, 1.0}}, Vector{{2.0, 1.0}}, 1, ""), Error);
}

/// Of the text that ends with this label.
Place place_of(const std::string& svg, const std::string& label) {
  const std::regex text("<text x='([-0-9.]+)' y='([-0-9.]+)'[^>]*>[^<]*" + label + "</text>");
  std::smatch found;
  EXPECT_TRUE(std::regex_search(svg, found, text)) << label;
  return found.empty() ? Place{} : Place{std::stod(found[1]), std::stod(found[2])};
}

Plot with_labels(int methods) {
  Plot plot("Energy", "", "", 360, 300);
  for (int k = 0; k < methods; ++k)
    plot.line(Vector{{0.0, 1.0}}, Vector{{0.0, 1.0}}, k, "Method-" + std::to_string(k));
  return plot;
}

TEST(PlotAxes, LabelsThatFitStandBesideTheTitle) {
  const std::string svg = with_labels(2).svg();
  EXPECT_EQ(place_of(svg, "Method-0").y, 20);
  EXPECT_EQ(place_of(svg, "Method-1").y, 20);
  EXPECT_EQ(count(svg, "<rect x='70' y='34'"), 1u);
}

TEST(PlotAxes, LabelsThatDoNotFitStandBelowTheTitle) {
  const std::string svg = with_labels(7).svg();
  double before = 0;
  for (int k = 0; k < 7; ++k) {
    const Place place = place_of(svg, "Method-" + std::to_string(k));
    EXPECT_GE(place.x, 70);
    EXPECT_LE(place.x + 7 * 8, 344);  // eight characters end inside the frame
    EXPECT_GT(place.y, 20);
    EXPECT_GE(place.y, before);
    before = place.y;
  }
  const std::regex frame("<rect x='70' y='([0-9]+)' width='274' height='([0-9]+)'");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(svg, found, frame));
  EXPECT_GT(std::stod(found[1]), before);                          // below the last label
  EXPECT_EQ(std::stoi(found[1]) + std::stoi(found[2]), 300 - 46);  // the bottom stays
}

TEST(PlotAxes, TheSamePlotIsTheSameText) {
  const auto plot = [] {
    Plot one = with_labels(5);
    one.steps(Vector{{0.0, 1.0, 3.0}}, Vector{{2.0, 1.0}}, 1, "counts");
    one.mark_x(0.5, "mark");
    return one.log_y().range_x(0, 2).svg();
  };
  EXPECT_EQ(plot(), plot());
  EXPECT_EQ(count(plot(), " id="), 0u);  // nothing that a second plot on the page could clash with
}

}  // namespace
}  // namespace lgn
