#include "experiments/reproduction/results_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "lgn/core/error.h"
#include "tests/reproduction/sample_findings.h"

namespace lgn::studies {
namespace {

using Json = nlohmann::json;
using testing::sample_findings;

TEST(ReproductionRow, KnowsItsMedianAndRange) {
  const Row row{.system = "", .method = "a", .metric = "nrmse", .paper_method = {3, 1, 2}};
  EXPECT_EQ(row.median(), 2);
  EXPECT_EQ(row.lowest(), 1);
  EXPECT_EQ(row.highest(), 3);
}

TEST(ReproductionRow, WhatDivergedIsInfiniteAndNothingIsNoNumber) {
  const Row mostly{
      .system = "", .method = "a", .metric = "nrmse", .paper_method = {std::nan(""), 1, INFINITY}};
  EXPECT_EQ(mostly.median(), INFINITY);
  EXPECT_EQ(mostly.lowest(), 1);
  EXPECT_EQ(mostly.highest(), INFINITY);
  const Row none{.system = "", .method = "a", .metric = "nrmse"};
  EXPECT_TRUE(std::isnan(none.median()) && std::isnan(none.lowest()) && std::isnan(none.highest()));
}

TEST(ReproductionRow, MetricsHaveTitles) {
  EXPECT_EQ(metric_title("nrmse"), "NRMSE");
  EXPECT_EQ(metric_title("generator_error"), "‖A−A*‖/‖A*‖");
  EXPECT_EQ(metric_title("step_error"), "error at T = 10");
  EXPECT_EQ(metric_title("something new"), "something new");
}

TEST(ResultsJson, HasTheFormOfTheContract) {
  Findings other;
  other.id = "a2";
  const Json all = Json::parse(results_json({sample_findings(), other}));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all.at("a2"), Json::array());
  const Json& rows = all.at("exp3");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0], (Json{{"system", "LC"},
                           {"method", "LGN-SD"},
                           {"metric", "nrmse"},
                           {"paper", 0.90},
                           {"paper_method", 0.25},
                           {"paper_method_low", 0.1},
                           {"paper_method_high", 1.0 / 3},
                           {"seeds", 3},
                           {"ours", 1.25e-7},
                           {"note", "maximum likelihood | `x0` estimated"}}));
}

TEST(ResultsJson, NumbersThatAreNotFiniteAreNullAndSayWhy) {
  const Json rows = Json::parse(results_json({sample_findings()})).at("exp3");
  EXPECT_EQ(rows[1], (Json{{"system", "RLC"},
                           {"method", "Neural ODE"},
                           {"metric", "violations"},
                           {"paper", nullptr},
                           {"paper_text", "< 1%"},
                           {"paper_method", 0.5},
                           {"paper_method_low", 0.125},
                           {"paper_method_high", nullptr},
                           {"seeds", 3},
                           {"ours", nullptr},
                           {"diverged", true}}));
  // What was not computed did not diverge.
  EXPECT_TRUE(rows[2].at("paper_method").is_null() && rows[2].at("ours").is_null());
  EXPECT_EQ(rows[2].at("seeds"), 0);
  EXPECT_FALSE(rows[2].contains("diverged"));
  EXPECT_FALSE(rows[2].contains("paper_text"));
}

TEST(ResultsJson, LeavesAnEmptySystemOut) {
  Findings findings = sample_findings();
  findings.rows[0].system = "";
  EXPECT_FALSE(Json::parse(results_json({findings})).at("exp3")[0].contains("system"));
}

void expect_same(const Row& a, const Row& b) {
  EXPECT_EQ(a.system, b.system);
  EXPECT_EQ(a.method, b.method);
  EXPECT_EQ(a.metric, b.metric);
  EXPECT_EQ(a.paper, b.paper);
  EXPECT_EQ(a.paper_text, b.paper_text);
  EXPECT_EQ(a.paper_method, b.paper_method);
  EXPECT_EQ(a.ours, b.ours);
  EXPECT_EQ(a.note, b.note);
}

TEST(FindingsJson, RoundTripsToTheLastBit) {
  Findings before = sample_findings();
  before.rows[0].paper_method.push_back(0.1 + 0.2);
  const Findings after = read_findings(findings_json(before));
  EXPECT_EQ(after.id, before.id);
  EXPECT_EQ(after.title, before.title);
  EXPECT_EQ(after.setting, before.setting);
  EXPECT_EQ(after.remarks, before.remarks);
  EXPECT_EQ(after.seconds, before.seconds);
  ASSERT_EQ(after.rows.size(), before.rows.size());
  for (std::size_t k = 0; k < after.rows.size(); ++k) expect_same(after.rows[k], before.rows[k]);
  ASSERT_EQ(after.panels.size(), before.panels.size());
  for (std::size_t k = 0; k < after.panels.size(); ++k) {
    EXPECT_EQ(after.panels[k].name, before.panels[k].name);
    EXPECT_EQ(after.panels[k].caption, before.panels[k].caption);
    EXPECT_EQ(after.panels[k].svg, before.panels[k].svg);
  }
  EXPECT_EQ(findings_json(after), findings_json(before));
}

TEST(FindingsJson, KeepsWhatIsNoNumber) {
  Findings before = sample_findings();
  before.rows[0].ours = std::nan("");
  EXPECT_TRUE(std::isnan(*read_findings(findings_json(before)).rows[0].ours));
}

/// What is said about a file with one thing changed.
template <class Change>
std::string complaint(Change change) {
  Json json = Json::parse(findings_json(sample_findings()));
  change(json);
  try {
    read_findings(json.dump());
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(FindingsJson, ADamagedFileSaysWhatIsWrong) {
  EXPECT_EQ(complaint([](Json&) {}), "nothing");
  EXPECT_EQ(complaint([](Json& j) { j.erase("title"); }), "there is no field \"title\"");
  EXPECT_EQ(complaint([](Json& j) { j["rows"][1].erase("ours"); }),
            "there is no field \"rows[1].ours\"");
  EXPECT_EQ(complaint([](Json& j) { j["rows"][0]["paper_method"][2] = "three"; }),
            "field \"rows[0].paper_method[2]\" is not a number");
  EXPECT_EQ(complaint([](Json& j) { j["panels"][1]["svg"] = 3; }),
            "field \"panels[1].svg\" is not a text");
  EXPECT_EQ(complaint([](Json& j) { j["rows"] = 3; }), "field \"rows\" is not a list");
  EXPECT_EQ(complaint([](Json& j) { j["rows"][0] = 3; }), "field \"rows[0]\" is not an object");
  EXPECT_EQ(complaint([](Json& j) { j = 3; }), "the whole is not an object");
}

TEST(FindingsJson, EveryTruncatedFileIsRefused) {
  std::string text = findings_json(sample_findings());
  text.pop_back();  // the line's end, which may be missing
  for (std::size_t length = 0; length < text.size(); ++length)
    EXPECT_THROW(read_findings(text.substr(0, length)), Error) << length;
}

}  // namespace
}  // namespace lgn::studies
