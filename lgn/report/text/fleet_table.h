#pragma once

#include <limits>
#include <string>
#include <vector>

#include "lgn/model/model.h"

namespace lgn {

/// What became of one of many records.
struct FleetRecord {
  std::string file;
  std::string model;    ///< where it was written; empty: there is none
  std::string problem;  ///< why there is none
  std::string structure;
  std::string frequency_unit = "Hz";
  Index states = 0;
  double fit_error = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::string> warnings;  ///< their codes

  /// A mode that the data determine: of a pair of poles, or a real one, which has no frequency.
  struct Found {
    double frequency = 0, frequency_error = 0, damping_ratio = 0, damping_error = 0,
           time_constant = 0;
    bool oscillates = true;
  };
  std::vector<Found> modes;  ///< from the slowest to the fastest
  std::string outlier;       ///< in what it differs from the others; empty: in nothing
};

/// Of a model that was found in `file` and written to `path`. Modes that are not determined, or are marked as none of the
/// system, are left out.
FleetRecord fleet_record(const Model& model, const std::string& file, const std::string& path);

/// Says which records differ from the others: in how many modes there are, in the frequency or the damping ratio of one of
/// them, among the records that have as many as most, or in the fit error. That is so where a number is more than five
/// robust standard deviations (1.4826 times the median deviation) from the median, and more than its own error
/// explains. Fewer than five records have no outliers.
void mark_outliers(std::vector<FleetRecord>& records);

/// One record in one line.
std::string fleet_line(const FleetRecord& record);
/// The median and the spread of what the records have in common, the outliers and those without a model; as text.
std::string fleet_summary(const std::vector<FleetRecord>& records);
/// A row for each record, with all its modes.
std::string fleet_csv(const std::vector<FleetRecord>& records);

}  // namespace lgn
