#pragma once

// How the times of a text file come about; private to its reader.

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "lgn/data/csv/csv_internal.h"
#include "lgn/data/csv/run_builder_internal.h"

namespace lgn::csv_internal {

/// Times from numbers in some unit, from dates and clock times, or counted.
class TextTimes {
 public:
  TextTimes() = default;
  /// Marks a column of dates in `columns`. Throws Error when options contradict one another, or when
  /// the order of day and month is open.
  TextTimes(const TextSurvey& survey, Columns& columns, const ReadOptions& options,
            const std::string& file, FileReading& reading);

  /// Whether numbers are times as they stand.
  bool as_read() const { return !counted_ && scale_.is_identity(); }
  /// The time of the k-th sample of a run from what was read.
  double time_of(double read, Index k) const { return counted_ ? counted_->at(k) : scale_(read); }
  /// Whether times that are rounded to the same number may be told apart later.
  bool may_repeat() const { return grid_.has_value(); }

  /// Seconds since the first stamp of the file; `problem` and `help` say what is wrong.
  double of_stamp(std::string_view text, std::string& problem, std::string& help);

  /// Puts times that are rounded onto the grid that the preamble tells, where they agree with it.
  void finish(std::deque<RunBuilder>& runs, FileReading& reading) const;

 private:
  std::optional<SampleClock> counted_;  ///< samples are at these times
  std::optional<SampleClock> grid_;     ///< and here they agree with these, if they do
  TimeScale scale_;
  double resolution_ = 0;  ///< of what was read, in the unit of the times
  std::string unit_;
  DateOrder order_ = DateOrder::unknown;
  bool has_date_ = false, order_matters_ = false;
  std::optional<TimeStamp> first_, last_;
  std::int64_t midnights_ = 0;  ///< that clock times have passed
};

}  // namespace lgn::csv_internal
