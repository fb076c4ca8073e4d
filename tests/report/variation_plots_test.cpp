#include "lgn/report/page/variation_plots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "lgn/report/page/html_report.h"
#include "tests/report/markup.h"
#include "tests/report/sample_variation.h"

namespace lgn {
namespace {

using testing::count;
using testing::well_formed;

Dataset data_of(const Model& model, double end) {
  const Vector times = Vector::LinSpaced(40, model.variation->begin, end);
  return Dataset(model.channels,
                 {Trajectory("1", times, model.propagate(model.starts.col(0), times))});
}

/// The plots as they are drawn.
std::vector<Figure> variation_figures(const Model& model) {
  std::vector<Figure> figures;
  for (const auto& plot : variation_plots(model)) figures.push_back({plot.name, plot.plot.svg()});
  return figures;
}

std::vector<std::string> names_of(const std::vector<Figure>& figures) {
  std::vector<std::string> names;
  for (const auto& figure : figures) names.push_back(figure.name);
  return names;
}

constexpr const char* area = "fill-opacity='.2'";

TEST(VariationPlots, DrawWhatVaries) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_of(variation_figures(testing::harmonic_model())),
            (Names{"variation-1", "moving-poles", "moving-poles-re", "moving-poles-im"}));
  EXPECT_EQ(names_of(variation_figures(testing::drift_model())),
            (Names{"variation-1", "variation-2", "variation-3", "moving-poles", "moving-poles-re",
                   "moving-poles-im"}));
  const auto law = variation_figures(testing::law_model());
  EXPECT_EQ(names_of(law),
            (Names{"variation-1", "moving-poles", "moving-poles-re", "moving-poles-im"}));
  EXPECT_EQ(count(law[0].svg, "A2,2 over time"), 2u);  // in the title and for those who listen
  EXPECT_TRUE(variation_figures(testing::sample_model("sd", 2, 1)).empty());
}

TEST(VariationPlots, HaveBandsWhereErrorsAreKnown) {
  const auto known = variation_figures(testing::drift_model());
  EXPECT_EQ(count(known[0].svg, area), 1u);
  EXPECT_EQ(count(known[4].svg, area), 2u);  // two pairs of poles
  EXPECT_EQ(count(known[0].svg, "with its 95% band"), 2u);
  for (const auto& figure : variation_figures(testing::drift_model(false))) {
    EXPECT_EQ(count(figure.svg, area), 0u) << figure.name;
    EXPECT_EQ(count(figure.svg, "band"), 0u) << figure.name;
  }
}

TEST(VariationPlots, MarkBeginAndEndOfEveryPole) {
  const auto figures = variation_figures(testing::drift_model());
  ASSERT_EQ(figures[3].name, "moving-poles");
  EXPECT_EQ(count(figures[3].svg, "<circle"), 2u);
  EXPECT_EQ(count(figures[3].svg, "l8 8m0 -8l-8 8"), 2u);
}

TEST(VariationPlots, DrawTheFirstTwelve) {
  const auto structure = std::make_shared<ModulatedStructure>(find_structure("full", 4),
                                                              std::make_shared<Harmonics>(1));
  const Vector theta = Vector::LinSpaced(structure->parameters(), 1, 0);
  const Model model = testing::varying_model(structure, theta, 0, 9);
  EXPECT_EQ(varying_courses(model), 16);
  EXPECT_EQ(variation_figures(model)[12].name, "moving-poles");
  EXPECT_EQ(count(html_report(model, data_of(model, 9)), "4 more courses are not drawn"), 1u);
}

TEST(VariationPlots, TakeRoundingForRest) {
  // Energy is kept: all poles are on the axis but for rounding.
  const auto structure = std::make_shared<ModulatedStructure>(find_structure("skew", 4),
                                                              std::make_shared<Harmonics>(1));
  Vector theta = Vector::Constant(structure->parameters(), 0.3);
  theta[0] = 1;
  for (Index e = 0; e < 6; ++e) theta[1 + 3 * e] = 1 + static_cast<double>(e);
  const auto figures = variation_figures(testing::varying_model(structure, theta, 0, 9));
  ASSERT_EQ(figures[7].name, "moving-poles-re");
  EXPECT_EQ(count(figures[7].svg, "e-1"), 0u);  // no tick such as 5e-17
}

TEST(HtmlReport, ShowsTheVariation) {
  for (const Model& model : {testing::harmonic_model(), testing::drift_model(),
                             testing::law_model(), testing::fourier_model()}) {
    const Dataset data = data_of(model, model.variation->end);
    const std::string page = testing::markup_of(html_report(model, data));
    EXPECT_TRUE(well_formed(page));
    EXPECT_EQ(count(page, "nan") + count(page, "NaN") + count(page, "inf"), 0u);
    EXPECT_EQ(count(page, "<h2>Variation</h2>"), 1u);
    EXPECT_LT(page.find("<h2>Variation</h2>"), page.find("<h2>Modes of the mean generator</h2>"));
    EXPECT_EQ(count(page, "The generator varies"), 1u);
    EXPECT_EQ(count(page, "frozen-time poles λ(A(t))"), 1u);
    EXPECT_EQ(count(page, "not to be trusted"), 0u);
    const auto figures = report_figures(model, data);
    for (const auto& figure : figures) {
      EXPECT_TRUE(well_formed(figure.svg)) << figure.name;
      // Shapes of modes and channels are places that the page's script fills.
      if (figure.name.find('-') == std::string::npos || figure.name.starts_with("variation")) {
        EXPECT_EQ(count(page, "data-plot='" + figure.name + "'"), 1u) << figure.name;
      }
    }
    const auto names = names_of(figures);
    for (const char* name : {"energy", "power"})
      EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  }
}

/// All points in a text that a pattern finds.
std::vector<std::pair<double, double>> points(const std::string& text, const char* pattern) {
  std::vector<std::pair<double, double>> found;
  const std::regex point(pattern);
  for (std::sregex_iterator it(text.begin(), text.end(), point), end; it != end; ++it)
    found.emplace_back(std::stod((*it)[1]), std::stod((*it)[2]));
  return found;
}

TEST(HtmlReport, FollowsTheVaryingGenerator) {
  // Damping 4 (t/10)³ of one state: x(t) = exp(−t⁴/1000), far from exp(−t) of its mean.
  const auto structure = std::make_shared<ModulatedStructure>(
      find_structure("sd", 1), std::make_shared<SplineBasis>(4, 0, 10));
  Model model = testing::varying_model(structure, Vector{{0, 0, 0, 4}}, 0, 10);
  model.starts = Matrix::Ones(1, 1);
  const auto figures = report_figures(model, data_of(model, 10));
  const auto signal = std::find_if(figures.begin(), figures.end(),
                                   [](const Figure& f) { return f.name == "signal-1"; });
  ASSERT_NE(signal, figures.end());
  const auto dots = points(signal->svg, "<circle cx='([-0-9.]+)' cy='([-0-9.]+)'");
  const std::size_t from = signal->svg.find("d='M", signal->svg.find("stroke-width='1.5'"));
  const auto path = points(signal->svg.substr(from, signal->svg.find("'/>", from) - from),
                           "[ML]([-0-9.]+) ([-0-9.]+)");
  ASSERT_EQ(dots.size(), 40u);
  for (const auto& [x, y] : dots) {
    // 1200 points on 634 pixels, x falling by at most 0.26 of 222 pixels in 63: the next point is
    // half a pixel away and differs by half a pixel.
    const double at = x;
    const auto near = std::min_element(path.begin(), path.end(), [&](const auto& a, const auto& b) {
      return std::abs(a.first - at) < std::abs(b.first - at);
    });
    EXPECT_NEAR(near->second, y, 1.0) << x;
  }
}

TEST(HtmlReport, WarnsBeyondADrift) {
  const Model model = testing::drift_model();
  EXPECT_EQ(count(html_report(model, data_of(model, 40)), "identified from 0 to 30 s; beyond"), 1u);
}

}  // namespace
}  // namespace lgn
