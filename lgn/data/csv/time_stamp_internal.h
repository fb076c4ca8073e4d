#pragma once

// Dates and clock times as text; private to the reader of text files and its tests.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lgn::csv_internal {

/// How days, months and years follow one another where all are numbers.
enum class DateOrder { unknown, dmy, mdy, ymd };

/// A time of the calendar, or of a day.
struct TimeStamp {
  std::int64_t seconds = 0;  ///< since 1970, or since midnight
  double fraction = 0;       ///< of a second, in [0, 1)
  bool has_date = false, has_clock = false;
  int decimals = 0;                        ///< of the seconds, as written
  DateOrder evident = DateOrder::unknown;  ///< where the numbers allow one order only
  bool needs_order = false;                ///< where they allow two
};

/// Reads ISO 8601 (2021-05-26T11:44:55.46Z, with a blank for T, with or without a zone), dates such
/// as 5/26/2021, 26.05.2021 and 26-May-2021, each with or without a clock time and AM or PM, and
/// clock times alone: 12:34:56.7, 12:34, and 34:56.7 as minutes and seconds. Nothing where it is
/// none of them. Where the order is not known and two are possible, the month comes first.
std::optional<TimeStamp> parse_time_stamp(std::string_view text, DateOrder order);

/// "dmy", "mdy", "ymd", or nothing. Throws Error for another word.
DateOrder parse_date_order(const std::string& word);

}  // namespace lgn::csv_internal
