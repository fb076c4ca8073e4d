#include "lgn/report/text/modes_export.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "lgn/core/error.h"
#include "tests/report/sample_model.h"

namespace lgn {
namespace {

using testing::sample_model;

/// A decay, and an oscillation with errors to two digits; names that every format must escape.
Model sample() {
  Model model = sample_model("full", 3, 1);
  model.a = Matrix{{-0.5, 0.0, 0.0}, {0.0, -0.1, 3.0}, {0.0, -3.0, -0.1}};
  model.modes = find_modes(model.a);
  for (auto& mode : model.modes) {
    mode.se = Mode::Errors{0.002, 0.003, 0.004, 0.0005, 0.0006, 0.7};
    mode.identifiable = true;
  }
  model.channels = {"slow_1", "a|b", "100%"};
  model.time_unit = "s";
  return model;
}

std::vector<std::vector<std::string>> cells(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::stringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::stringstream fields(line + ",");  // so that an empty last field counts
    rows.emplace_back();
    for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(field);
  }
  return rows;
}

TEST(ModesExport, KnowsItsFormats) {
  EXPECT_EQ(find_table_format("latex"), TableFormat::latex);
  EXPECT_THROW(find_table_format("word"), Error);
}

TEST(ModesExport, CsvReadsBackToTheSameBits) {
  const Model model = sample();
  const auto rows = cells(modes_in(TableFormat::csv, model));
  ASSERT_EQ(rows.size(), 3u);  // a header, a decay, and one row for the pair
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
  EXPECT_EQ(rows[0].front(), "re");
  EXPECT_EQ(*(rows[0].end() - 2), "identifiable");
  EXPECT_EQ(rows[0].back(), "spurious");
  const Mode& pair = model.modes[2];
  ASSERT_GT(pair.pole.imag(), 0);
  const double expected[]{
      pair.pole.real(),   pair.pole.imag(),          pair.natural_frequency, pair.frequency_hz,
      pair.damping_ratio, pair.time_constant,        pair.quality,           pair.se->re,
      pair.se->im,        pair.se->natural_frequency};
  for (std::size_t k = 0; k < std::size(expected); ++k)
    EXPECT_EQ(std::strtod(rows[2][k].c_str(), nullptr), expected[k]) << rows[0][k];
  EXPECT_EQ(*(rows[2].end() - 2), "true");
  EXPECT_EQ(rows[2].back(), "");
}

TEST(ModesExport, CsvLeavesEmptyWhatIsNotKnown) {
  Model model = sample();
  for (auto& mode : model.modes) {
    mode.se.reset();
    mode.identifiable.reset();
  }
  const auto rows = cells(modes_in(TableFormat::csv, model));
  EXPECT_EQ(rows[1][7], "");
  EXPECT_EQ(rows[1].back(), "");
}

TEST(ModesExport, MarkdownKeepsItsColumns) {
  const std::string text = modes_in(TableFormat::markdown, sample());
  EXPECT_NE(text.find("| -0.1000(20) ± 3.0000(30)i |"), std::string::npos) << text;
  EXPECT_NE(text.find("a\\|b"), std::string::npos) << text;
  EXPECT_NE(text.find("slow\\_1"), std::string::npos) << text;
  EXPECT_NE(text.find("lgn 1.2.3 (structure full, method adam) from 3 runs, 600 samples"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("0123abcd"), std::string::npos) << text;
}

TEST(ModesExport, LatexEscapesNamesAndWritesNumbersAsMathematics) {
  const std::string text = modes_in(TableFormat::latex, sample());
  for (const char* part :
       {"\\begin{table}", "\\end{table}", "$-0.1000(20) \\pm 3.0000(30)\\,\\mathrm{i}$", "slow\\_1",
        "100\\%", "$\\omega_n$ [rad/s]", "one standard error (200 bootstrap samples)", " & -- & "})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(ModesExport, LatexWritesPowersOfTen) {
  Model model = sample();
  model.a *= 1e-9;
  model.modes = find_modes(model.a);
  const std::string text = modes_in(TableFormat::latex, model);
  EXPECT_NE(text.find("$-5\\cdot 10^{-10}$"), std::string::npos) << text;
  EXPECT_NE(text.find("$2\\cdot 10^{9}$"), std::string::npos) << text;
}

TEST(ModesExport, SaysWhichModesAreNotDetermined) {
  Model model = sample();
  for (auto& mode : model.modes) {
    mode.identifiable = false;
    mode.reason = "it is noise";
  }
  EXPECT_NE(modes_in(TableFormat::latex, model).find("not determined & -- "), std::string::npos);
  EXPECT_NE(modes_in(TableFormat::markdown, model).find("| not determined | – |"),
            std::string::npos);
  EXPECT_EQ(*(cells(modes_in(TableFormat::csv, model))[1].end() - 2), "false");
}

TEST(ModesExport, SaysWhichModesMayBeSpurious) {
  Model model = sample();
  for (auto& mode : model.modes) mode.spurious = "decays within 2 samples";
  EXPECT_EQ(cells(modes_in(TableFormat::csv, model))[1].back(), "\"decays within 2 samples\"");
  EXPECT_NE(modes_in(TableFormat::markdown, model).find("; spurious? decays within 2 samples"),
            std::string::npos);
}

}  // namespace
}  // namespace lgn
