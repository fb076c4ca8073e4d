#include "lgn/report/plot/pole_map.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/report/markup.h"
#include "tests/report/sample_model.h"

namespace lgn {
namespace {

TEST(PoleMap, TheRegionHoldsItsPartOfTheDistribution) {
  Mode mode;
  mode.pole = {-1, 3};
  mode.se = Mode::Errors{};
  mode.se->re = 0.2;
  mode.se->im = 0.1;
  mode.se->correlation = 0.6;
  const Matrix ellipse = confidence_ellipse(mode, 0.95);
  // (x − μ)ᵀ C⁻¹ (x − μ) = −2 ln 0.05 on all of it.
  Eigen::Matrix2d c;
  c << 0.04, 0.012, 0.012, 0.01;
  for (Index k = 0; k < ellipse.cols(); ++k) {
    const Eigen::Vector2d d(ellipse(0, k) + 1, ellipse(1, k) - 3);
    EXPECT_NEAR(d.dot(c.inverse() * d), -2 * std::log(0.05), 1e-12);
  }
  EXPECT_NEAR((ellipse.col(0) - ellipse.col(ellipse.cols() - 1)).norm(), 0, 1e-14);
  mode.se->im = 0;
  mode.se->correlation = 0;
  EXPECT_NEAR(confidence_ellipse(mode, 0.95).row(0).maxCoeff(), -1 + 1.959964 * 0.2, 1e-6);
  mode.se->re = std::nan("");
  EXPECT_EQ(confidence_ellipse(mode, 0.95).size(), 0);
  mode.se.reset();
  EXPECT_EQ(confidence_ellipse(mode, 0.95).size(), 0);
}

TEST(PoleMap, ShowsEveryPoleOnceAndMarksThoseThatAreNotDetermined) {
  Model model = testing::sample_model("full", 6, 3);
  Index determined = 0, open = 0;
  for (auto& mode : model.modes)
    if (mode.pole.imag() >= 0) ++(*mode.identifiable ? determined : open);
  const Plot plot = pole_map(model);
  Index crosses = 0, circles = 0, regions = 0;
  for (const auto& series : plot.series()) {
    if (series.kind == Plot::Kind::crosses) crosses += series.x.size();
    if (series.kind == Plot::Kind::circles) circles += series.x.size();
    if (series.kind == Plot::Kind::line && !series.stroke.faint) ++regions;
  }
  EXPECT_EQ(crosses, determined);
  EXPECT_EQ(circles, open);
  EXPECT_EQ(regions, determined);
  EXPECT_TRUE(testing::well_formed(plot.svg()));
}

TEST(PoleMap, DrawsPolesAtOnePlaceToo) {
  for (const Matrix& a : {Matrix{{0.0}}, Matrix{{-2.0}}, Matrix{{1e-9}}}) {
    Model model = testing::sample_model("full", 1, 3);
    model.a = a;
    model.modes = find_modes(a);
    EXPECT_TRUE(testing::well_formed(pole_map(model).svg())) << a;
  }
}

TEST(PoleMap, RaysHaveTheirDampingRatio) {
  Model model = testing::sample_model("sd", 4, 3);
  model.time_unit = "s";
  const Plot plot = pole_map(model);
  int rays = 0;
  for (const auto& note : plot.notes()) {
    if (!note.text.starts_with("ζ")) continue;
    const double zeta = std::stod(note.text.substr(note.text.find(' ')));
    EXPECT_NEAR(-note.x / std::hypot(note.x, note.y), zeta, 1e-12);
    ++rays;
  }
  EXPECT_GE(rays, 2);
}

}  // namespace
}  // namespace lgn
