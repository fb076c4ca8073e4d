#include "lgn/report/page/hidden_section.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lgn/report/page/html_report.h"
#include "lgn/report/plot/shape_plots.h"
#include "lgn/report/plot/stabilisation_plot.h"
#include "tests/report/markup.h"
#include "tests/report/sample_model.h"

namespace lgn {
namespace {

using testing::count;
using testing::markup_of;
using testing::sample_hidden_model;
using testing::well_formed;

Dataset hidden_data_of(const Model& model) { return testing::sample_data(model, 60); }

TEST(HiddenSection, HasEveryPlotInThePageAndAsAFile) {
  const Model model = sample_hidden_model(6, 3, 2);
  const Dataset data = hidden_data_of(model);
  const std::string page = markup_of(html_report(model, data));
  EXPECT_TRUE(well_formed(page));
  for (const char* name : {"stabilisation", "hankel", "assurance", "spectrum-1", "spectrum-3"})
    EXPECT_EQ(count(page, "data-plot='" + std::string(name) + "'"), 1u) << name;
  for (const char* words :
       {"id='pole'", "Click or tap a pole", "modal assurance criterion of at least 0.95",
        "spurious? at the Nyquist frequency"})
    EXPECT_GE(count(page, words), 1u) << words;
  std::vector<std::string> names;
  for (const auto& figure : report_figures(model, data)) {
    EXPECT_TRUE(well_formed(figure.svg)) << figure.name;
    names.push_back(figure.name);
  }
  for (const char* name :
       {"stabilisation", "hankel", "assurance", "complexity-1", "complexity-3", "spectrum-1",
        "spectrum-2", "spectrum-3", "signal-1", "residual-3-run-2"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
}

TEST(HiddenSection, ShowsOneChannelWithoutShapes) {
  const Model model = sample_hidden_model(4, 1, 3);
  const HiddenPlots plots = hidden_plots(model, hidden_data_of(model));
  EXPECT_TRUE(plots.shapes.empty());
  EXPECT_EQ(plots.spectra.size(), 1u);
  EXPECT_EQ(plots.stabilisation.size(), 2u);
  EXPECT_EQ(stability_words(1),
            "frequency within 1% and damping ratio within 5% of the order before");
}

TEST(HiddenSection, IsEmptyWhereChannelsAreStates) {
  Model model = testing::sample_model("sd", 2, 1);
  const HiddenPlots plots = hidden_plots(model, hidden_data_of(model));
  EXPECT_TRUE(plots.stabilisation.empty() && plots.shapes.empty() && plots.spectra.empty());
}

TEST(HiddenSection, ShowsRandomVibrationByItsDensity) {
  Model model = sample_hidden_model(4, 2, 4);
  const Dataset data = hidden_data_of(model);
  model.record = "ambient";
  model.starts.resize(4, 0);
  Random random(1);
  model.ambient = AmbientResponse{random.normals(4, 2), Matrix::Identity(2, 2)};
  const std::string page = markup_of(html_report(model, data));
  EXPECT_EQ(count(page, "Welch"), 1u);
  EXPECT_EQ(count(page, "Residual whiteness"), 0u);
  for (const auto& figure : report_figures(model, data)) {
    EXPECT_TRUE(well_formed(figure.svg)) << figure.name;
    EXPECT_FALSE(figure.name.starts_with("residual")) << figure.name;
  }
}

TEST(StabilisationPlot, MarksWhatTheOrderBeforeHas) {
  const Model model = sample_hidden_model(6, 3, 2);
  const Plot plot = stabilisation_plot(model, {}, 1);
  // Two poles, the same in three orders: those of the first are new.
  ASSERT_EQ(plot.series().size(), 3u);
  EXPECT_EQ(plot.series()[1].kind, Plot::Kind::circles);
  EXPECT_EQ(plot.series()[1].items, (std::vector<Index>{0, 1}));
  EXPECT_EQ(plot.series()[2].kind, Plot::Kind::crosses);
  EXPECT_EQ(plot.series()[2].items, (std::vector<Index>{2, 3, 4, 5}));
  EXPECT_EQ(plot.series()[2].y, (Vector{{4.0, 4.0, 6.0, 6.0}}));
  const std::string title = pole_title(model, model.stabilisation->orders[1], 0, true);
  EXPECT_NE(title.find("4 states: "), std::string::npos) << title;
  EXPECT_NE(title.find("ζ 0.025; stable; phase collinearity"), std::string::npos) << title;
}

TEST(AssurancePlot, HasACellForEachPair) {
  const Model model = sample_hidden_model(6, 3, 2);
  std::vector<Index> modes;
  for (Index k = 0; k < 6; ++k)
    if (model.modes[static_cast<std::size_t>(k)].pole.imag() > 0) modes.push_back(k);
  const Plot plot = assurance_plot(model, modes);
  ASSERT_EQ(plot.series().size(), 1u);
  EXPECT_EQ(plot.series()[0].high.size(), 9);
  EXPECT_EQ(count(plot.svg(), "fill-opacity"), 9u);
  EXPECT_EQ(plot.notes().size(), 6u);
}

TEST(ComplexityPlot, NamesFewChannelsAndDrawsMany) {
  const Model few = sample_hidden_model(4, 3, 2), many = sample_hidden_model(4, 9, 2);
  EXPECT_EQ(complexity_plot(few, 0).series().size(), 6u);
  const Plot plot = complexity_plot(many, 0);
  ASSERT_EQ(plot.series().size(), 2u);
  EXPECT_EQ(plot.series()[0].x.size(), 27);
  EXPECT_TRUE(well_formed(plot.svg()));
}

}  // namespace
}  // namespace lgn
