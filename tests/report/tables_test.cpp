#include "lgn/report/text/tables.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "tests/report/sample_model.h"

namespace lgn {
namespace {

using testing::sample_model;

std::vector<std::string> lines(const std::string& text) {
  std::stringstream stream(text);
  std::vector<std::string> all;
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

TEST(TextTable, AlignsWhatIsSeenNotBytes) {
  EXPECT_EQ(text_table({"name", "ω_n", "τ"}, {{"µ", "1", "–"}, {"longer", "10.25", "7"}}),
            "name      ω_n  τ\n"
            "────────────────\n"
            "µ           1  –\n"
            "longer  10.25  7\n");
}

TEST(TextTable, EndsLinesWithoutSpaces) {
  EXPECT_EQ(text_table({"a", "b"}, {{"long name", ""}}), "a          b\n────────────\nlong name\n");
  EXPECT_EQ(text_table({"a"}, {}), "a\n─\n");
}

TEST(TextTable, ShowsWordsFlushLeftWhereAsked) {
  std::vector<std::vector<std::string>> rows{{"a", "µ"}, {"b", "long"}};
  align_left(rows, 1);
  EXPECT_EQ(rows[0][1], "µ   ");
  EXPECT_EQ(text_table({"", ""}, rows), "\n───────\na  µ\nb  long\n");
}

TEST(ShortNumber, HasFiveDigits) {
  EXPECT_EQ(short_number(0.1234567), "0.12346");
  EXPECT_EQ(short_number(1e-12), "1e-12");
  EXPECT_EQ(short_number(-0.0), "0");
  EXPECT_EQ(short_number(std::nan("")), "–");
  EXPECT_EQ(short_number(std::numeric_limits<double>::infinity()), "–");
}

Model oscillator() {
  Model model = sample_model("full", 3, 1);
  model.a = Matrix{{-0.5, 0.0, 0.0}, {0.0, -0.1, 3.0}, {0.0, -3.0, -0.1}};
  model.modes = find_modes(model.a);
  model.channels = {"slow", "left", "right"};
  model.time_unit = "s";
  return model;
}

TEST(ModesTable, HasOneRowForAPairAndDashesForWhatIsNot) {
  const auto rows = mode_rows(oscillator());
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].pole, "-0.5");
  EXPECT_EQ(rows[0].frequency, "–");
  EXPECT_EQ(rows[0].damping, "–");
  EXPECT_EQ(rows[0].time_constant, "2");
  EXPECT_EQ(rows[0].channels, "slow");
  EXPECT_EQ(rows[1].pole, "-0.1 ± 3i");
  EXPECT_EQ(rows[1].natural_frequency, "3.0017");
  EXPECT_EQ(rows[1].frequency, "0.47773");
  EXPECT_EQ(rows[1].damping, "0.033315");
  EXPECT_EQ(rows[1].channels, "left, right");
  EXPECT_EQ(lines(modes_table(oscillator())).size(), 4u);
}

TEST(ModesTable, NamesAtMostFourChannels) {
  Model model = sample_model("full", 6, 2);
  model.a = -Matrix::Ones(6, 6) - Matrix::Identity(6, 6);
  model.modes = find_modes(model.a);
  for (const auto& row : mode_rows(model))
    EXPECT_LE(std::count(row.channels.begin(), row.channels.end(), ','), 3);
}

TEST(ModesTable, ComparesWithTheTruth) {
  Model model = oscillator();
  const Model truth = model;
  model.a(0, 0) = -0.6;
  model.modes = find_modes(model.a);
  const std::string table = modes_table(model, truth);
  EXPECT_NE(table.find("2.0e-01"), std::string::npos) << table;  // |−0.6 + 0.5|/0.5
  EXPECT_NE(table.find("0.0e+00"), std::string::npos) << table;
  EXPECT_NE(table.find("mean |Δλ| 3.33e-02"), std::string::npos) << table;
}

TEST(Summary, SaysWhatMatters) {
  Model model = oscillator();
  model.fit.nrmse_train = 0.0123;
  model.fit.nrmse_holdout = 0.5;
  model.fit.noise_sigma = 0.25;
  model.fit.iterations = 100;
  model.fit.converged = false;
  const std::string text = summary_text(model);
  for (const char* part : {"3 states", "structure full (no guarantee)", "1.23% of the signal",
                           "validation error 50%", "σ ≈ 0.25", "NOT converged", "100 epochs",
                           "3 runs, 600 samples", "warning [code-1]: a message"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  model = sample_model("sd", 1, 3);
  EXPECT_EQ(summary_text(model).substr(0, 8), "1 state,");
}

TEST(Summary, WordsTheGuarantee) {
  EXPECT_EQ(guarantee_text({true, true, true}).substr(0, 23), "guaranteed conservative");
  EXPECT_EQ(guarantee_text({true, true, false}).substr(0, 18), "guaranteed passive");
  EXPECT_EQ(guarantee_text({true, false, false}).substr(0, 17), "guaranteed stable");
  EXPECT_EQ(guarantee_text({}), "no guarantee");
}

}  // namespace
}  // namespace lgn
