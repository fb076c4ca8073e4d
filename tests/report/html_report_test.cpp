#include "lgn/report/page/html_report.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lgn/core/setting.h"
#include "tests/report/markup.h"
#include "tests/report/sample_model.h"
#include "tests/report/sample_network.h"

namespace lgn {
namespace {

using testing::count;
using testing::markup_of;
using testing::sample_model;
using testing::well_formed;

Dataset page_data_of(const Model& model) { return testing::sample_data(model, 41); }

TEST(HtmlReport, HoldsWhatWasFound) {
  Model model = sample_model("sd", 2, 1);
  model.a = Matrix{{-0.4, 2.0}, {-2.0, -0.4}};
  model.modes = find_modes(model.a);
  model.time_unit = "s";
  model.fit.holdout = 0;
  const std::string page = markup_of(html_report(model, page_data_of(model)));
  EXPECT_TRUE(well_formed(page));
  for (const char* part :
       {"-0.4 ± 2i", "0.32461", "energy never grows", "One damped oscillation", "a.csv", "0123abcd",
        "a message", "<!doctype html>", "sd", "1.2.3", "lgn fit a.csv b.csv"})
    EXPECT_GE(count(page, part), 1u) << part;
  for (const char* name : {"poles", "autocorrelation", "energy", "power", "content"})
    EXPECT_EQ(count(page, "data-plot='" + std::string(name) + "'"), 1u) << name;
  for (const char* name : {"signals", "shapes"})
    EXPECT_EQ(count(page, "id='" + std::string(name) + "'"), 1u) << name;
  // ln 2/(2 · 0.4) s until half the energy is gone.
  EXPECT_EQ(count(page, "loses half its energy in 0.866 s"), 1u);
}

TEST(HtmlReport, ShowsSettingsAsCode) {
  Model model = sample_model("sd", 2, 3);
  model.warnings = {{"unstable", "use " + setting("structure", "psd")}};
  const std::string page = markup_of(html_report(model, page_data_of(model)));
  EXPECT_EQ(count(page, "use <code>structure: psd</code>"), 1u);
}

TEST(HtmlReport, RefersToNothingOutside) {
  const Model model = sample_model("full", 3, 2);
  const std::string page = html_report(model, page_data_of(model));
  EXPECT_EQ(count(page, "default-src 'none'"), 1u);  // what the browser holds it to
  const std::string markup = markup_of(page);
  EXPECT_EQ(count(markup, "http"), 1u);  // of http-equiv, around that
  for (const char* part : {"src=", "href=", "@import", "url(", "<link"})
    EXPECT_EQ(count(markup, part), 0u) << part;
}

TEST(HtmlReport, EscapesEveryTextItIsGiven) {
  Model model = sample_model("sd", 2, 3);
  const std::string evil = "<script>alert('x')</script>&\"";
  model.channels = {evil, "b" + evil};
  model.structure = model.method = model.version = model.time_unit = evil;
  model.data.files = {evil};
  model.data.sha256 = evil;
  model.warnings = {{evil, evil}};
  model.parameters.push_back({evil, Matrix::Ones(1, 1), NamedValue::Shape::scalar});
  const std::string page = html_report(model, page_data_of(model));
  EXPECT_EQ(count(page, "<script"), 4u);  // the page's own
  EXPECT_EQ(count(page, "</script"), 4u);
  EXPECT_GE(count(page, "&lt;script&gt;"), 9u);
  EXPECT_TRUE(well_formed(markup_of(page)));
}

TEST(HtmlReport, DrawsEveryPlotAsAFile) {
  const Model model = sample_model("full", 14, 4);
  const auto figures = report_figures(model, page_data_of(model));
  std::vector<std::string> names;
  for (const auto& figure : figures) {
    EXPECT_TRUE(well_formed(figure.svg)) << figure.name;
    names.push_back(figure.name);
  }
  // Three runs of 14 channels, and 7 to 14 modes without their conjugates.
  for (const char* name :
       {"poles", "autocorrelation", "content", "signal-1", "signal-14", "residual-14",
        "signal-1-run-2", "residual-14-run-3", "shape-1", "shape-7"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
}

TEST(HtmlReport, StaysSmallWithManyChannelsAndSamples) {
  // 100 channels and 20,000 samples in each of six runs are 96 MB as numbers.
  Model model = sample_model("sd", 100, 6);
  model.starts = Matrix::Ones(100, 6);
  const Vector times = Vector::LinSpaced(20000, 0, 1);
  std::vector<Trajectory> runs;
  for (int r = 0; r < 6; ++r)
    runs.emplace_back(std::to_string(r), times, Matrix::Random(100, times.size()));
  const std::string page = html_report(model, Dataset(model.channels, std::move(runs)));
  EXPECT_LT(page.size(), 10'000'000u);
  EXPECT_EQ(count(page, "1 more runs are not drawn"), 1u);
}

TEST(HtmlReport, ShowsTheNetworkFirst) {
  Model model = sample_model("sd", 6, 5);
  model.network = testing::ladder(3);
  model.network->nodes[0].name = "<i>1";
  const Dataset data = page_data_of(model);
  const auto figures = report_figures(model, data);
  EXPECT_EQ(figures[0].name, "network");
  const std::string page = markup_of(html_report(model, data));
  EXPECT_TRUE(well_formed(page));
  EXPECT_EQ(count(page, figures[0].svg), 1u);
  EXPECT_LT(page.find("<h2>Network</h2>"), page.find("<h2>Modes of the generator</h2>"));
  EXPECT_EQ(count(page, "3 voltages and 3 currents, 5 couplings, 3 losses"), 1u);
  EXPECT_EQ(count(page, "<td>&lt;i&gt;1</td>"), 1u);
  EXPECT_EQ(count(page, "<td>-1 exactly</td>"), 2u);
  EXPECT_EQ(count(page, "values are relative"), 0u);
  model.network->relative = true;
  EXPECT_EQ(count(markup_of(html_report(model, data)), "values are relative"), 1u);
}

}  // namespace
}  // namespace lgn
