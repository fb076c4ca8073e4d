#include "lgn/report/html_report.h"

#include <gtest/gtest.h>

#include <regex>

#include "lgn/flow/propagate.h"
#include "tests/report/markup.h"
#include "tests/report/sample_model.h"
#include "tests/report/sample_network.h"

namespace lgn {
namespace {

using testing::count;
using testing::sample_model;
using testing::well_formed;

Dataset data_of(const Model& model) {
  const Vector times = Vector::LinSpaced(40, 0, 4);
  std::vector<Trajectory> runs;
  for (Index r = 0; r < model.starts.cols(); ++r)
    runs.emplace_back("run " + std::to_string(r), times,
                      propagate(model.a, model.starts.col(r), times));
  return Dataset(model.channels, std::move(runs));
}

TEST(HtmlReport, HoldsWhatWasFound) {
  Model model = sample_model("sd", 2, 1);
  model.a = Matrix{{-0.4, 2.0}, {-2.0, -0.4}};
  model.modes = find_modes(model.a);
  model.time_unit = "s";
  const std::string page = html_report(model, data_of(model));
  EXPECT_TRUE(
      well_formed(page.substr(0, page.find("<style>")) + page.substr(page.find("</style>") + 8)));
  for (const char* part : {"-0.4 ± 2i", "0.32461", "energy never grows", "1 oscillation", "a.csv",
                           "0123abcd", "a message", "<!doctype html>", "sd", "1.2.3"})
    EXPECT_GE(count(page, part), 1u) << part;
  EXPECT_EQ(count(page, "<svg"), 4u);  // poles, two channels, energy
  // ln 2/(2 · 0.4) s until half the energy is gone.
  EXPECT_EQ(count(page, "loses half its energy in 0.86643 s"), 1u);
}

TEST(HtmlReport, RefersToNothingOutside) {
  const Model model = sample_model("full", 3, 2);
  const std::string page = html_report(model, data_of(model));
  const std::regex address("https?:[^ '\"<]*");
  for (std::sregex_iterator it(page.begin(), page.end(), address), end; it != end; ++it)
    EXPECT_EQ(it->str(), "http://www.w3.org/2000/svg");
  for (const char* part : {"src=", "href=", "@import", "url(", "<script", "<link"})
    EXPECT_EQ(count(page, part), 0u) << part;
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
  const std::string page = html_report(model, data_of(model));
  EXPECT_EQ(count(page, "<script"), 0u);
  EXPECT_GE(count(page, "&lt;script&gt;"), 9u);
  EXPECT_TRUE(
      well_formed(page.substr(0, page.find("<style>")) + page.substr(page.find("</style>") + 8)));
}

TEST(HtmlReport, DrawsTheFirstTwelveChannels) {
  const Model model = sample_model("full", 14, 4);
  const auto figures = report_figures(model, data_of(model));
  ASSERT_EQ(figures.size(), 13u);
  EXPECT_EQ(figures[0].name, "poles");
  EXPECT_EQ(figures[12].name, "signal-12");
  for (const auto& figure : figures) EXPECT_TRUE(well_formed(figure.svg)) << figure.name;
  EXPECT_EQ(count(html_report(model, data_of(model)), "2 more channels are not drawn"), 1u);
}

TEST(HtmlReport, ShowsTheNetworkFirst) {
  Model model = sample_model("sd", 6, 5);
  model.network = testing::ladder(3);
  model.network->nodes[0].name = "<i>1";
  const Dataset data = data_of(model);
  const auto figures = report_figures(model, data);
  ASSERT_EQ(figures.size(), 9u);  // network, poles, six channels, energy
  EXPECT_EQ(figures[0].name, "network");
  const std::string page = html_report(model, data);
  EXPECT_TRUE(
      well_formed(page.substr(0, page.find("<style>")) + page.substr(page.find("</style>") + 8)));
  EXPECT_EQ(count(page, figures[0].svg), 1u);
  EXPECT_LT(page.find("<h2>Network</h2>"), page.find("<h2>Modes</h2>"));
  EXPECT_EQ(count(page, "3 voltages and 3 currents, 5 couplings, 3 losses"), 1u);
  EXPECT_EQ(count(page, "<td>&lt;i&gt;1</td>"), 1u);
  EXPECT_EQ(count(page, "<td>-1 exactly</td>"), 2u);
  EXPECT_EQ(count(page, "relative"), 0u);
  model.network->relative = true;
  EXPECT_EQ(count(html_report(model, data), "values are relative"), 1u);
}

}  // namespace
}  // namespace lgn
