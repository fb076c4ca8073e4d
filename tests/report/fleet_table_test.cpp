#include "lgn/report/text/fleet_table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lgn {
namespace {

/// Records of two modes with a scatter of 1%, and the same error in each.
std::vector<FleetRecord> fleet(int count) {
  std::vector<FleetRecord> records;
  for (int k = 0; k < count; ++k) {
    FleetRecord record;
    record.file = "r" + std::to_string(k) + ".csv";
    record.model = "r" + std::to_string(k) + ".json";
    record.structure = "sd";
    record.states = 4;
    const double off = 0.01 * ((k * 7) % 5 - 2);
    record.fit_error = 0.02 * (1 + off);
    record.modes = {{1.0 + off, 0.01, 0.05 + 0.1 * off, 0.001, 3, true},
                    {2.0 - off, 0.01, 0.02 + 0.1 * off, 0.001, 4, true}};
    records.push_back(record);
  }
  return records;
}

TEST(FleetTable, MarksNothingWhereRecordsAreAlike) {
  auto records = fleet(12);
  mark_outliers(records);
  for (const auto& record : records) EXPECT_EQ(record.outlier, "") << record.file;
}

TEST(FleetTable, SaysInWhatARecordDiffers) {
  auto records = fleet(12);
  records[3].modes[1].frequency = 2.5;
  records[5].fit_error = 0.4;
  records[6].fit_error = 0.001;  // a better fit is no fault
  records[7].modes.pop_back();
  records[8].modes[0].frequency = 1.4;  // far off, but nobody knows it better
  records[8].modes[0].frequency_error = 0.2;
  mark_outliers(records);
  EXPECT_EQ(records[3].outlier, "frequency 2 2.5 Hz where most have 2");
  EXPECT_TRUE(records[5].outlier.starts_with("fit error 0.4 where most have"))
      << records[5].outlier;
  EXPECT_EQ(records[6].outlier, "");
  EXPECT_EQ(records[7].outlier, "1 mode where most have 2");
  EXPECT_EQ(records[8].outlier, "");
}

TEST(FleetTable, HasNoOutliersAmongFew) {
  auto records = fleet(4);
  records[0].modes[0].frequency = 9;
  mark_outliers(records);
  for (const auto& record : records) EXPECT_EQ(record.outlier, "");
}

TEST(FleetTable, HasARowForEachRecord) {
  auto records = fleet(2);
  FleetRecord bad;
  bad.file = "a,b.csv";
  bad.problem = "no \"time\"";
  records.push_back(bad);
  const std::string csv = fleet_csv(records);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
  EXPECT_NE(csv.find("\n\"a,b.csv\",,,,,,,\"no \"\"time\"\"\",,,,,,,,,,\n"), std::string::npos)
      << csv;
  EXPECT_EQ(fleet_line(bad), "a,b.csv: no model: no \"time\"");
  const std::string summary = fleet_summary(records);
  EXPECT_NE(summary.find("2 of 3 records identified"), std::string::npos);
  EXPECT_NE(summary.find("without a model:\n  a,b.csv: no \"time\""), std::string::npos) << summary;
}

}  // namespace
}  // namespace lgn
