#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "lgn/core/error.h"
#include "lgn/model/model_file.h"
#include "lgn/report/text/tables.h"
#include "tests/report/bits.h"
#include "tests/report/sample_variation.h"

namespace lgn {
namespace {

using testing::same;
using Json = nlohmann::ordered_json;

void expect_same(const EntryCourse& a, const EntryCourse& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.varies, b.varies);
  EXPECT_TRUE(same(a.mean, b.mean));
  EXPECT_TRUE(same(a.mean_error, b.mean_error));
  EXPECT_TRUE(same(a.values, b.values));
  EXPECT_TRUE(same(a.errors, b.errors));
  ASSERT_EQ(a.harmonics.size(), b.harmonics.size());
  for (std::size_t k = 0; k < a.harmonics.size(); ++k) {
    EXPECT_EQ(a.harmonics[k].frequency, b.harmonics[k].frequency);
    EXPECT_TRUE(same(a.harmonics[k].amplitude, b.harmonics[k].amplitude));
    EXPECT_TRUE(same(a.harmonics[k].amplitude_error, b.harmonics[k].amplitude_error));
    EXPECT_TRUE(same(a.harmonics[k].phase, b.harmonics[k].phase));
    EXPECT_TRUE(same(a.harmonics[k].phase_error, b.harmonics[k].phase_error));
  }
}

void expect_same(const ModelVariation& a, const ModelVariation& b) {
  EXPECT_EQ(a.structure->name(), b.structure->name());
  EXPECT_EQ(a.structure->parameter_names(), b.structure->parameter_names());
  EXPECT_TRUE(same(a.theta, b.theta));
  EXPECT_TRUE(same(a.errors, b.errors));
  EXPECT_TRUE(same(a.begin, b.begin));
  EXPECT_TRUE(same(a.end, b.end));
  EXPECT_EQ(a.magnus.method, b.magnus.method);
  EXPECT_TRUE(same(a.magnus.tolerance, b.magnus.tolerance));
  EXPECT_EQ(a.magnus.most_substeps, b.magnus.most_substeps);
  EXPECT_TRUE(same(a.course.times, b.course.times));
  EXPECT_TRUE(same(a.course.generators, b.course.generators));
  EXPECT_TRUE(same(a.course.errors, b.course.errors));
  EXPECT_TRUE(same(a.course.poles.real(), b.course.poles.real()));
  EXPECT_TRUE(same(a.course.poles.imag(), b.course.poles.imag()));
  EXPECT_TRUE(same(a.course.re_errors, b.course.re_errors));
  EXPECT_TRUE(same(a.course.im_errors, b.course.im_errors));
  ASSERT_EQ(a.course.entries.size(), b.course.entries.size());
  for (std::size_t e = 0; e < a.course.entries.size(); ++e)
    expect_same(a.course.entries[e], b.course.entries[e]);
  ASSERT_EQ(a.floquet.has_value(), b.floquet.has_value());
  if (!a.floquet) return;
  EXPECT_TRUE(same(a.floquet->period, b.floquet->period));
  EXPECT_TRUE(a.floquet->multipliers == b.floquet->multipliers);
  EXPECT_TRUE(a.floquet->exponents == b.floquet->exponents);
}

void expect_variation_round_trip(const Model& model) {
  const std::string text = model_to_json(model);
  const Model again = model_from_json(text, "model.json");
  ASSERT_TRUE(again.variation.has_value());
  expect_same(*model.variation, *again.variation);
  EXPECT_EQ(model_to_json(again), text);
  const Vector times = Vector::LinSpaced(7, model.variation->begin, model.variation->end);
  EXPECT_TRUE(same(again.propagate(again.starts.col(0), times),
                   model.propagate(model.starts.col(0), times)));
}

TEST(VariationFile, RoundTripsEveryKindBitForBit) {
  for (const bool errors : {true, false}) {
    expect_variation_round_trip(testing::harmonic_model(errors));
    expect_variation_round_trip(testing::drift_model(errors));
    expect_variation_round_trip(testing::law_model(errors));
  }
  expect_variation_round_trip(testing::fourier_model());
}

TEST(VariationFile, KeepsMethodOriginAndErrorsThatAreNotKnown) {
  Model model = testing::varying_model(
      std::make_shared<ModulatedStructure>(find_structure("full", 2),
                                           std::make_shared<Harmonics>(2, -3.25)),
      Vector::LinSpaced(22, 0.5, 1.5), -3.25, 4, testing::sample_covariance(22, 0.1, 6));
  ModelVariation& variation = *model.variation;
  EXPECT_FALSE(variation.floquet.has_value());  // frequencies 0.5 and 0.5 + 1/21 share no period
  variation.magnus = {"4", 1e-7, 33};
  variation.errors[3] = std::nan("");
  variation.course.re_errors(1, 5) = std::nan("");
  variation.course.errors(1, 6) = std::nan("");
  variation.course.entries[1].harmonics[1].phase_error = std::nan("");
  variation.course.entries[2].mean_error = std::nan("");
  variation.course.entries[3].errors[4] = std::nan("");
  expect_variation_round_trip(model);
}

TEST(VariationFile, IsNullOrAbsentForAConstantModel) {
  auto json = Json::parse(model_to_json(testing::sample_model("sd", 2, 1)));
  EXPECT_TRUE(json["variation"].is_null());
  json.erase("variation");
  EXPECT_FALSE(model_from_json(json.dump(), "").variation.has_value());
}

TEST(VariationFile, SaysWhatTheContractLists) {
  const Model model = testing::harmonic_model();
  const auto json = Json::parse(model_to_json(model))["variation"];
  const ModelVariation& variation = *model.variation;
  EXPECT_EQ(json["kind"], "modulated");
  EXPECT_EQ(json["base"], "sd");
  EXPECT_EQ(json["basis"]["name"], "harmonics");
  EXPECT_EQ(json["link"], "clip");
  EXPECT_EQ(json["active"].dump(), "[[0],[0],[0,1,2]]");
  EXPECT_EQ(json["names"][5], "d2.sin1");
  EXPECT_EQ(json["frequencies"][0]["omega"], 1.1);
  EXPECT_EQ(json["frequencies"][0]["se"], variation.errors[0]);
  EXPECT_EQ(json["interval"].dump(), "[0.0,20.0]");
  EXPECT_EQ(json["extrapolates"], true);
  EXPECT_EQ(json["period"], variation.floquet->period);
  EXPECT_EQ(json["magnus"]["method"], "6");
  EXPECT_EQ(json["entries"][2]["name"], "d2");
  EXPECT_EQ(json["entries"][2]["harmonics"][0]["amplitude"], std::hypot(0.1, 0.2));
  EXPECT_EQ(json["course"]["t"].size(), 101u);
  EXPECT_EQ(json["course"]["A"][7][1][0], variation.course.generators(1, 14));
  EXPECT_EQ(json["course"]["A_se"][7][1][0], variation.course.errors(1, 14));
  EXPECT_EQ(json["course"]["poles_im"][1][9], variation.course.poles(1, 9).imag());
  EXPECT_EQ(json["course"]["entries"]["d2"]["se"][3], variation.course.entries[2].errors[3]);
  EXPECT_EQ(json["floquet"]["multipliers"][1]["re"], variation.floquet->multipliers[1].real());
  const auto law = Json::parse(model_to_json(testing::law_model()))["variation"];
  EXPECT_EQ(law["law"], "ltv-oscillator");
  EXPECT_EQ(law["constants"][3]["name"], "omega_d");
  // p − 1/p = θ is solved for p: a few roundings.
  EXPECT_NEAR(law["constants"][3]["value"].get<double>(), 1.1, 1e-15);
}

/// What is said about the model with its field "variation" edited.
std::string complaint(const Model& model, const std::function<void(Json&)>& edit) {
  auto json = Json::parse(model_to_json(model));
  edit(json["variation"]);
  try {
    model_from_json(json.dump(), "FILE");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

void expect_refused(const Model& model, const std::string& field,
                    const std::function<void(Json&)>& edit) {
  const std::string said = complaint(model, edit);
  EXPECT_NE(said.find("\"variation." + field + "\""), std::string::npos)
      << "expected " << field << ", not: " << said;
}

TEST(VariationFile, NamesAFieldThatIsMissing) {
  const auto missing = [](const Model& model, std::vector<const char*> fields) {
    for (const char* field : fields) expect_refused(model, field, [&](Json& v) { v.erase(field); });
  };
  missing(testing::harmonic_model(), {"kind", "base", "basis", "link", "active", "theta", "se",
                                      "interval", "magnus", "entries", "course", "floquet"});
  missing(testing::law_model(), {"law"});
  const Model model = testing::harmonic_model();
  for (const char* inner : {"name", "count", "origin"})
    expect_refused(model, std::string("basis.") + inner, [&](Json& v) { v["basis"].erase(inner); });
  for (const char* inner : {"method", "tolerance", "most_substeps"})
    expect_refused(model, std::string("magnus.") + inner,
                   [&](Json& v) { v["magnus"].erase(inner); });
  for (const char* inner : {"t", "A_se", "poles_re_se", "poles_im_se", "entries"})
    expect_refused(model, std::string("course.") + inner,
                   [&](Json& v) { v["course"].erase(inner); });
  for (const char* inner : {"name", "mean_se", "harmonics"})
    expect_refused(model, std::string("entries.") + inner,
                   [&](Json& v) { v["entries"][2].erase(inner); });
}

TEST(VariationFile, ReadsAModelInWhichNothingVaries) {
  const auto structure =
      std::make_shared<ModulatedStructure>(find_structure("sd", 2), std::make_shared<Harmonics>(0),
                                           std::vector<std::vector<Index>>(3, {0}));
  const Model model = testing::varying_model(structure, Vector{{1.1, 0.1, 0.2}}, 0, 20, {});
  const Model read = model_from_json(model_to_json(model), "FILE");
  EXPECT_EQ(read.variation->theta, model.variation->theta);
  EXPECT_FALSE(read.variation->floquet);
  EXPECT_NE(modes_table(read).find("no parameter of the generator varies"), std::string::npos);
}

TEST(VariationFile, RefusesStructuresThatAreNone) {
  const Model model = testing::harmonic_model(), drift = testing::drift_model();
  expect_refused(model, "kind", [](Json& v) { v["kind"] = "custom"; });
  expect_refused(model, "base", [](Json& v) { v["base"] = "nonsense"; });
  expect_refused(model, "base", [](Json& v) { v["base"] = "network"; });
  expect_refused(model, "base", [](Json& v) { v["base"] = 3; });
  expect_refused(model, "basis.name", [](Json& v) { v["basis"]["name"] = "wavelet"; });
  expect_refused(model, "basis", [](Json& v) { v["basis"] = "harmonics"; });
  expect_refused(model, "link", [](Json& v) { v["link"] = "relu"; });
  expect_refused(testing::law_model(), "law", [](Json& v) { v["law"] = "gravity"; });
  expect_refused(drift, "law", [](Json& v) {
    v["kind"] = "law";
    v["law"] = "ltv-oscillator";  // has two states, not four
  });
  expect_refused(drift, "basis.end", [](Json& v) { v["basis"]["end"] = -1; });
  expect_refused(drift, "basis.begin", [](Json& v) { v["basis"]["begin"] = nullptr; });
  for (const Json& count :
       {Json(3), Json(1'000'000'000), Json(-8), Json(8.5), Json("8"), Json(18446744073709551615u)})
    expect_refused(drift, "basis.count", [&](Json& v) { v["basis"]["count"] = count; });
  expect_refused(model, "basis.count", [](Json& v) { v["basis"]["count"] = -1; });
  expect_refused(model, "magnus.method", [](Json& v) { v["magnus"]["method"] = "7"; });
  expect_refused(model, "magnus.tolerance", [](Json& v) { v["magnus"]["tolerance"] = 0; });
  expect_refused(model, "magnus.tolerance", [](Json& v) { v["magnus"]["tolerance"] = nullptr; });
  expect_refused(model, "magnus.most_substeps",
                 [](Json& v) { v["magnus"]["most_substeps"] = 2'000'000'000; });
}

TEST(VariationFile, RefusesFunctionsThatAreNone) {
  const auto refused = [](const char* active) {
    expect_refused(testing::harmonic_model(), "active",
                   [&](Json& v) { v["active"] = Json::parse(active); });
  };
  refused("[]");                     // not all functions, as for the constructor
  refused("[[0],[0]]");              // an entry short
  refused("[[0],[0],[]]");           // an entry without a function
  refused("[[0],[0],[0,1,3]]");      // out of range
  refused("[[0],[0],[0,1,-1]]");     // out of range
  refused("[[0],[0],[0,2,1]]");      // not ascending
  refused("[[0],[0],[0,1,1]]");      // twice
  refused("[[0],[0],[0,1]]");        // a cosine without its sine
  refused("[[0],[0],[1,2]]");        // no mean
  refused("[[0],[0],[0,1,2.5]]");    // no whole number
  refused("[[0],[0],[0,\"1\",2]]");  // no number
  refused("[[0],[0],7]");            // no list
  refused("{\"d2\":[0]}");
}

TEST(VariationFile, RefusesNumbersThatAreNone) {
  const Model model = testing::harmonic_model();
  expect_refused(model, "theta", [](Json& v) { v["theta"][2] = nullptr; });
  expect_refused(model, "theta", [](Json& v) { v["theta"].push_back(1.0); });
  expect_refused(model, "theta", [](Json& v) { v["theta"][0] = -1.1; });
  expect_refused(model, "theta", [](Json& v) { v["theta"][1] = "1"; });
  expect_refused(model, "theta", [](Json& v) { v["theta"][1] = 1e308; });  // no flow
  expect_refused(model, "se", [](Json& v) { v["se"][1] = -0.1; });
  expect_refused(model, "se", [](Json& v) { v["se"] = {0.1}; });
  expect_refused(model, "interval", [](Json& v) { v["interval"] = {20, 0}; });
  expect_refused(model, "interval", [](Json& v) { v["interval"] = {0, nullptr}; });
  expect_refused(model, "interval", [](Json& v) { v["interval"] = {0}; });
  expect_refused(testing::drift_model(), "floquet", [](Json& v) { v["floquet"] = Json::object(); });
}

TEST(VariationFile, RefusesCoursesThatAreNone) {
  const Model model = testing::harmonic_model();
  const auto refused = [&](const char* field, const std::function<void(Json&)>& edit) {
    expect_refused(model, std::string("course.") + field, [&](Json& v) { edit(v["course"]); });
  };
  refused("t", [](Json& c) { c["t"] = Json::array(); });
  refused("t", [](Json& c) { c["t"] = {1}; });
  refused("t", [](Json& c) { c["t"] = {1, 0}; });
  refused("t", [](Json& c) { c["t"][50] = 10.1; });
  refused("t", [](Json& c) { c["t"][50] = nullptr; });
  refused("A_se", [](Json& c) { c["A_se"].erase(3); });
  refused("A_se", [](Json& c) { c["A_se"][3][1] = {0.1}; });
  refused("A_se", [](Json& c) { c["A_se"][3][1][0] = -1; });
  refused("poles_re_se", [](Json& c) { c["poles_re_se"].erase(1); });
  refused("poles_im_se", [](Json& c) { c["poles_im_se"][1][2] = "small"; });
  refused("entries.d2", [](Json& c) { c["entries"].erase("d2"); });
  refused("entries.d2.se", [](Json& c) { c["entries"]["d2"]["se"].erase(5); });
  expect_refused(model, "entries", [](Json& v) { v["entries"].erase(0); });
  expect_refused(model, "entries.name", [](Json& v) { v["entries"][1]["name"] = "d7"; });
  expect_refused(model, "entries.mean_se", [](Json& v) { v["entries"][1]["mean_se"] = -1; });
  expect_refused(model, "entries.harmonics",
                 [](Json& v) { v["entries"][2]["harmonics"] = Json::array(); });
  expect_refused(model, "entries.harmonics.phase_se",
                 [](Json& v) { v["entries"][2]["harmonics"][0]["phase_se"] = "x"; });
}

TEST(VariationFile, RefusesACourseThatWouldFillMemory) {
  // Ten thousand splines at that many times: 10⁸ values of functions.
  expect_refused(testing::drift_model(), "course.t", [](Json& v) {
    v["basis"]["count"] = 10'000;
    v["active"] = Json::array();
    for (int e = 0; e < 10; ++e) v["active"].push_back({0});
    v["theta"] = std::vector<double>(10, 0.1);
    v["se"] = nullptr;
    for (int k = 0; k < 10'000; ++k) v["course"]["t"][static_cast<std::size_t>(k)] = 0.5 * k;
  });
}

}  // namespace
}  // namespace lgn
